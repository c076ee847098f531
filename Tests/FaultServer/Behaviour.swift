/// The actions of all rules that apply to one request, sorted by aspect.
struct Behaviour {
  /// What is sent in the place of the resource.
  enum Replacement {
    case status(Int, headers: [HeaderLine], body: [UInt8])
    case statusWithRetryDate(Int, secondsFromNow: Int64)
    case redirect(Int, to: String, tokenUses: Int?)
    case raw([UInt8])
    case nothing(FaultAction.Ending)
  }

  /// Whether the chunked coding comes with the `Content-Length` it forbids.
  enum ChunkedCoding {
    case alone
    case withLength
  }

  var replacement: Replacement?
  var requiresToken = false
  var resource: Resource?

  var setHeaders: [HeaderLine] = []
  var addedHeaders: [HeaderLine] = []
  var droppedHeaders: [String] = []
  var headPadding = 0
  var tag: FaultAction.TagFault?
  var contentRange: FaultAction.ContentRangeFault?
  var isHTTP10 = false
  var closesAfter = false

  var ignoresRange = false
  var alignment: UInt64?
  var shortening: UInt64?
  var rangeLimit: UInt64?
  var lengthening: UInt64?
  var isMultipart = false

  var cut: (after: UInt64, ending: FaultAction.Ending)?
  var surplus: [UInt8] = []
  var flips: [UInt64] = []
  var omissions: [Range<UInt64>] = []
  var chunked: ChunkedCoding?

  var holdHead: Pause?
  var holdBody: Pause?
  var stall: (after: UInt64, pause: Pause)?
  var trickle: (bytes: Int, every: Duration)?

  /// What was said first about an aspect holds.
  mutating func add(_ action: FaultAction) {
    switch action {
    case .status(let status, let headers, let body):
      replace(with: .status(status, headers: headers, body: body))
    case .statusWithRetryDate(let status, let seconds):
      replace(with: .statusWithRetryDate(status, secondsFromNow: seconds))
    case .redirect(let status, let target): replace(with: .redirect(status, to: target, tokenUses: nil))
    case .redirectWithToken(let status, let target, let uses):
      replace(with: .redirect(status, to: target, tokenUses: uses))
    case .requireToken: requiresToken = true
    case .raw(let bytes): replace(with: .raw(bytes))
    case .noAnswer(let ending): replace(with: .nothing(ending))
    case .serve(let other): resource = resource ?? other

    case .setHeader(let name, let value): setHeaders.append(HeaderLine(name, value))
    case .addHeader(let name, let value): addedHeaders.append(HeaderLine(name, value))
    case .dropHeader(let name): droppedHeaders.append(name)
    case .padHead(let bytes): headPadding += bytes
    case .etag(let fault): tag = tag ?? fault
    case .contentRange(let fault): contentRange = contentRange ?? fault
    case .http10: isHTTP10 = true
    case .closeAfter: closesAfter = true

    case .ignoreRange: ignoresRange = true
    case .alignStart(let unit): alignment = alignment ?? unit
    case .shorten(let count): shortening = shortening ?? count
    case .limitRange(let count): rangeLimit = rangeLimit ?? count
    case .lengthen(let count): lengthening = lengthening ?? count
    case .multipart: isMultipart = true

    case .cut(let count, let ending): cut = cut ?? (count, ending)
    case .surplus(let bytes): surplus += bytes
    case .flip(let offsets): flips += offsets
    case .omit(let range): omissions.append(range)
    case .chunked(let withLength): chunked = chunked ?? (withLength ? .withLength : .alone)

    case .holdHead(let pause): holdHead = holdHead ?? pause
    case .holdBody(let pause): holdBody = holdBody ?? pause
    case .stall(let count, let pause): stall = stall ?? (count, pause)
    case .trickle(let bytes, let every): trickle = trickle ?? (bytes, every)
    }
  }

  private mutating func replace(with other: Replacement) { replacement = replacement ?? other }
}
