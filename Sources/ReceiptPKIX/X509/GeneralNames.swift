package import ReceiptASN1

/// Values of extensions that hold names (RFC 5280 section 4.2.1), read by their schema.
///
/// Nothing here restricts what a certificate may sign; success says that a value is of its type, to its last octet.
extension Span where Element == UInt8 {
    private var field: StaticString { "Certificate.extensions" }

    /// `SubjectAltName ::= GeneralNames`, and IssuerAltName (4.2.1.6, 4.2.1.7).
    package func checkGeneralNames(_ range: Range<Int>) throws(ReceiptDecodingError) {
        var outer = Cursor(range)
        var names = try read(.sequence, &outer, field)
        try end(outer, field)
        try checkGeneralNames(&names)
    }

    /// `CRLDistributionPoints ::= SEQUENCE SIZE (1..MAX) OF DistributionPoint` (4.2.1.13).
    ///
    /// ```
    /// DistributionPoint ::= SEQUENCE {
    ///     distributionPoint [0] CHOICE { fullName [0] GeneralNames, nameRelativeToCRLIssuer [1] RDN } OPTIONAL,
    ///     reasons           [1] BIT STRING OPTIONAL,
    ///     cRLIssuer         [2] GeneralNames OPTIONAL }
    /// ```
    package func checkCRLDistributionPoints(_ range: Range<Int>) throws(ReceiptDecodingError) {
        var outer = Cursor(range)
        var points = try read(.sequence, &outer, field)
        try end(outer, field)
        repeat {
            var point = try read(.sequence, &points, field)
            if isNext(.context(0, constructed: true), point) {
                var choice = try read(.context(0, constructed: true), &point, field)
                if isNext(.context(1, constructed: true), choice) {
                    var relative = try read(.context(1, constructed: true), &choice, field)
                    try checkRelativeName(&relative, field)
                } else {
                    var names = try read(.context(0, constructed: true), &choice, field)
                    try checkGeneralNames(&names)
                }
                try end(choice, field)
            }
            if isNext(.context(1, constructed: false), point) {
                _ = try readBitString(&point, tag: .context(1, constructed: false), field)
            }
            if isNext(.context(2, constructed: true), point) {
                var issuer = try read(.context(2, constructed: true), &point, field)
                try checkGeneralNames(&issuer)
            }
            try end(point, field)
        } while !points.isAtEnd
    }

    /// `GeneralNames ::= SEQUENCE SIZE (1..MAX) OF GeneralName`, its content. Returns the first directoryName.
    @discardableResult
    func checkGeneralNames(_ names: inout Cursor) throws(ReceiptDecodingError) -> Range<Int>? {
        var directoryName: Range<Int>?
        repeat {
            let element = try readElement(&names, field)
            var content = element.content
            switch element.tag {
            // rfc822Name, dNSName, uniformResourceIdentifier: IA5String
            case .context(1, constructed: false), .context(2, constructed: false), .context(6, constructed: false):
                for position in content.range where self[position] >= 0x80 {
                    throw .fault(.invalidExtension, position, field, detail: "a name that is not ASCII")
                }
            case .context(7, constructed: false): break
            case .context(8, constructed: false):
                // An identifier's octets: the last ends an arc.
                guard content.count > 0, self[content.limit - 1] < 0x80 else {
                    throw .fault(.invalidExtension, element.start, field, detail: "a registeredID that is none")
                }
            // directoryName is explicit: a Name is a CHOICE.
            case .context(4, constructed: true):
                let name = try readName(&content, field)
                try end(content, field)
                directoryName = directoryName ?? name
            // otherName: { type-id, value [0] EXPLICIT ANY }
            case .context(0, constructed: true):
                _ = try readObjectIdentifier(&content, field)
                var value = try read(.context(0, constructed: true), &content, field)
                try end(content, field)
                _ = try readElement(&value, field)
                try end(value, field)
            // x400Address and ediPartyName, which nobody uses.
            case .context(3, constructed: true), .context(5, constructed: true):
                while !content.isAtEnd { _ = try readElement(&content, field) }
            default: throw .fault(.invalidExtension, element.start, field, detail: "found \(element.tag) for a name")
            }
        } while !names.isAtEnd
        return directoryName
    }
}

/// `AuthorityKeyIdentifier ::= SEQUENCE { keyIdentifier [0] OPTIONAL, authorityCertIssuer [1] GeneralNames OPTIONAL,
/// authorityCertSerialNumber [2] OPTIONAL }` (RFC 5280 section 4.2.1.1).
package struct AuthorityKeyIdentifier: Sendable {
    package let keyIdentifier: Range<Int>?
    /// The first directory name among the names of the issuer's issuer.
    package let issuer: Range<Int>?
    /// Content octets of the issuer's serial number.
    package let serialNumber: Range<Int>?
}

extension Span where Element == UInt8 {
    package func readAuthorityKeyIdentifier(
        _ range: Range<Int>
    ) throws(ReceiptDecodingError) -> AuthorityKeyIdentifier {
        let field: StaticString = "AuthorityKeyIdentifier"
        var outer = Cursor(range)
        var content = try read(.sequence, &outer, field)
        try end(outer, field)
        var keyIdentifier: Range<Int>?
        if isNext(.context(0, constructed: false), content) {
            keyIdentifier = try read(.context(0, constructed: false), &content, field).range
        }
        var issuer: Range<Int>?
        if isNext(.context(1, constructed: true), content) {
            var names = try read(.context(1, constructed: true), &content, field)
            issuer = try checkGeneralNames(&names)
        }
        var serialNumber: Range<Int>?
        if isNext(.context(2, constructed: false), content) {
            let number = try read(.context(2, constructed: false), &content, field)
            guard number.count > 0 else { throw .fault(.invalidInteger, number.position, field) }
            serialNumber = number.range
        }
        try end(content, field)
        return AuthorityKeyIdentifier(keyIdentifier: keyIdentifier, issuer: issuer, serialNumber: serialNumber)
    }
}
