import ReceiptASN1

/// What the tree shows of an element: its type, and a primitive element's value as far as it is short.
///
/// Safe on a terminal, on one line, and bounded whatever the content.
func describe(_ header: ElementHeader, content: ArraySlice<UInt8>, grammar: Grammar) -> String {
    let type = typeName(header)
    if header.isConstructed { return type }
    guard header.tagClass == .universal else { return "\(type) \(octets(content))" }
    switch header.number {
    case UniversalTag.null:
        return content.isEmpty ? type : "\(type) \(octets(content))  (a NULL has no content)"
    case UniversalTag.boolean:
        guard content.count == 1, let value = content.first else {
            return "\(type) \(octets(content))  (a BOOLEAN has one octet)"
        }
        return "\(type) \(value == 0 ? "false" : value == 0xFF ? "true" : "true (\(hex(content)))")"
    case UniversalTag.integer, UniversalTag.enumerated:
        return "\(type) \(integer(content))"
    case UniversalTag.objectIdentifier:
        guard let dotted = ObjectIdentifier.dotted(content) else { return "\(type) malformed \(octets(content))" }
        return "\(type) \(dotted)" + (ObjectIdentifier(content: content)?.name.map { " (\($0))" } ?? "")
    case UniversalTag.bitString:
        guard let unused = content.first else { return "\(type) malformed, empty" }
        return "\(type) \(octets(content.dropFirst()))" + (unused == 0 ? "" : ", \(unused) bits unused")
    case UniversalTag.utcTime, UniversalTag.generalizedTime:
        return "\(type) \(text(content))" + (readableTime(header.number, content).map { " (\($0))" } ?? "")
    case UniversalTag.utf8String, UniversalTag.asciiStrings:
        return "\(type) \(text(content))"
    case UniversalTag.bmpString:
        let units = stride(from: content.startIndex, to: content.endIndex - 1, by: 2)
            .prefix(shownCharacters).map { UInt16(content[$0]) << 8 | UInt16(content[$0 + 1]) }
        let shown = escapedForTerminal(String(decoding: units, as: UTF16.self))
        return "\(type) \"\(shown)\"" + (content.count > 2 * shownCharacters ? "… (\(content.count) bytes)" : "")
    default:
        return "\(type) \(octets(content))"
    }
}

private let shownOctets = 32
private let shownCharacters = 240

func typeName(_ header: ElementHeader) -> String {
    switch header.tagClass {
    case .universal:
        let name = UniversalTag.name(header.number) ?? "[UNIVERSAL \(header.number)]"
        let usual = header.number == UniversalTag.sequence || header.number == UniversalTag.set
        if header.isConstructed == usual { return name }
        return header.isConstructed ? name + ", constructed" : name + ", primitive"
    case .application: return "[APPLICATION \(header.number)]"
    case .context: return "[\(header.number)]"
    case .private: return "[PRIVATE \(header.number)]"
    }
}

/// Octets as hexadecimal digits, as text beside it where they are printable ASCII.
private func octets(_ content: ArraySlice<UInt8>) -> String {
    if content.isEmpty { return "(empty)" }
    let isLong = content.count > shownOctets
    let digits = hex(content.prefix(shownOctets)) + (isLong ? "…" : "")
    let isText = content.count > 2 && content.prefix(shownCharacters).allSatisfy { (0x20...0x7E).contains($0) }
    if isText { return text(content) }
    return isLong ? "\(digits) (\(content.count) bytes)" : digits
}

private func text(_ content: ArraySlice<UInt8>) -> String {
    let shown = escapedForTerminal(utf8: content.prefix(shownCharacters))
    let isLong = content.count > shownCharacters
    return "\"\(shown)\"" + (isLong ? "… (\(content.count) bytes)" : "")
}

/// Decimal up to 64 bits, hexadecimal above.
private func integer(_ content: ArraySlice<UInt8>) -> String {
    guard let first = content.first else { return "malformed, empty" }
    let isNonMinimal =
        content.count > 1 && (first == 0 && content[content.startIndex + 1] < 0x80)
        || content.count > 1 && (first == 0xFF && content[content.startIndex + 1] >= 0x80)
    let remark = isNonMinimal ? "  (longer than needed)" : ""
    if content.count <= 8 {
        var value: Int64 = first >= 0x80 ? -1 : 0
        for byte in content { value = value << 8 | Int64(byte) }
        // Large ones are serial numbers and identifiers, which other tools show in hexadecimal.
        let digits = content.count > 4 && value > 0 ? " (0x\(hex(content)))" : ""
        return "\(value)\(digits)\(remark)"
    }
    let isLong = content.count > shownOctets
    return "0x" + hex(content.prefix(shownOctets)) + (isLong ? "… (\(content.count) bytes)" : "") + remark
}

/// A time as RFC 3339 when it has exactly the form that RFC 5280 asks for, else nil.
private func readableTime(_ number: UInt32, _ content: ArraySlice<UInt8>) -> String? {
    let tag: Tag = number == UniversalTag.utcTime ? .utcTime : .generalizedTime
    // What is wrong with it the octets themselves show.
    guard let time = try? content.span.time(tag, Cursor(0, content.count), "Time") else { return nil }
    return time.text(behind: "Z")
}
