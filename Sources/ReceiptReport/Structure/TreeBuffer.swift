import ReceiptASN1

/// Bytes that the tree walks, with the way back to their place in the original input.
struct TreeBuffer {
    var bytes: [UInt8]
    /// Where pieces begin: position here and in the original; empty when the two are the same.
    private var pieces: [(position: Int, original: Int)] = []

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// The offset in the original input of a position here.
    func original(_ position: Int) -> Int {
        guard !pieces.isEmpty else { return position }
        var low = 0
        var high = pieces.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if pieces[middle].position <= position { low = middle } else { high = middle }
        }
        return pieces[low].original + (position - pieces[low].position)
    }

    /// The joined content of a constructed OCTET STRING that consists of two or more primitive pieces, else nil.
    func joiningPieces(_ content: Range<Int>, indefinite: Bool) -> TreeBuffer? {
        var joined = TreeBuffer(bytes: [])
        var position = content.lowerBound
        while position < content.upperBound {
            guard let header = try? ElementHeader(at: position, in: bytes.span, end: content.upperBound) else {
                return nil
            }
            if indefinite && header.isEndOfContents { break }
            position += header.length
            guard
                header.isUniversal(UniversalTag.octetString), !header.isConstructed,
                let length = header.contentLength, length <= content.upperBound - position
            else { return nil }
            joined.pieces.append((joined.bytes.count, original(position)))
            joined.bytes.append(contentsOf: bytes[position..<(position + length)])
            position += length
        }
        return joined.pieces.count > 1 ? joined : nil
    }
}

/// Whether a range is exactly one BER element, complete and with plausible content at every level.
///
/// Used to guess whether the octets of a string hold an encoding. Reads each byte at most once.
func isPlausibleBER(_ bytes: [UInt8], _ range: Range<Int>, depthLimit: Int) -> Bool {
    var ends: [(end: Int, isIndefinite: Bool)] = []
    var position = range.lowerBound
    var elements = 0
    while true {
        while let last = ends.last, !last.isIndefinite, position == last.end { ends.removeLast() }
        if ends.isEmpty && elements > 0 { return position == range.upperBound }
        let end = ends.last?.end ?? range.upperBound
        guard let header = try? ElementHeader(at: position, in: bytes.span, end: end) else { return false }
        position += header.length
        elements += 1
        if header.isEndOfContents {
            guard ends.last?.isIndefinite == true else { return false }
            ends.removeLast()
            continue
        }
        guard let length = header.contentLength else {
            guard ends.count < depthLimit else { return false }
            ends.append((end, true))
            continue
        }
        guard length <= end - position else { return false }
        if header.isConstructed {
            guard ends.count < depthLimit, hasPlausibleTag(header) else { return false }
            ends.append((position + length, false))
        } else {
            guard hasPlausibleContent(header, bytes[position..<(position + length)]) else { return false }
            position += length
        }
    }
}

private func hasPlausibleTag(_ header: ElementHeader) -> Bool {
    switch header.tagClass {
    case .universal:
        header.number == UniversalTag.sequence || header.number == UniversalTag.set
            || header.number == UniversalTag.octetString
    case .context: header.number <= 0x3FFF
    default: false
    }
}

private func hasPlausibleContent(_ header: ElementHeader, _ content: ArraySlice<UInt8>) -> Bool {
    switch header.tagClass {
    case .universal: break
    case .context: return header.number <= 0x3FFF
    default: return false
    }
    switch header.number {
    case UniversalTag.boolean: return content.count == 1
    case UniversalTag.integer, UniversalTag.enumerated: return !content.isEmpty
    case UniversalTag.bitString: return content.first.map { $0 < 8 } ?? false
    case UniversalTag.octetString: return true
    case UniversalTag.null: return content.isEmpty
    case UniversalTag.objectIdentifier: return ObjectIdentifier.dotted(content) != nil
    case UniversalTag.utf8String: return String(validating: content, as: UTF8.self) != nil
    case UniversalTag.utcTime, UniversalTag.generalizedTime:
        return content.count >= 10 && content.allSatisfy { (0x2B...0x5A).contains($0) }
    case UniversalTag.asciiStrings: return content.allSatisfy { $0 < 0x80 && $0 >= 0x09 }
    case UniversalTag.bmpString: return content.count.isMultiple(of: 2)
    default: return false
    }
}
