internal import ChunkCore
internal import ChunkTransfer
internal import CommandSupport

/// The page of `--report`: one file that needs no other, no script and no network. All that comes from outside is escaped, and
/// the browser is told to load nothing. Well-formed as XML too. Pure.
struct ReportPage: Sendable {
  let name: String
  let outcome: FileCommand.Outcome
  let chronicle: Chronicle.State
  let seconds: Double

  var html: String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8"/>
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"/>
    <meta name="viewport" content="width=device-width"/>
    <meta name="referrer" content="no-referrer"/>
    <title>\(HTMLText.escape(name)) – chunkget</title>
    <style>\(ReportStyle.sheet)</style>
    </head>
    <body>
    <h1>\(HTMLText.escape(name))</h1>
    \(verdict)
    \(table("Totals", head: [], totals))
    \(ReportChart(timeline: chronicle.timeline, seconds: seconds).html)
    \(table("Sources", head: ["", "Source", "Received", "Failed requests", "Wrong chunks", ""], sources))
    \(incidents)
    \(notices)
    <footer>chunkget \(Release.version)</footer>
    </body>
    </html>

    """
  }

  // MARK: What was done

  private var report: TransferReport? {
    if case .done(let report) = outcome { report } else { nil }
  }

  private var verdict: String {
    switch outcome {
    case .done(let report):
      "<p class=\"right\">Complete: \(HTMLText.escape(Teller.trust(report.trust)))</p>"
    case .failed(let status, let reason):
      "<p class=\"wrong\">Not complete (exit code \(status.code)): \(HTMLText.escape(reason))</p>"
    }
  }

  private var totals: [[String]] {
    guard let report else { return [["Time", time(seconds)]] }
    var rows = [["Length", size(report.length)]]
    if let id = report.fileID { rows.append(["File ID", "<code>\(id)</code>"]) }
    if let digest = report.sha256 { rows.append(["SHA-256", "<code>\(digest)</code>"]) }
    rows += [
      ["Fetched", size(report.fetchedBytes)], ["Found on this machine", size(report.reusedBytes)],
      ["Discarded", size(report.discardedBytes)], ["Requests", "\(report.requests)"], ["Time", time(report.seconds)],
    ]
    if report.fetchedBytes > 0, report.seconds > 0 {
      rows.append(["Mean rate", ByteSize.rate(bytesPerSecond: Double(report.fetchedBytes) / report.seconds)])
    }
    return rows
  }

  private var sources: [[String]] {
    if let report {
      return report.sources.enumerated().map { place, source in
        [
          swatch(place), HTMLText.escape(source.url), size(source.receivedBytes), failures(place),
          "\(source.wrongChunks.count)", source.isQuarantined ? "set aside" : "",
        ]
      }
    }
    return chronicle.sources.enumerated().map { place, source in
      let state = source.standing == .active ? "" : source.standing == .quarantined ? "set aside" : "failed"
      return [swatch(place), HTMLText.escape(source.url), "", failures(place), "", state]
    }
  }

  private func failures(_ place: Int) -> String { "\(chronicle.failedRequests[place] ?? 0)" }

  private var incidents: String {
    let rows = chronicle.incidents.map { incident in
      [time(incident.seconds), incident.source.map(swatch) ?? "", HTMLText.escape(incident.text)]
    }
    let more = chronicle.incidentCount - rows.count
    return table("Retries and wrong chunks", head: ["Time", "", ""], rows) + (more > 0 ? "<p>and \(more) more</p>" : "")
  }

  private var notices: String {
    table("Notices", head: ["Time", ""], chronicle.notices.map { [time($0.seconds), HTMLText.escape($0.text)] })
  }

  // MARK: Pieces

  private func size(_ bytes: UInt64) -> String { "\(ByteSize(bytes: bytes)) <small>(\(bytes))</small>" }

  private func time(_ seconds: Double) -> String { DurationText.seconds(.seconds(seconds)) }

  private func swatch(_ place: Int) -> String {
    "<span class=\"swatch \(ReportStyle.name(of: .source(place)))\"></span>"
  }

  /// A table of cells that are markup; nothing where there are no rows.
  private func table(_ title: String, head: [String], _ rows: [[String]]) -> String {
    guard !rows.isEmpty else { return "" }
    let header = head.isEmpty ? "" : "<tr>\(head.map { "<th>\($0)</th>" }.joined())</tr>\n"
    let body = rows.map { "<tr>\($0.map { "<td>\($0)</td>" }.joined())</tr>" }.joined(separator: "\n")
    return "<h2>\(title)</h2>\n<table>\n\(header)\(body)\n</table>"
  }
}
