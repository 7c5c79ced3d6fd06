/// What a value is, for those who ask. Each answer is nil when the value is of another kind.
extension JSONValue {
    /// The string, unescaped.
    package func string(in text: Span<UInt8>) -> String? {
        kind == .string ? node.text(in: text) : nil
    }

    /// The bytes of a string that has no escape, such as base64, where they lie.
    package var unescapedRange: Range<Int>? { kind == .string && !node.isEscaped ? range : nil }

    package var bool: Bool? {
        switch kind {
        case .true: true
        case .false: false
        default: nil
        }
    }

    /// A number written without fraction and exponent that 64 bits with sign hold.
    package func int64(in text: Span<UInt8>) -> Int64? {
        kind == .number ? text.readInteger(range) : nil
    }

    /// The whole part of a number, rounded down. Nil if it has an exponent, or is too large for 64 bits with sign.
    package func roundedDown(in text: Span<UInt8>) -> Int64? {
        guard kind == .number else { return nil }
        var point = range.lowerBound
        while point < range.upperBound, text[point] != UInt8(ascii: ".") { point += 1 }
        guard let whole = text.readInteger(range.lowerBound..<point) else { return nil }
        var hasFraction = false
        for position in point..<range.upperBound where position > point {
            guard text[position] &- UInt8(ascii: "0") < 10 else { return nil }
            if text[position] != UInt8(ascii: "0") { hasFraction = true }
        }
        guard hasFraction, text[range.lowerBound] == UInt8(ascii: "-") else { return whole }
        let (below, overflow) = whole.subtractingReportingOverflow(1)
        return overflow ? nil : below
    }
}

extension JSONNode {
    /// What a string or a name stands for. It has been checked, so that nothing in it is repaired.
    package func text(in text: Span<UInt8>) -> String {
        if isEscaped { return String(decoding: text.unescaped(range), as: UTF8.self) }
        // The buffer is not used after the call.
        return unsafe text.extracting(range).withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// Whether a string or a name stands for some text.
    package func isText(_ wanted: StaticString, in text: Span<UInt8>) -> Bool {
        let count = wanted.utf8CodeUnitCount
        // The literal's own bytes, inside its length.
        if isEscaped {
            let own = text.unescaped(range)
            return own.count == count && own.indices.allSatisfy { own[$0] == (unsafe wanted.utf8Start[$0]) }
        }
        guard range.count == count else { return false }
        for index in 0..<count where text[range.lowerBound + index] != (unsafe wanted.utf8Start[index]) {
            return false
        }
        return true
    }

    func isSameText(as other: JSONNode, in text: Span<UInt8>) -> Bool {
        if isEscaped || other.isEscaped { return text.unescaped(range) == text.unescaped(other.range) }
        guard range.count == other.range.count else { return false }
        for index in 0..<range.count
        where text[range.lowerBound + index] != text[other.range.lowerBound + index] {
            return false
        }
        return true
    }
}

extension Span<UInt8> {
    /// The value of decimal digits after an optional minus, or nil if there is anything else or it is too large.
    fileprivate func readInteger(_ range: Range<Int>) -> Int64? {
        var position = range.lowerBound
        let isNegative = position < range.upperBound && self[position] == UInt8(ascii: "-")
        if isNegative { position += 1 }
        guard position < range.upperBound else { return nil }
        // Eighteen digits cannot overflow.
        let isShort = range.upperBound - position <= 18
        var value: Int64 = 0
        while position < range.upperBound {
            let digit = self[position] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            if isShort {
                value = value &* 10 &+ Int64(digit)
            } else {
                let (product, tooLarge) = value.multipliedReportingOverflow(by: 10)
                let (sum, stillTooLarge) = product.subtractingReportingOverflow(Int64(digit))
                if tooLarge || stillTooLarge { return nil }
                value = sum
            }
            position += 1
        }
        // Long numbers were built below zero, where the smallest one fits.
        if isShort { return isNegative ? -value : value }
        if isNegative { return value }
        return value == .min ? nil : -value
    }
}
