import ReceiptASN1
import Testing

/// What a reader makes of some bytes: its value as text, or `code@offset`. All bytes must be read.
func outcome<Value>(
    _ bytes: [UInt8], limit: Int? = nil,
    _ read: (Span<UInt8>, inout Cursor) throws(ReceiptDecodingError) -> Value
) -> String {
    var cursor = Cursor(0, limit ?? bytes.count)
    do throws(ReceiptDecodingError) {
        let value = try read(bytes.span, &cursor)
        try bytes.span.end(cursor, "test")
        return "\(value)"
    } catch {
        return "\(error.code)@\(error.offset)"
    }
}

/// One row of a table: some bytes, and the value or `code@offset` that must come of them.
struct Row: CustomTestStringConvertible, Sendable {
    let name: String
    let bytes: [UInt8]
    let expected: String

    var testDescription: String { name }

    init(_ name: String, _ bytes: [UInt8], _ expected: String) {
        self.name = name
        self.bytes = bytes
        self.expected = expected
    }
}
