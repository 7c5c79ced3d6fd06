public import AppStoreReceipt
public import AppStoreReceiptValidation

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Date {
    /// The instant that a receipt names.
    public init(_ date: ReceiptDate) {
        self.init(timeIntervalSince1970: Double(date.millisecondsSince1970) / 1_000)
    }
}

extension ReceiptDate {
    /// An instant, rounded to milliseconds; dates beyond the range of 64 bits become its ends.
    ///
    /// The library reads no clock: pass `ReceiptDate(Date.now)` where it asks for the current date.
    public init(_ date: Date) {
        let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
        self.init(millisecondsSince1970: Int64(exactly: milliseconds) ?? (milliseconds > 0 ? .max : .min))
    }
}

extension SignedReceipt {
    /// Decodes a receipt from the bytes of its PKCS#7 container, such as the file at `Bundle.appStoreReceiptURL`.
    ///
    /// - Throws: ``ReceiptDecodingError``, as the same initialiser from an array does.
    public init(decoding data: Data, limits: DecodingLimits = .default) throws(ReceiptDecodingError) {
        try self.init(decoding: [UInt8](data), limits: limits)
    }
}

extension SignedTransactionReceipt {
    /// Decodes the text of a transaction receipt, as `SKPaymentTransaction.transactionReceipt` holds it.
    ///
    /// - Throws: ``ReceiptDecodingError``, as the same initialiser from an array does.
    public init(decoding data: Data) throws(ReceiptDecodingError) { try self.init(decoding: [UInt8](data)) }
}

extension DeviceIdentifier {
    /// `UIDevice.identifierForVendor` as the app sent it: its sixteen bytes go into a receipt's hash.
    public init(_ uuid: UUID) {
        let u = uuid.uuid
        self.init(bytes: [
            u.0, u.1, u.2, u.3, u.4, u.5, u.6, u.7, u.8, u.9, u.10, u.11, u.12, u.13, u.14, u.15,
        ])
    }
}

extension ReceiptDecodingError: LocalizedError {
    /// Code, field, offset and detail in one line, in English: for logs and operators.
    public var errorDescription: String? { description }
}

extension LibcryptoError: LocalizedError {
    /// The function that failed and what libcrypto said, in English: for logs and operators.
    public var errorDescription: String? { description }
}
