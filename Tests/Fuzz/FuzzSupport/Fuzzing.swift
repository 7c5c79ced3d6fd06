/// What every fuzz target needs: its input, a way to report a finding, and seeds.

/// The input of one execution.
package func fuzzInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8] {
    // libFuzzer passes `count` readable bytes.
    unsafe [UInt8](UnsafeBufferPointer(start: bytes, count: count))
}

/// Reports a finding: libFuzzer takes the trap for a crash and keeps the input.
package func finding(_ message: @autoclosure () -> String) -> Never { fatalError(message()) }

/// A property of the code under test.
@inline(__always)
package func expect(_ condition: Bool, _ message: @autoclosure () -> String) {
    if !condition { finding(message()) }
}

/// Keeps a value from being optimised away.
@inline(never)
package func use<Value>(_ value: Value) {}

/// A small seeded generator (SplitMix64).
package struct FuzzRandom: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    /// A number from 0 up to, not including, `bound`, which is positive.
    package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(bound, 1))) }
}

/// Canonical base64 (RFC 4648 section 4), written without a look at the decoder's tables.
package func canonicalBase64(_ bytes: [UInt8]) -> [UInt8] {
    var text = [UInt8](repeating: UInt8(ascii: "="), count: (bytes.count + 2) / 3 * 4)
    var position = 0
    var bits: UInt32 = 0
    var count = 0
    for byte in bytes {
        bits = bits << 8 | UInt32(byte)
        count += 8
        while count >= 6 {
            count -= 6
            text[position] = alphabet[Int(bits >> UInt32(count) & 63)]
            position += 1
        }
    }
    if count > 0 { text[position] = alphabet[Int(bits << UInt32(6 - count) & 63)] }
    return text
}

private let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
