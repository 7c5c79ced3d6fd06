import ReceiptASN1
import Testing

@testable import AppStoreReceipt

/// Usual encodings of attributes and dates are read as a whole. What is read in that way must be what the general
/// reader reads.
@Suite struct UsualEncodingTests {
    /// `SEQUENCE { 1702, 1, OCTET STRING "abcde" }`, the same with a type of one octet, and short values.
    static let encodings: [[UInt8]] = [
        [0x30, 0x0E, 0x02, 0x02, 0x06, 0xA6, 0x02, 0x01, 0x01, 0x04, 0x05, 0x61, 0x62, 0x63, 0x64, 0x65],
        [0x30, 0x0D, 0x02, 0x01, 0x02, 0x02, 0x01, 0x01, 0x04, 0x05, 0x61, 0x62, 0x63, 0x64, 0x65],
        [0x30, 0x09, 0x02, 0x02, 0x00, 0x80, 0x02, 0x01, 0x7F, 0x04, 0x00],
        [0x30, 0x09, 0x02, 0x01, 0x00, 0x02, 0x01, 0x00, 0x04, 0x01, 0xFF],
        [0x30, 0x08, 0x02, 0x01, 0x7F, 0x02, 0x01, 0x00, 0x04, 0x00],
    ]

    /// What a reader makes of a region: the numbers, where the value is, and where the next attribute begins; or the error.
    private func reading(
        _ bytes: [UInt8], limit: Int,
        _ read: (Span<UInt8>, inout Cursor) throws(ReceiptDecodingError) -> AttributeRecord
    ) -> Result<[Int], ReceiptDecodingError> {
        var cursor = Cursor(0, limit)
        do throws(ReceiptDecodingError) {
            let record = try read(bytes.span, &cursor)
            return .success([record.type, record.version, record.value.position, record.value.limit, cursor.position])
        } catch {
            return .failure(error)
        }
    }

    /// Every value of each octet before the value, at several ends of the region, with more bytes behind it.
    @Test(arguments: encodings)
    func attributesAreReadAsTheGeneralReaderDoes(encoding: [UInt8]) {
        for offset in 0..<min(11, encoding.count) {
            for octet in UInt8.min...UInt8.max {
                var bytes = encoding + [0x02, 0x01, 0x00, 0x30, 0x00]
                bytes[offset] = octet
                for limit in [encoding.count - 1, encoding.count, encoding.count + 1, bytes.count] {
                    let general = reading(bytes, limit: limit) { span, cursor throws(ReceiptDecodingError) in
                        try span.readAttribute(&cursor)
                    }
                    let receipt = reading(bytes, limit: limit) { span, cursor throws(ReceiptDecodingError) in
                        try span.readReceiptAttribute(&cursor)
                    }
                    let purchase = reading(bytes, limit: limit) { span, cursor throws(ReceiptDecodingError) in
                        try span.readPurchaseAttribute(&cursor)
                    }
                    #expect(receipt == general, "octet \(octet) at \(offset), limit \(limit)")
                    #expect(purchase == general, "octet \(octet) at \(offset), limit \(limit)")
                }
            }
        }
    }

    /// An attribute that ends where the buffer ends.
    @Test(arguments: encodings)
    func nothingBehindTheBufferIsRead(encoding: [UInt8]) {
        for count in 0...encoding.count {
            let bytes = Array(encoding[..<count])
            let general = reading(bytes, limit: count) { span, cursor throws(ReceiptDecodingError) in
                try span.readAttribute(&cursor)
            }
            let receipt = reading(bytes, limit: count) { span, cursor throws(ReceiptDecodingError) in
                try span.readReceiptAttribute(&cursor)
            }
            let purchase = reading(bytes, limit: count) { span, cursor throws(ReceiptDecodingError) in
                try span.readPurchaseAttribute(&cursor)
            }
            #expect(receipt == general)
            #expect(purchase == general)
        }
    }

    /// `Z` is the usual end of a date; `+00:00` says the same and is read by the general reader.
    @Test(arguments: ["2013-08-01T07:00:00Z", "2024-02-29T23:59:59Z", "4001-01-01T00:00:00Z"])
    func datesAreReadAsTheGeneralReaderDoes(text: String) {
        for offset in 0..<19 {
            for octet in UInt8.min...UInt8.max {
                var bytes = Array(text.utf8)
                bytes[offset] = octet
                let general = Array(bytes.dropLast()) + Array("+00:00".utf8)
                let expected = ReceiptDate(general.span, 0..<general.count)
                #expect(ReceiptDate(bytes.span, 0..<bytes.count) == expected, "octet \(octet) at \(offset)")
            }
        }
    }
}
