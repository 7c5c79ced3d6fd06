import AppStoreReceipt
import AppStoreReceiptFoundation
import AppStoreReceiptValidation
import Foundation
import ReceiptForge
import Testing

/// The same things said with other types.
@Suite struct ConvenienceTests {
    @Test(arguments: [
        (0.0, Int64(0)), (1.5, 1_500), (-0.25, -250), (1_458_043_200.123, 1_458_043_200_123), (0.0004, 0),
        (1e300, .max), (-1e300, .min),
    ])
    func dates(seconds: Double, milliseconds: Int64) {
        let date = ReceiptDate(Date(timeIntervalSince1970: seconds))
        #expect(date.millisecondsSince1970 == milliseconds)
        guard abs(seconds) < 1e15 else { return }
        #expect(abs(Date(date).timeIntervalSince1970 - seconds) < 0.001)
    }

    @Test func dataAndBytes() throws {
        let message = try ForgedReceipt().signed()
        let receipt = try SignedReceipt(decoding: message.bytes)
        let text = Array(message.base64.utf8)
        #expect(try SignedReceipt(decoding: Data(message.bytes)).der == receipt.der)
        #expect(try SignedReceipt(transport: text).der == receipt.der)
        #expect(try TransportDecoding(text.span).bytes == message.bytes)
        #expect(throws: ReceiptDecodingError.self) { try SignedReceipt(decoding: Data(message.bytes.dropLast())) }
        let transaction = try ForgedTransactionReceipt().signed(by: ForgedPKI(.sha1()))
        #expect(
            try SignedTransactionReceipt(decoding: Data(transaction.bytes)).payload
                == SignedTransactionReceipt(decoding: transaction.bytes).payload)
        #expect(throws: ReceiptDecodingError.self) { try SignedTransactionReceipt(decoding: Data()) }
    }

    @Test func identifiersAndErrors() throws {
        let text = "01234567-89AB-CDEF-0123-456789ABCDEF"
        #expect(try DeviceIdentifier(#require(UUID(uuidString: text))).bytes == DeviceIdentifier(text)?.bytes)
        let error = #expect(throws: ReceiptDecodingError.self) { try SignedReceipt(transport: "") }
        #expect(error?.localizedDescription == error?.description)
    }

    @Test func formsDescribeThemselves() {
        #expect(
            "\(TransportForm.base64URL)" == "base64url" && "\(TransportContent.cms)" == TransportContent.cms.rawValue)
    }
}
