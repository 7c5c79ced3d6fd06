package import ReceiptASN1

/// An ECDSA signature (FIPS 186-5 section 6.4) of which both numbers are above zero and below the curve's order.
///
/// It is read here and handed to libcrypto re-encoded, so that libcrypto never parses what an attacker wrote. Of one
/// signature (r, s) there is always a second, (r, n - s), that holds as well: a signature identifies nothing.
package struct ECDSASignature: Hashable, Sendable {
    package let curve: NamedCurve
    /// Big-endian, each as long as the curve's order.
    package let r: [UInt8]
    package let s: [UInt8]

    /// Why octets are no signature.
    package enum Problem: Error, Hashable, Sendable, CustomStringConvertible {
        /// Not the DER of an ECDSA-Sig-Value.
        case malformed(ReceiptDecodingError)
        /// Not the octets of both numbers one after the other.
        case wrongLength(Int, expected: Int)
        /// A DER structure, as certificates have it, where RFC 7518 wants the two numbers alone.
        case structureInsteadOfNumbers
        case zero(StaticString)
        case notBelowOrder(StaticString)

        package var description: String {
            switch self {
            case .malformed(let error): "the signature is no ECDSA-Sig-Value: \(error)"
            case .wrongLength(let count, let expected):
                "the signature has \(count) octets; r and s of the curve have \(expected)"
            case .structureInsteadOfNumbers:
                "the signature is an ASN.1 structure; a JWS has the octets of r and s alone (RFC 7518 section 3.4)"
            case .zero(let number): "\(number) of the signature is zero"
            case .notBelowOrder(let number): "\(number) of the signature is not below the curve's order"
            }
        }

        package static func == (lhs: Problem, rhs: Problem) -> Bool { lhs.description == rhs.description }
        package func hash(into hasher: inout Hasher) { hasher.combine(description) }
    }

    /// Takes `r ‖ s`, each as long as the order (RFC 7518 section 3.4).
    package init(concatenated octets: Span<UInt8>, _ curve: NamedCurve) throws(Problem) {
        let count = curve.byteCount
        guard octets.count == 2 * count else {
            throw Self.isStructure(octets, curve)
                ? .structureInsteadOfNumbers : .wrongLength(octets.count, expected: 2 * count)
        }
        try self.init(
            r: Self.copy(octets.extracting(0..<count)), s: Self.copy(octets.extracting(count..<2 * count)), curve)
    }

    /// Takes the DER of `ECDSA-Sig-Value ::= SEQUENCE { r INTEGER, s INTEGER }` (RFC 5480 appendix A).
    package init(der octets: Span<UInt8>, _ curve: NamedCurve) throws(Problem) {
        let numbers: (r: Cursor, s: Cursor)
        do throws(ReceiptDecodingError) {
            var outer = Cursor(0, octets.count)
            var sequence = try octets.read(.sequence, &outer, "ECDSA-Sig-Value")
            try octets.end(outer, "ECDSA-Sig-Value")
            let r = try octets.readUnsignedIntegerContent(&sequence, "ECDSA-Sig-Value.r")
            let s = try octets.readUnsignedIntegerContent(&sequence, "ECDSA-Sig-Value.s")
            try octets.end(sequence, "ECDSA-Sig-Value")
            numbers = (r, s)
        } catch {
            throw .malformed(error)
        }
        try self.init(
            r: Self.padded(octets.extracting(numbers.r.range), "r", curve),
            s: Self.padded(octets.extracting(numbers.s.range), "s", curve), curve)
    }

    private init(r: [UInt8], s: [UInt8], _ curve: NamedCurve) throws(Problem) {
        let order = curve.order
        for (number, name) in [(r, "r" as StaticString), (s, "s")] {
            guard number.contains(where: { $0 != 0 }) else { throw .zero(name) }
            guard number.lexicographicallyPrecedes(order) else { throw .notBelowOrder(name) }
        }
        self.curve = curve
        self.r = r
        self.s = s
    }

    /// The DER of ECDSA-Sig-Value, at most 104 octets.
    package var encoded: [UInt8] {
        let content = Self.integer(r) + Self.integer(s)
        return [Tag.sequence.identifier, UInt8(truncatingIfNeeded: content.count)] + content
    }

    private static func integer(_ number: [UInt8]) -> [UInt8] {
        var content = Array(number.drop { $0 == 0 })
        // A first bit of one would say that the number is negative.
        if content.first.map({ $0 >= 0x80 }) ?? true { content.insert(0, at: 0) }
        return [Tag.integer.identifier, UInt8(truncatingIfNeeded: content.count)] + content
    }

    private static func padded(
        _ magnitude: Span<UInt8>, _ name: StaticString, _ curve: NamedCurve
    ) throws(Problem) -> [UInt8] {
        // More octets than the order has, without leading zeros, are more than the order.
        guard magnitude.count <= curve.byteCount else { throw .notBelowOrder(name) }
        return [UInt8](repeating: 0, count: curve.byteCount - magnitude.count) + copy(magnitude)
    }

    private static func isStructure(_ octets: Span<UInt8>, _ curve: NamedCurve) -> Bool {
        do throws(Problem) {
            _ = try ECDSASignature(der: octets, curve)
            return true
        } catch {
            return false
        }
    }

    private static func copy(_ octets: Span<UInt8>) -> [UInt8] {
        var copy: [UInt8] = []
        copy.reserveCapacity(octets.count)
        for index in octets.indices { copy.append(octets[index]) }
        return copy
    }
}
