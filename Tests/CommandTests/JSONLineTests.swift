import CommandSupport
import Testing

@Suite struct JSONLineTests {
  @Test func membersKeepTheirOrder() {
    let line: JSONLine = [
      "event": "done", "bytes": .unsigned(.max), "delta": -3, "seconds": .number(0.25), "verified": true, "id": nil,
      "sources": [["url": "http://x/"], [:]], "none": [],
    ]
    #expect(
      line.text
        == #"{"event":"done","bytes":18446744073709551615,"delta":-3,"seconds":0.25,"verified":true,"id":null,"#
        + #""sources":[{"url":"http://x/"},{}],"none":[]}"#)
  }

  @Test(arguments: [
    ("plain", #""plain""#), ("\"\\/", #""\"\\/""#), ("\n\r\t\u{8}\0", #""\n\r\t\u0008\u0000""#), ("日本 ü", #""日本 ü""#),
    ("\u{7F}\u{9B}\u{202E}\u{2028}", #""\u007f\u009b\u202e\u2028""#), ("\u{E0041}", #""\udb40\udc41""#), ("👍", #""👍""#),
  ])
  func stringsAreEscaped(text: String, json: String) {
    #expect(JSONLine.string(text).text == json)
  }

  @Test func numbersJSONCannotHoldBecomeNull() {
    #expect(
      JSONLine.array([.number(.nan), .number(.infinity), .number(-.infinity), .number(1e21)]).text
        == "[null,null,null,1e+21]")
  }
}
