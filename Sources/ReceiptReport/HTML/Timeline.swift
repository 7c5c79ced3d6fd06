import AppStoreReceipt

/// Subscriptions over time as an SVG drawing: a bar for what ran, a dashed frame for a gap.
struct Timeline {
    private let subscriptions: [Subscription]
    private let now: Double?
    private let begin: Double
    private let end: Double

    /// The most bars that are drawn: those that run longest.
    static let limit = 40
    private static let labelWidth = 190.0
    private static let chartWidth = 780.0
    private static let rowHeight = 30

    /// Dates outside the years 1970 to 4000 are not drawn: one of them would leave no room for the others.
    private static let drawable = 0.0...64_060_588_800_000.0

    init(_ subscriptions: [Subscription], now: ReceiptDate?) {
        let drawn = subscriptions.filter { subscription in
            guard let from = subscription.from, let to = subscription.to else { return false }
            return Self.drawable.contains(Self.time(from)) && Self.drawable.contains(Self.time(to))
        }.sorted { ($0.to?.millisecondsSince1970 ?? 0) > ($1.to?.millisecondsSince1970 ?? 0) }
        self.subscriptions = Array(drawn.prefix(Self.limit))
        let begin = drawn.prefix(Self.limit).compactMap(\.from).map(Self.time).min() ?? 0
        var end = drawn.prefix(Self.limit).compactMap(\.to).map(Self.time).max() ?? 0
        // Today is in the picture unless everything is long over.
        let today = now.map(Self.time)
        if let today, today > begin, today < end + 2 * (end - begin) { end = max(end, today) }
        self.begin = begin
        self.end = end
        self.now = today.flatMap { $0 >= begin && $0 <= end ? $0 : nil }
    }

    /// The drawing, or nil when there is nothing to draw.
    ///
    /// - Parameter label: An identifier as the page may show it, already escaped.
    func svg(label: (String) -> String) -> String? {
        guard end > begin else { return nil }
        let height = subscriptions.count * Self.rowHeight + 40
        var svg = "<svg viewBox=\"0 0 1000 \(height)\" role=\"img\" aria-label=\"Timeline of subscriptions\">\n"
        let bottom = height - 25
        for index in 0...4 {
            let time = begin + (end - begin) * Double(index) / 4
            let anchor = index == 0 ? "start" : index == 4 ? "end" : "middle"
            svg += "<line class=\"tick\" x1=\"\(x(time))\" x2=\"\(x(time))\" y1=\"5\" y2=\"\(bottom)\"/>"
            svg += "<text x=\"\(x(time))\" y=\"\(height - 8)\" text-anchor=\"\(anchor)\">\(tickLabel(time))</text>\n"
        }
        for (index, subscription) in subscriptions.enumerated() {
            let y = 10 + index * Self.rowHeight
            let name = subscription.productIDs.last ?? subscription.originalTransactionID
            svg += "<text x=\"5\" y=\"\(y + 15)\">\(label(Self.shortened(name)))</text>\n"
            svg += bars(subscription, y: y)
        }
        if let now {
            svg += "<line class=\"now\" x1=\"\(x(now))\" x2=\"\(x(now))\" y1=\"2\" y2=\"\(bottom)\"/>"
            svg += "<text x=\"\(x(now))\" y=\"\(bottom + 2)\" text-anchor=\"end\">now </text>\n"
        }
        return svg + "</svg>\n"
    }

    private func bars(_ subscription: Subscription, y: Int) -> String {
        guard let first = subscription.from, let last = subscription.to else { return "" }
        var svg = ""
        func bar(_ kind: String, _ from: ReceiptDate, _ to: ReceiptDate, _ words: String) {
            let width = max(x(Self.time(to)) - x(Self.time(from)), 1)
            svg += "<rect class=\"\(kind)\" x=\"\(x(Self.time(from)))\" y=\"\(y)\" width=\"\(Self.rounded(width))\" "
            svg += "height=\"20\"><title>\(words) \(from) to \(to)</title></rect>\n"
        }
        var start = first
        for gap in subscription.gaps {
            bar("run", start, gap.from, "ran")
            bar("gap", gap.from, gap.to, "gap")
            start = gap.to
        }
        bar("run", start, last, "ran")
        // Renewals, as long as they can be told apart.
        guard subscription.periods <= 60 else { return svg }
        for begin in subscription.beginnings.dropFirst() where Self.drawable.contains(Self.time(begin)) {
            let at = x(Self.time(begin))
            svg += "<line class=\"edge\" x1=\"\(at)\" x2=\"\(at)\" y1=\"\(y + 1)\" y2=\"\(y + 19)\"/>"
        }
        return svg
    }

    private func x(_ time: Double) -> Double {
        let share = min(max((time - begin) / (end - begin), 0), 1)
        return Self.rounded(Self.labelWidth + share * Self.chartWidth)
    }

    private static func rounded(_ value: Double) -> Double { (value * 10).rounded() / 10 }

    private static func time(_ date: ReceiptDate) -> Double { Double(date.millisecondsSince1970) }

    /// The day, and the minute where days are too coarse.
    private func tickLabel(_ time: Double) -> String {
        // Within the years that are drawn.
        let text = shortDate(ReceiptDate(millisecondsSince1970: Int64(time)))
        return String(decoding: text.utf8.prefix(end - begin < 864_000_000 ? 16 : 10), as: UTF8.self)
    }

    /// The end of an identifier, which tells products apart.
    private static func shortened(_ name: String) -> String {
        let scalars = name.unicodeScalars
        guard scalars.count > 24 else { return name }
        var short = String.UnicodeScalarView("…".unicodeScalars)
        short.append(contentsOf: scalars.suffix(23))
        return String(short)
    }
}
