/// How the page of `--report` looks.
enum ReportStyle {
  /// The class that has an origin's colour. After eight sources the colours come again.
  static func name(of origin: Timeline.Origin) -> String {
    switch origin {
    case .source(let place): "s\(place % 8)"
    case .mixed: "mixed"
    case .here: "here"
    }
  }

  /// Colours that people of all kinds of sight can tell apart (Okabe and Ito).
  static let sheet = """
    :root{color-scheme:light dark;--ink:#222;--paper:#fff;--line:#ccc}
    @media(prefers-color-scheme:dark){:root{--ink:#ddd;--paper:#181818;--line:#555}}
    body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:60rem;margin:2rem auto;padding:0 1rem}
    h1{overflow-wrap:anywhere;font-size:1.5rem;margin:0}h2{font-size:1.1rem;margin:2rem 0 .5rem}
    table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;padding:.2rem .6rem .2rem 0;border-bottom:1px solid var(--line);overflow-wrap:anywhere}th{white-space:nowrap}
    small,footer{opacity:.7}footer{margin-top:2rem}code{font-size:.9em}
    .right{color:#1a7f37;font-weight:600}.wrong{color:#c0392b;font-weight:600}
    svg{width:100%;height:auto;display:block}svg text{font-size:11px;fill:var(--ink)}.frame{fill:none;stroke:var(--line)}
    .swatch{display:inline-block;width:.8em;height:.8em;border-radius:2px}
    .s0{fill:#0072b2;background:#0072b2}.s1{fill:#e69f00;background:#e69f00}.s2{fill:#009e73;background:#009e73}
    .s3{fill:#cc79a7;background:#cc79a7}.s4{fill:#56b4e9;background:#56b4e9}.s5{fill:#d55e00;background:#d55e00}
    .s6{fill:#b8a800;background:#b8a800}.s7{fill:#7a5cc4;background:#7a5cc4}.mixed{fill:#777;background:#777}.here{fill:#bbb;background:#bbb}
    """
}
