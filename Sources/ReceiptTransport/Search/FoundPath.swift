/// Says by what names one gets to a place in a text: `transaction.appStoreReceipt`, `body.receipt-data`, `[3]`.
///
/// The structure is read as far as the place, in JSON that may be broken and in JSON inside strings. It only tells where
/// something is; it never decides what is found.
enum FoundPath {
    /// The path to an offset; nil if nothing on the way has a name.
    static func path(_ text: Span<UInt8>, to offset: Int) -> String? {
        let start = text.skippingWhiteSpace(from: text.hasText("\u{FEFF}", at: 0) ? 3 : 0, to: offset)
        if start < offset, text[start] == UInt8(ascii: "{") || text[start] == UInt8(ascii: "[") {
            var walk = JSONWalk(text, level: 0)
            if let path = walk.path(text, from: start, to: offset), !path.isEmpty { return path }
        }
        return nameBefore(text, offset)
    }

    /// The name directly before a value: `receipt-data=`, `"receipt": "`, `<receiptData>`, `name="receipt"` of multipart.
    private static func nameBefore(_ text: Span<UInt8>, _ offset: Int) -> String? {
        var end = offset
        let floor = max(0, offset - 40)
        var sawMark = false
        while end > floor {
            let byte = text[end - 1]
            if byte.isASCIIAlphanumeric { break }
            if byte == UInt8(ascii: "=") || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ">")
                || byte == UInt8(ascii: "\"")
            {
                sawMark = true
            }
            end -= 1
        }
        while end - 3 >= floor, text[end - 3] == UInt8(ascii: "%"), text[end - 1].hexDigitValue != nil {
            sawMark = true
            end -= 3
        }
        guard sawMark else { return nil }
        var start = end
        while start > max(0, end - 64), text[start - 1].isNameCharacter || text[start - 1] == UInt8(ascii: ".") {
            start -= 1
        }
        guard end - start >= 2, hasLetter(text, start..<end) else { return nil }
        return String(decoding: text.copy(start..<end), as: UTF8.self)
    }
}

extension FoundPath {
    private static func hasLetter(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        for offset in range where text[offset].isASCIIAlphanumeric && !text[offset].isASCIIDigit { return true }
        return false
    }
}

/// Walks through JSON up to an offset, and remembers the names and numbers of what is open there.
private struct JSONWalk {
    private var open: [(name: String?, index: Int)] = []
    private var isObject: [Bool] = []
    private var name: Range<Int>?
    /// How many backslashes stand before a quotation mark of this JSON: it may be inside a string.
    private let level: Int

    init(_ text: Span<UInt8>, level: Int) { self.level = level }

    mutating func path(_ text: Span<UInt8>, from start: Int, to target: Int) -> String? {
        var position = start
        var last: Range<Int>?
        while position < target {
            let byte = text[position]
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                guard open.count < 64 else { return nil }
                open.append((nil, 0))
                isObject.append(byte == UInt8(ascii: "{"))
                position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                _ = open.popLast()
                _ = isObject.popLast()
                position += 1
            case UInt8(ascii: ","):
                if !open.isEmpty {
                    open[open.count - 1].index += 1
                    open[open.count - 1].name = nil
                }
                position += 1
            case UInt8(ascii: ":"):
                if let last, !open.isEmpty { open[open.count - 1].name = decoded(text, last) }
                position += 1
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                let content = position + (byte == UInt8(ascii: "\\") ? width(text, position) : 1)
                let end = stringEnd(text, from: content)
                if content <= target, target <= end.start { return joined(inside(text, content, target)) }
                last = content..<end.start
                position = max(end.after, position + 1)
            default: position += 1
            }
        }
        return joined(nil)
    }

    /// Backslashes and the mark they stand before.
    private func width(_ text: Span<UInt8>, _ start: Int) -> Int {
        var position = start
        while position < text.count, text[position] == UInt8(ascii: "\\") { position += 1 }
        return position - start + 1
    }

    /// Where the string ends whose content begins at an offset, at a quotation mark with as many backslashes as its first.
    private func stringEnd(_ text: Span<UInt8>, from start: Int) -> (start: Int, after: Int) {
        var position = start
        while position < text.count {
            if text[position] == UInt8(ascii: "\\") {
                let width = width(text, position)
                let isMark = position + width <= text.count && text[position + width - 1] == UInt8(ascii: "\"")
                if isMark, width - 1 == level { return (position, position + width) }
                position += level == 0 ? 2 : width
            } else if text[position] == UInt8(ascii: "\"") {
                return (position, position + 1)
            } else {
                position += 1
            }
        }
        return (text.count, text.count)
    }

    /// The path inside a string that holds JSON itself.
    private func inside(_ text: Span<UInt8>, _ start: Int, _ target: Int) -> String? {
        guard level < 3, start < target else { return nil }
        var position = start
        while position < target, text[position] != UInt8(ascii: "{"), text[position] != UInt8(ascii: "[") {
            position += 1
        }
        guard position < target else { return nil }
        var walk = JSONWalk(text, level: level == 0 ? 1 : 2 * level + 1)
        return walk.path(text, from: position, to: target)
    }

    private func decoded(_ text: Span<UInt8>, _ range: Range<Int>) -> String {
        String(decoding: text.copy(range.lowerBound..<min(range.upperBound, range.lowerBound + 64)), as: UTF8.self)
    }

    private func joined(_ inner: String?) -> String? {
        var path = ""
        for (level, entry) in open.enumerated() {
            if isObject[level] {
                guard let name = entry.name else { continue }
                path += (path.isEmpty ? "" : ".") + name
            } else {
                path += "[\(entry.index)]"
            }
        }
        guard let inner, !inner.isEmpty else { return path }
        return path.isEmpty ? inner : path + (inner.hasPrefix("[") ? "" : ".") + inner
    }
}
