#if canImport(FoundationEssentials)
    public import FoundationEssentials
#elseif canImport(Foundation)
    public import Foundation
#endif

#if canImport(FoundationEssentials) || canImport(Foundation)
    extension Date {
        /// The instant that a receipt names.
        public init(_ date: ReceiptDate) {
            self.init(timeIntervalSince1970: Double(date.millisecondsSince1970) / 1_000)
        }
    }

    extension ReceiptDate {
        /// An instant, rounded to milliseconds; dates beyond the range of 64 bits become its ends.
        public init(_ date: Date) {
            let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
            self.init(
                millisecondsSince1970: Int64(exactly: milliseconds) ?? (milliseconds > 0 ? .max : .min))
        }
    }

    extension SignedReceipt {
        /// Decodes a receipt from the bytes of its PKCS#7 container; see ``init(decoding:limits:)-([UInt8],_)``.
        public init(decoding data: Data, limits: DecodingLimits = .default) throws(ReceiptDecodingError) {
            try self.init(decoding: [UInt8](data), limits: limits)
        }
    }

    extension SignedTransactionReceipt {
        /// Decodes the text of a transaction receipt, as `SKPaymentTransaction.transactionReceipt` holds it; see
        /// ``init(decoding:)-([UInt8])``.
        public init(decoding data: Data) throws(ReceiptDecodingError) {
            try self.init(decoding: [UInt8](data))
        }
    }
#endif
