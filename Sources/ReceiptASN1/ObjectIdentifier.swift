/// An OBJECT IDENTIFIER of up to 32 content octets, held by value so that comparing one costs no memory access.
///
/// The longest identifiers in use, UUIDs under 2.25, take 20 octets; longer ones are refused when read.
@usableFromInline
package struct ObjectIdentifier: Hashable, Sendable {
    /// The content octets as one big-endian number.
    @usableFromInline let high: UInt128
    @usableFromInline let low: UInt128
    @usableFromInline let count: UInt8

    @inlinable
    init(high: UInt128, low: UInt128, count: UInt8) {
        self.high = high
        self.low = low
        self.count = count
    }

    /// An identifier of at most 16 content octets, written as a hexadecimal literal.
    @inlinable @inline(__always)
    package init(_ content: UInt128, count: UInt8) { self.init(high: 0, low: content, count: count) }

    @inlinable package static var maximumCount: Int { 32 }

    /// The content octets.
    package var content: [UInt8] {
        (0..<Int(count)).map { index in
            let shift = (Int(count) - 1 - index) * 8
            return UInt8(truncatingIfNeeded: shift < 128 ? low >> shift : high >> (shift - 128))
        }
    }
}

extension ObjectIdentifier: CustomStringConvertible {
    /// The dotted form, for example `1.2.840.113549.1.7.2`.
    @usableFromInline package var description: String { Self.dotted(content[...]) ?? "" }

    /// The dotted form of any content octets, or nil when they are malformed (X.690 8.19.2) or more than 128.
    ///
    /// Arcs may be of any size: those of a UUID under 2.25 have 128 bits.
    package static func dotted(_ content: ArraySlice<UInt8>) -> String? {
        guard let last = content.last, last & 0x80 == 0, content.count <= 128 else { return nil }
        var text = ""
        var arc = Arc()
        var isArcStart = true
        for octet in content {
            if isArcStart, octet == 0x80 { return nil }
            arc.append(octet & 0x7F)
            isArcStart = octet & 0x80 == 0
            guard isArcStart else { continue }
            if text.isEmpty {
                // X.690 8.19.4: the first is 40 * first arc + second arc, and the first arc at most 2.
                let first = min(arc.limbs.count > 1 ? 2 : arc.limbs[0] / 40, 2)
                arc.subtract(40 * first)
                text = String(first)
            }
            text += "." + arc.description
            arc = Arc()
        }
        return text
    }

    /// A number of any size in limbs of nine decimal digits, the lowest first.
    private struct Arc {
        var limbs: [UInt32] = [0]

        /// Seven more bits at the lower end.
        mutating func append(_ bits: UInt8) {
            var carry = UInt64(bits)
            for index in limbs.indices {
                let value = UInt64(limbs[index]) << 7 + carry
                limbs[index] = UInt32(truncatingIfNeeded: value % 1_000_000_000)
                carry = value / 1_000_000_000
            }
            if carry > 0 { limbs.append(UInt32(truncatingIfNeeded: carry)) }
        }

        /// Takes away a number that is no larger.
        mutating func subtract(_ number: UInt32) {
            var number = number
            for index in limbs.indices where number > 0 {
                let isBorrowing = limbs[index] < number
                limbs[index] = limbs[index] + (isBorrowing ? 1_000_000_000 : 0) - number
                number = isBorrowing ? 1 : 0
            }
            if limbs.count > 1, limbs.last == 0 { limbs.removeLast() }
        }

        var description: String {
            limbs.dropLast().reversed().reduce(String(limbs.last ?? 0)) { text, limb in
                let digits = String(limb)
                return text + String(repeating: "0", count: 9 - digits.utf8.count) + digits
            }
        }
    }
}

extension ObjectIdentifier {
    /// An identifier from its dotted form: arcs below 2^64. Nil for any other text.
    package init?(dotted text: some StringProtocol) {
        let arcs = text.split(separator: ".", omittingEmptySubsequences: false).map { UInt64($0) }
        guard arcs.count >= 2, let first = arcs[0], first <= 2, let second = arcs[1], first == 2 || second < 40,
            second <= UInt64.max - 80
        else { return nil }
        var octets: [UInt8] = []
        for arc in [40 * first + second] + arcs.dropFirst(2) {
            guard let arc else { return nil }
            let groups = max(1, (UInt64.bitWidth - arc.leadingZeroBitCount + 6) / 7)
            for group in (0..<groups).reversed() {
                octets.append(UInt8(truncatingIfNeeded: arc >> (7 * group)) & 0x7F | (group > 0 ? 0x80 : 0))
            }
        }
        self.init(content: octets)
    }

    /// An identifier from its content octets. Nil when they are malformed, or too many.
    package init?(content: some Collection<UInt8>) {
        let octets: [UInt8] = [0x06, UInt8(truncatingIfNeeded: content.count)] + content
        var cursor = Cursor(0, octets.count)
        // A caller that wants to know what is wrong reads the element.
        guard content.count <= Self.maximumCount,
            let identifier = try? octets.span.readObjectIdentifier(&cursor, "OBJECT IDENTIFIER")
        else { return nil }
        self = identifier
    }
}

extension Span where Element == UInt8 {
    /// Reads an OBJECT IDENTIFIER (X.690 8.19): every arc complete and without leading zeros.
    @inlinable
    package func readObjectIdentifier(
        _ cursor: inout Cursor, _ field: StaticString
    ) throws(ReceiptDecodingError) -> ObjectIdentifier {
        let content = try read(.objectIdentifier, &cursor, field)
        guard content.count > 0, content.count <= ObjectIdentifier.maximumCount,
            self[content.limit - 1] & 0x80 == 0
        else { throw .fault(.invalidObjectIdentifier, content.position, field) }
        var high: UInt128 = 0
        var low: UInt128 = 0
        var isArcStart = true
        for index in content.range {
            let octet = self[index]
            // X.690 8.19.2: the fewest possible octets.
            guard !(isArcStart && octet == 0x80) else { throw .fault(.invalidObjectIdentifier, index, field) }
            isArcStart = octet & 0x80 == 0
            low = low << 8 | UInt128(octet)
        }
        for index in content.position..<max(content.position, content.limit - 16) {
            high = high << 8 | UInt128(self[index])
        }
        return ObjectIdentifier(high: high, low: low, count: UInt8(content.count))
    }
}
