import AppStoreReceiptValidation
import ReceiptForge
import ReceiptPKIX
import TestSupport
import Testing

/// ECDSA over P-256 and P-384, held to the published vectors of RFC 6979 appendix A.2.5 and A.2.6 ("sample").
@Suite struct EllipticCurveTests {
    struct Vector: Sendable {
        let curve: NamedCurve
        let digest: ReceiptForge.DigestAlgorithm
        let x: [UInt8]
        let y: [UInt8]
        let r: [UInt8]
        let s: [UInt8]

        var point: [UInt8] { [0x04] + x + y }
        var hash: [UInt8] { get throws { try digest.digest(Array("sample".utf8)) } }
    }

    static let vectors: [Vector] = [
        Vector(
            curve: .p256, digest: .sha256,
            x: hex("60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6"),
            y: hex("7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299"),
            r: hex("EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716"),
            s: hex("F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8")),
        Vector(
            curve: .p384, digest: .sha384,
            x: hex("EC3A4E415B4E19A4568618029F427FA5DA9A8BC4AE92E02E06AAE5286B300C64DEF8F0EA9055866064A254515480BC13"),
            y: hex("8015D9B72D7D57244EA8EF9AC0C621896708A59367F9DFB9F54CA84B3F1C9DB1288B231C3AE0D4FE7344FD2533264720"),
            r: hex("94EDBB92A5ECB8AAD4736E56C691916B3F88140666CE9FA73D64C4EA95AD133C81A648152E44ACF96E36DD1E80FABE46"),
            s: hex("99EF4AEB15F178CEA1FE40DB2603138F130E740A19624526203B6351D0A3A94FA329C145786E679E7B82C71A38628AC8")),
        // The same curve with a longer digest than its order: the leftmost bits count.
        Vector(
            curve: .p256, digest: .sha384,
            x: hex("60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6"),
            y: hex("7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299"),
            r: hex("0EAFEA039B20E9B42309FB1D89E213057CBF973DC0CFC8F129EDDDC800EF7719"),
            s: hex("4861F0491E6998B9455193E34E7B0D284DDD7149A74B95B9261F13ABDE940954")),
    ]

    @Test(arguments: vectors.indices)
    func publishedSignaturesHold(index: Int) throws {
        let vector = Self.vectors[index]
        let libcrypto = try Libcrypto.shared()
        let key = try #require(try libcrypto.publicKey(point: vector.point.span, on: vector.curve))
        let digest = try vector.hash
        let octets = vector.r + vector.s
        let signature = try ECDSASignature(concatenated: octets.span, vector.curve)
        #expect(try key.isSignature(signature, of: digest))
        let encoded = signature.encoded
        #expect(try ECDSASignature(der: encoded.span, vector.curve) == signature)
        // Every signature has a twin, r and n - s.
        let twin = vector.r + Self.difference(vector.curve.order, vector.s)
        #expect(try key.isSignature(ECDSASignature(concatenated: twin.span, vector.curve), of: digest))
        // Any bit of signature or digest makes it another.
        for bit in stride(from: 0, to: octets.count * 8, by: 7) {
            var octets = octets
            octets[bit / 8] ^= 1 << UInt8(bit % 8)
            guard let other = try? ECDSASignature(concatenated: octets.span, vector.curve) else { continue }
            #expect(try !key.isSignature(other, of: digest), "bit \(bit)")
        }
        for byte in 0..<vector.curve.byteCount {
            var digest = digest
            digest[byte] ^= 0x10
            #expect(try !key.isSignature(signature, of: digest), "byte \(byte) of the digest")
        }
    }

    @Test(arguments: vectors.indices)
    func onlyUncompressedPointsOnTheCurveAreKeys(index: Int) throws {
        let vector = Self.vectors[index]
        let libcrypto = try Libcrypto.shared()
        let (x, y, count) = (vector.x, vector.y, vector.curve.byteCount)
        var beside = y
        beside[count - 1] ^= 1
        let other: NamedCurve = vector.curve == .p256 ? .p384 : .p256
        let points: [(String, [UInt8])] = [
            ("compressed", [0x02 + (y[count - 1] & 1)] + x),
            ("hybrid", [0x06 + (y[count - 1] & 1)] + x + y),
            ("uncompressed under another octet", [0x00] + x + y),
            ("infinity", [0x00]),
            ("nothing", []),
            ("beside the curve", [0x04] + x + beside),
            ("swapped", [0x04] + y + x),
            ("zero", [0x04] + [UInt8](repeating: 0, count: 2 * count)),
            ("above the field", [0x04] + [UInt8](repeating: 0xFF, count: count) + y),
            ("one octet too many", [0x04] + x + y + [0]),
            ("one octet too few", [0x04] + x + y.dropLast()),
        ]
        for (name, point) in points {
            #expect(try libcrypto.publicKey(point: point.span, on: vector.curve) == nil, "\(name)")
        }
        #expect(try libcrypto.publicKey(point: vector.point.span, on: other) == nil)
    }

    @Test(arguments: vectors.indices)
    func numbersOutOfRangeAreNoSignature(index: Int) throws {
        let vector = Self.vectors[index]
        let (curve, r, s) = (vector.curve, vector.r, vector.s)
        let zero = [UInt8](repeating: 0, count: curve.byteCount)
        let above = [UInt8](repeating: 0xFF, count: curve.byteCount)
        let good = r + s
        let structure = try ECDSASignature(concatenated: good.span, curve).encoded
        let last = Self.difference(curve.order, Array(zero.dropLast()) + [1])
        let rows: [(String, [UInt8], String)] = [
            ("r zero", zero + s, "r of the signature is zero"),
            ("s zero", r + zero, "s of the signature is zero"),
            ("r the order", curve.order + s, "r of the signature is not below the curve's order"),
            ("s the order", r + curve.order, "s of the signature is not below the curve's order"),
            ("r above", above + s, "r of the signature is not below the curve's order"),
            ("s above", r + above, "s of the signature is not below the curve's order"),
            ("short", Array((r + s).dropLast()), "the signature has \(2 * curve.byteCount - 1) octets"),
            ("long", r + s + [0], "the signature has \(2 * curve.byteCount + 1) octets"),
            ("empty", [], "the signature has 0 octets"),
            ("DER", structure, "the signature is an ASN.1 structure"),
        ]
        for (name, octets, problem) in rows {
            let found = #expect(throws: ECDSASignature.Problem.self, "\(name)") {
                try ECDSASignature(concatenated: octets.span, curve)
            }
            #expect(found?.description.hasPrefix(problem) == true, "\(name): \(found.map { "\($0)" } ?? "")")
        }
        // One below the order is the last that may be.
        #expect(throws: Never.self) {
            let octets = last + last
            _ = try ECDSASignature(concatenated: octets.span, curve)
        }
    }

    @Test(arguments: vectors.indices)
    func signaturesInCertificatesAreStrictDER(index: Int) throws {
        let vector = Self.vectors[index]
        let (curve, r, s) = (vector.curve, vector.r, vector.s)
        func sequence(_ nodes: BERNode...) -> [UInt8] { BERNode.sequence(nodes).encoded }
        func number(_ content: [UInt8]) -> BERNode { .integer(octets: content) }
        let (goodR, goodS) = (BERNode.integer(magnitude: r), BERNode.integer(magnitude: s))
        let rows: [(String, [UInt8])] = [
            ("trailing octet", sequence(goodR, goodS) + [0]),
            ("third number", sequence(goodR, goodS, goodS)),
            ("one number", sequence(goodR)),
            ("negative", sequence(goodR, number([0x80] + s.dropFirst()))),
            ("two leading zeros", sequence(goodR, number([0, 0] + s))),
            ("no octets", sequence(goodR, number([]))),
            ("zero", sequence(goodR, number([0]))),
            ("the order", sequence(goodR, .integer(magnitude: curve.order))),
            ("an octet longer than the order", sequence(goodR, number([0x01] + s))),
            ("indefinite length", [0x30, 0x80] + goodR.encoded + goodS.encoded + [0, 0]),
            ("numbers alone", r + s),
            ("empty", []),
        ]
        for (name, octets) in rows {
            #expect(throws: ECDSASignature.Problem.self, "\(name)") { try ECDSASignature(der: octets.span, curve) }
        }
    }

    private static func difference(_ a: [UInt8], _ b: [UInt8]) -> [UInt8] {
        var borrow = 0
        var result = a
        for index in a.indices.reversed() {
            let digit = Int(a[index]) - Int(b[index]) - borrow
            borrow = digit < 0 ? 1 : 0
            result[index] = UInt8(truncatingIfNeeded: digit)
        }
        return result
    }
}
