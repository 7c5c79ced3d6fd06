internal import ReceiptASN1

/// What identifies the device in a receipt's hash (attribute 5).
///
/// `SHA-1(device identifier, opaque value (type 4), the octets of the bundle identifier attribute (type 2))`
/// (Apple's receipt validation guide). Only the device can know its identifier; a server takes what the app sends.
public struct DeviceIdentifier: Hashable, Sendable, CustomStringConvertible {
    /// The bytes that go into the hash.
    public let bytes: [UInt8]
    /// As it was given.
    public let description: String

    public init(bytes: [UInt8]) {
        self.bytes = bytes
        description = hex(bytes)
    }

    /// Reads a UUID (`identifierForVendor` on iOS: 16 bytes), a MAC address (macOS: 6 bytes, `:` or `-` between
    /// them), or any even number of hexadecimal digits. Nil for anything else.
    public init?(_ text: String) {
        let utf8 = Array(text.utf8)
        let separators = utf8.indices.filter { utf8[$0] == UInt8(ascii: "-") || utf8[$0] == UInt8(ascii: ":") }
        let isUUID = utf8.count == 36 && separators == [8, 13, 18, 23] && !text.contains(":")
        let isMAC = utf8.count == 17 && separators == [2, 5, 8, 11, 14] && Set(separators.map { utf8[$0] }).count == 1
        guard isUUID || isMAC || separators.isEmpty else { return nil }
        let digits = utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ":") }
        guard !digits.isEmpty, digits.count % 2 == 0, digits.count <= 256 else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = Self.value(digits[index]), let low = Self.value(digits[index + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        self.bytes = bytes
        description = text
    }

    /// The UUID that the bytes are, in lower case; nil if they are not 16.
    var uuidText: String? {
        guard bytes.count == 16 else { return nil }
        var text = ""
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { text += "-" }
            text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return text
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
