package import ReceiptASN1

/// Certificate extensions (RFC 5280 section 4.2): the list, and the values that validation reads.
extension Span where Element == UInt8 {
    /// `extensions [3] EXPLICIT SEQUENCE SIZE (1..MAX) OF Extension`.
    func readExtensions(
        _ cursor: inout Cursor, _ limits: DecodingLimits
    ) throws(ReceiptDecodingError) -> [Certificate.Extension] {
        let field: StaticString = "Certificate.extensions"
        var explicit = try read(.context(3, constructed: true), &cursor, field)
        var sequence = try read(.sequence, &explicit, field)
        try end(explicit, field)
        var extensions: [Certificate.Extension] = []
        while !sequence.isAtEnd {
            let start = sequence.position
            guard extensions.count < limits.extensions else { throw .fault(.tooManyExtensions, start, field) }
            var content = try read(.sequence, &sequence, field)
            let identifier = try readObjectIdentifier(&content, field)
            var isCritical = false
            if isNext(.boolean, content) {
                isCritical = try readBoolean(&content, field)
                guard isCritical else { throw .fault(.encodedDefault, start, field) }
            }
            let value = try read(.octetString, &content, field)
            try end(content, field)
            // The list is short by its limit, so comparing with all before costs little.
            guard !extensions.contains(where: { $0.identifier == identifier }) else {
                throw .fault(.duplicateExtension, start, field, detail: "\(identifier)")
            }
            extensions.append(
                Certificate.Extension(identifier: identifier, isCritical: isCritical, value: value.range))
        }
        return extensions
    }

    /// `BasicConstraints ::= SEQUENCE { cA BOOLEAN DEFAULT FALSE, pathLenConstraint INTEGER OPTIONAL }` (4.2.1.9).
    package func readBasicConstraints(
        _ range: Range<Int>
    ) throws(ReceiptDecodingError) -> (isCA: Bool, pathLength: Int64?) {
        let field: StaticString = "BasicConstraints"
        var outer = Cursor(range)
        var content = try read(.sequence, &outer, field)
        try end(outer, field)
        var isCA = false
        if isNext(.boolean, content) {
            isCA = try readBoolean(&content, field)
            guard isCA else { throw .fault(.encodedDefault, content.position, field) }
        }
        var pathLength: Int64?
        if !content.isAtEnd {
            let offset = content.position
            let length = try readInteger(&content, field)
            guard length >= 0 else { throw .fault(.invalidExtension, offset, field) }
            pathLength = length
        }
        try end(content, field)
        return (isCA, pathLength)
    }

    /// `KeyUsage ::= BIT STRING` (4.2.1.3) as a set of bits; bit 0 (digitalSignature) is the lowest here.
    package func readKeyUsage(_ range: Range<Int>) throws(ReceiptDecodingError) -> KeyUsage {
        var outer = Cursor(range)
        let (octets, _) = try readBitString(&outer, "KeyUsage")
        try end(outer, "KeyUsage")
        var usage: UInt16 = 0
        for (index, position) in octets.range.prefix(2).enumerated() {
            for bit in 0..<8 where self[position] & (0x80 >> bit) != 0 { usage |= 1 << (index * 8 + bit) }
        }
        return KeyUsage(rawValue: usage)
    }

    /// `ExtKeyUsageSyntax ::= SEQUENCE SIZE (1..MAX) OF KeyPurposeId` (4.2.1.12).
    package func readExtendedKeyUsage(_ range: Range<Int>) throws(ReceiptDecodingError) -> [ObjectIdentifier] {
        let field: StaticString = "ExtKeyUsageSyntax"
        var outer = Cursor(range)
        var sequence = try read(.sequence, &outer, field)
        try end(outer, field)
        var purposes: [ObjectIdentifier] = []
        repeat { purposes.append(try readObjectIdentifier(&sequence, field)) } while !sequence.isAtEnd
        return purposes
    }

    /// Checks that a value is a BIT STRING: that of a Netscape certificate type, which nothing here asks.
    package func checkBitString(_ range: Range<Int>) throws(ReceiptDecodingError) {
        var cursor = Cursor(range)
        _ = try readBitString(&cursor, "Certificate.extensions")
        try end(cursor, "Certificate.extensions")
    }

    /// The octets of a SubjectKeyIdentifier (4.2.1.2).
    package func readSubjectKeyIdentifier(_ range: Range<Int>) throws(ReceiptDecodingError) -> Range<Int> {
        var outer = Cursor(range)
        let octets = try read(.octetString, &outer, "SubjectKeyIdentifier")
        try end(outer, "SubjectKeyIdentifier")
        return octets.range
    }
}

/// Key usage bits (RFC 5280 section 4.2.1.3).
package struct KeyUsage: OptionSet, Sendable {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let digitalSignature = KeyUsage(rawValue: 1 << 0)
    package static let nonRepudiation = KeyUsage(rawValue: 1 << 1)
    package static let keyCertSign = KeyUsage(rawValue: 1 << 5)
    package static let cRLSign = KeyUsage(rawValue: 1 << 6)
}
