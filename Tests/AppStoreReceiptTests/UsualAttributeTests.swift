import ReceiptASN1
import Testing

@testable import AppStoreReceipt

/// The reader knows the usual encodings of an attribute by sight. What it takes in that way it must read as the general
/// reader does.
@Suite struct UsualAttributeTests {
    /// `SEQUENCE { 1702, 1, OCTET STRING "abcde" }`, and the same with types of one octet, and with no value.
    static let encodings: [[UInt8]] = [
        [0x30, 0x0E, 0x02, 0x02, 0x06, 0xA6, 0x02, 0x01, 0x01, 0x04, 0x05, 0x61, 0x62, 0x63, 0x64, 0x65],
        [0x30, 0x0D, 0x02, 0x01, 0x02, 0x02, 0x01, 0x01, 0x04, 0x05, 0x61, 0x62, 0x63, 0x64, 0x65],
        [0x30, 0x09, 0x02, 0x02, 0x00, 0x80, 0x02, 0x01, 0x7F, 0x04, 0x00],
        [0x30, 0x09, 0x02, 0x01, 0x00, 0x02, 0x01, 0x00, 0x04, 0x01, 0xFF],
    ]

    /// What a reader makes of a region: the numbers, where the value is, and where the next attribute begins.
    private func reading(
        _ bytes: [UInt8], limit: Int, _ read: (Span<UInt8>, inout Cursor) throws -> AttributeRecord?
    ) -> [Int]? {
        var cursor = Cursor(0, limit)
        guard let record = try? read(bytes.span, &cursor) else { return nil }
        return [record.type, record.version, record.value.position, record.value.limit, cursor.position]
    }

    @Test(arguments: encodings)
    func theUsualEncodingIsKnownBySight(encoding: [UInt8]) {
        let usual = reading(encoding, limit: encoding.count) { $0.readUsualAttribute(&$1) }
        #expect(usual != nil)
        #expect(usual == reading(encoding, limit: encoding.count) { try $0.readAnyAttribute(&$1) })
    }

    /// Every value of each octet before the value, at every end of the region, with more bytes behind it.
    @Test(arguments: encodings)
    func nothingIsReadThatTheGeneralReaderWouldReadOtherwise(encoding: [UInt8]) {
        for offset in 0..<min(11, encoding.count) {
            for octet in UInt8.min...UInt8.max {
                var bytes = encoding + [0x02, 0x01, 0x00, 0x30, 0x00]
                bytes[offset] = octet
                for limit in [encoding.count - 1, encoding.count, encoding.count + 1, bytes.count] {
                    guard let usual = reading(bytes, limit: limit, { $0.readUsualAttribute(&$1) }) else { continue }
                    let general = reading(bytes, limit: limit) { try $0.readAnyAttribute(&$1) }
                    #expect(usual == general, "octet \(octet) at \(offset), limit \(limit)")
                }
            }
        }
    }
}
