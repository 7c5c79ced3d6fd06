package import ReceiptASN1

/// `AlgorithmIdentifier ::= SEQUENCE { algorithm OBJECT IDENTIFIER, parameters ANY OPTIONAL }` (RFC 5280 4.1.1.2).
package struct AlgorithmIdentifier: Hashable, Sendable {
    package enum Parameters: Hashable, Sendable { case absent, null, other }

    package let algorithm: ObjectIdentifier
    package let parameters: Parameters
    /// The whole element, for comparing two of them byte by byte.
    package let range: Range<Int>
}

extension Span where Element == UInt8 {
    package func readAlgorithmIdentifier(
        _ cursor: inout Cursor, _ field: StaticString
    ) throws(ReceiptDecodingError) -> AlgorithmIdentifier {
        let start = cursor.position
        var content = try read(.sequence, &cursor, field)
        let algorithm = try readObjectIdentifier(&content, field)
        var parameters = AlgorithmIdentifier.Parameters.absent
        if !content.isAtEnd {
            let element = try readElement(&content, field)
            try checkAny(element, field)
            parameters = element.tag == .null && element.content.isAtEnd ? .null : .other
        }
        try end(content, field)
        return AlgorithmIdentifier(algorithm: algorithm, parameters: parameters, range: start..<cursor.position)
    }
}
