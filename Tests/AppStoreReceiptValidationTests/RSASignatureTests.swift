import AppStoreReceiptValidation
import ReceiptForge
import Testing

/// RSASSA-PKCS1-v1_5 to the last bit: whatever differs from the one right encoding is no signature.
@Suite struct RSASignatureTests {
    typealias Digest = AppStoreReceiptValidation.DigestAlgorithm

    /// DigestInfo by the numbers of RFC 8017 section 9.2, note 1, up to the digest.
    static let digests: [(Digest, prefix: [UInt8])] = [
        (.sha1, [0x30, 0x21, 0x30, 9, 6, 5, 0x2B, 14, 3, 2, 0x1A, 5, 0, 4, 20]),
        (.sha256, [0x30, 0x31, 0x30, 13, 6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1, 5, 0, 4, 32]),
        (.sha384, [0x30, 0x41, 0x30, 13, 6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 2, 5, 0, 4, 48]),
    ]

    static func key(_ forged: ForgedKey) throws -> (modulus: [UInt8], key: RSAPublicKey) {
        let numbers = try #require(try forged.rsaPublicNumbers())
        let key = try Libcrypto.shared().publicKey(modulus: numbers.modulus.span, exponent: numbers.exponent.span)
        return (numbers.modulus, key)
    }

    static func block(_ prefix: [UInt8], _ digest: [UInt8], _ count: Int) -> [UInt8] {
        let filler = [UInt8](repeating: 0xFF, count: count - prefix.count - digest.count - 3)
        return [0, 1] + filler + [0] + prefix + digest
    }

    @Test(arguments: digests.indices)
    func everyBitOfTheEncodedMessageCounts(index: Int) throws {
        let (algorithm, prefix) = Self.digests[index]
        let (modulus, key) = try Self.key(TestKeys.rsa2048(2))
        let digest = (0..<algorithm.byteCount).map { UInt8(truncatingIfNeeded: $0 * 7 + 3) }
        let block = Self.block(prefix, digest, modulus.count)
        let signature = try TestKeys.rsa2048(2).sign(block: block)
        #expect(try key.isSignature(signature.span, of: digest, algorithm))
        for place in block.indices {
            var flawed = block
            // The highest bit of the first octet would put the block above the modulus.
            flawed[place] ^= 1 << (place % 7)
            let signature = try TestKeys.rsa2048(2).sign(block: flawed)
            if try key.isSignature(signature.span, of: digest, algorithm) { Issue.record("octet \(place)") }
        }
        // The same digest under the names of the others, and other digests under the same name.
        for (other, _) in Self.digests where other != algorithm {
            #expect(try !key.isSignature(signature.span, of: digest, other))
        }
        for bit in [0, algorithm.byteCount * 8 - 1] {
            var other = digest
            other[bit / 8] ^= 0x80 >> (bit % 8)
            #expect(try !key.isSignature(signature.span, of: other, algorithm))
        }
        #expect(try !key.isSignature(signature.span, of: digest.dropLast(), algorithm))
        #expect(try !key.isSignature(signature.span, of: digest + [0], algorithm))
    }

    /// RFC 8017 section 8.2.2 step 1: as long as the modulus, also where the number needs fewer octets.
    @Test func exactlyAsLongAsTheModulus() throws {
        let (algorithm, prefix) = Self.digests[1]
        let (modulus, key) = try Self.key(TestKeys.rsa2048(2))
        for number in 0..<5_000 {
            let digest = [UInt8](repeating: 0, count: 28) + withUnsafeBytes(of: UInt32(number).bigEndian, Array.init)
            let signature = try TestKeys.rsa2048(2).sign(block: Self.block(prefix, digest, modulus.count))
            guard signature[0] == 0 else { continue }
            #expect(try key.isSignature(signature.span, of: digest, algorithm))
            #expect(try !key.isSignature(Array(signature.dropFirst()).span, of: digest, algorithm))
            #expect(try !key.isSignature(([0] + signature).span, of: digest, algorithm))
            #expect(try !key.isSignature((signature + [0]).span, of: digest, algorithm))
            // The same number modulo the modulus, in as many octets.
            var sum = signature
            var carry = 0
            for place in sum.indices.reversed() {
                carry += Int(sum[place]) + Int(modulus[place])
                sum[place] = UInt8(carry & 0xFF)
                carry >>= 8
            }
            #expect(carry == 0)
            #expect(try !key.isSignature(sum.span, of: digest, algorithm))
            return
        }
        Issue.record("no signature begins with 00")
    }

    /// What is not below the modulus is no signature, and no failure of libcrypto's.
    @Test func aboveTheModulus() throws {
        let (modulus, key) = try Self.key(TestKeys.rsa2048(2))
        let digest = [UInt8](repeating: 1, count: 32)
        var next = modulus
        next[next.count - 1] &+= 1
        var below = modulus
        below[below.count - 1] &-= 1
        for number in [modulus, next, below, [UInt8](repeating: 0xFF, count: 256), [UInt8](repeating: 0, count: 256)] {
            #expect(try !key.isSignature(number.span, of: digest, .sha256))
        }
    }
}
