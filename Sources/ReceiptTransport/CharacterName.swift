/// Names the character at an offset for a person: in quotation marks if it can be printed, and its number otherwise.
func characterName(in text: Span<UInt8>, at offset: Int) -> String {
    guard let (scalar, _) = text.scalar(at: offset) else {
        return offset < text.count ? "byte 0x\(hex(UInt32(text[offset]), digits: 2)), which is not UTF-8" : "the end"
    }
    return characterName(scalar)
}

func characterName(_ scalar: Unicode.Scalar) -> String {
    let number = "U+" + hex(scalar.value, digits: 4)
    if let name = namesOfInvisibles[scalar.value] { return "\(number) (\(name))" }
    if scalar.isASCII { return scalar.value > 0x20 && scalar.value < 0x7F ? "\"\(scalar)\"" : number }
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
        .spaceSeparator, .nonspacingMark, .enclosingMark, .spacingMark:
        return number
    default: return "\"\(scalar)\" (\(number))"
    }
}

private let namesOfInvisibles: [UInt32: String] = [
    0x00: "zero", 0x09: "tab", 0x0A: "line feed", 0x0D: "carriage return", 0x1B: "escape", 0x20: "space",
    0xA0: "no-break space", 0xAD: "soft hyphen", 0x200B: "zero-width space", 0xFEFF: "byte order mark",
    0xFFFD: "replacement character",
]

func hex(_ value: UInt32, digits: Int) -> String {
    let text = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
}

extension Span where Element == UInt8 {
    /// The Unicode scalar that begins at an offset and its length in bytes, or nil if none does.
    func scalar(at offset: Int) -> (scalar: Unicode.Scalar, length: Int)? {
        guard offset >= 0, offset < count else { return nil }
        let first = self[offset]
        if first < 0x80 { return (Unicode.Scalar(first), 1) }
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
        guard (0xC2...0xF4).contains(first), length <= count - offset else { return nil }
        var value = UInt32(first) & (0x7F >> UInt32(length))
        for index in 1..<length {
            let byte = self[offset + index]
            guard byte & 0xC0 == 0x80 else { return nil }
            value = value << 6 | UInt32(byte & 0x3F)
        }
        // Overlong forms are refused; Unicode.Scalar refuses surrogates and numbers that are too large.
        guard value >= (length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000), let scalar = Unicode.Scalar(value) else {
            return nil
        }
        return (scalar, length)
    }
}
