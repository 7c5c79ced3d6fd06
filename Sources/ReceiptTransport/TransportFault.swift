/// Why some input gives no bytes of a receipt: what is wrong, and where. Users see it as `ReceiptDecodingError`.
package struct TransportFault: Error, Hashable, Sendable {
    package var code: Code
    /// Byte offset into the input.
    package var offset: Int
    /// What was being read: `input`, `base64`, `hex`.
    package var field: String
    package var detail: String?
    /// What the input most likely is and what to do about it, where more is known than the code says.
    package var diagnosis: Diagnosis?
    /// The bytes that could be made out in spite of the fault. Only to show what is in them.
    package var remains: [UInt8] = []
    /// Where in other text the fault is, if it is inside some.
    package var found: FoundPlace?

    package init(_ code: Code, at offset: Int, in field: String, detail: String? = nil) {
        self.code = code
        self.offset = offset
        self.field = field
        self.detail = detail
    }

    /// The kind of fault. The raw values are those of `ReceiptDecodingError.Code`, which says what each means.
    package enum Code: String, CaseIterable, Sendable {
        case truncated
        case trailingBytes = "trailing-bytes"
        case inputTooLong = "input-too-long"
        case empty
        case invalidCharacter = "invalid-character"
        case missingPadding = "missing-padding"
        case misplacedPadding = "misplaced-padding"
        case nonZeroTrailingBits = "non-zero-trailing-bits"
        case encodedTooOften = "encoded-too-often"
        case jws
        case jwsSegments = "jws-segments"
        case verifyReceiptRequest = "verify-receipt-request"
        case verifyReceiptResponse = "verify-receipt-response"
        case json
        case html
        case xmlPropertyList = "xml-property-list"
        case xml
        case binaryPropertyList = "binary-property-list"
        case propertyList = "property-list"
        case identifier
        case dataDescription = "data-description"
        case plainText = "plain-text"
        case compressed
        case foreignBinary = "foreign-binary"
        case mangledBinary = "mangled-binary"
        case unknownContent = "unknown-content"
    }

    func mappingOffset(_ transform: (Int) -> Int) -> TransportFault {
        var fault = self
        fault.offset = transform(offset)
        fault.found = found?.moved(transform)
        return fault
    }
}
