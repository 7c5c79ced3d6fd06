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
    @usableFromInline package var description: String {
        var arcs: [UInt128] = []
        var arc: UInt128 = 0
        var isLarge = false
        for octet in content {
            if arc >> 121 != 0 { isLarge = true }
            arc = arc << 7 | UInt128(octet & 0x7F)
            guard octet & 0x80 == 0 else { continue }
            if arcs.isEmpty {
                // X.690 8.19.4: the first octet group is 40 * first arc + second arc.
                let first = min(arc / 40, 2)
                arcs = [first, arc - first * 40]
            } else {
                arcs.append(arc)
            }
            arc = 0
        }
        // No identifier in use has an arc above 128 bits; such a one is shown by its octets.
        if isLarge { return "0x" + content.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
        return arcs.map(String.init).joined(separator: ".")
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
