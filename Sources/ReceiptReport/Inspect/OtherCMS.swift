import AppStoreReceipt
import ReceiptASN1
import ReceiptPKIX

/// A well-formed CMS SignedData that is not an App Store receipt.
package struct OtherCMS: Sendable {
    var kind: Report.Kind
    /// What it is, in words, without an article.
    var description: String
    var signedData: SignedData
    var der: [UInt8]
    /// What its payload says, where it is understood: a name and a text.
    var fields: [(name: String, value: String)] = []

    /// Nil when the bytes are no SignedData, or when the payload is that of a receipt, which is then damaged.
    init?(_ bytes: [UInt8]) {
        var der = bytes
        guard let signedData = try? SignedData.decode(&der, limits: .default) else { return nil }
        self.signedData = signedData
        self.der = der
        let content = der[signedData.content]
        switch PayloadShape(content) {
        case .attributes(.appAttest):
            kind = .appAttestReceipt
            description = "App Attest receipt"
            fields = appAttestFields(content)
        case .attributes: return nil
        case .attributesInSequence:
            kind = .otherCMS
            description = "CMS message whose payload imitates a receipt's (a SEQUENCE of attributes, not a SET)"
        case .provisioningProfile:
            kind = .otherCMS
            description = "provisioning profile"
        case .propertyList:
            kind = .otherCMS
            description = "CMS message that holds an XML property list"
        // A SET, or a signer made for receipts: meant to be a receipt, and its decoding error says what is wrong.
        case .unknown where content.first == 0x31 || namesReceiptSigning(der): return nil
        case .unknown:
            kind = .otherCMS
            description = "CMS message with content of type \(signedData.contentType.nameOrDotted)"
        }
    }
}

/// Whether the marker of receipt signing certificates, 1.2.840.113635.100.6.11.1, is somewhere in the bytes.
///
/// Only to say what something was meant to be; validation looks for the extension itself.
func namesReceiptSigning(_ bytes: [UInt8]) -> Bool {
    let marker: [UInt8] = [0x06, 0x0A, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x63, 0x64, 0x06, 0x0B, 0x01]
    let span = bytes.span
    // Not by `firstRange(of:)`, which takes 2,500 instructions a byte.
    for start in 0..<max(0, span.count - marker.count + 1) where span[start] == marker[0] {
        if span.extracting(start..<start + marker.count).hasSameBytes(as: marker.span) { return true }
    }
    return false
}

/// What the content of a SignedData looks like.
private enum PayloadShape {
    case attributes(Grammar.Payload)
    case attributesInSequence
    case provisioningProfile
    case propertyList
    case unknown

    init(_ content: ArraySlice<UInt8>) {
        if let payload = payloadKind(content) {
            self = payload == .receipt && content.first == 0x30 ? .attributesInSequence : .attributes(payload)
        } else if content.prefix(200).firstRange(of: "<plist".utf8) != nil {
            let isProfile = content.firstRange(of: "<key>Entitlements</key>".utf8) != nil
            self = isProfile ? .provisioningProfile : .propertyList
        } else {
            self = .unknown
        }
    }
}

/// The fields of an App Attest receipt that are text (Apple, "Assessing fraud risk").
private func appAttestFields(_ content: ArraySlice<UInt8>) -> [(name: String, value: String)] {
    var fields: [(name: String, value: String)] = []
    let bytes = Array(content)
    guard let set = try? ElementHeader(at: 0, in: bytes.span, end: bytes.count) else { return fields }
    var position = set.length
    while let element = try? ElementHeader(at: position, in: bytes.span, end: bytes.count),
        let length = element.contentLength,
        length <= bytes.count - position - element.length
    {
        let end = position + element.length + length
        if let (type, value) = attribute(bytes, (position + element.length)..<end),
            let name = AttributeNames.appAttest(type), !value.isEmpty,
            value.count <= 256, value.allSatisfy({ (0x20...0x7E).contains($0) })
        {
            fields.append((name, String(decoding: value, as: UTF8.self)))
        }
        position = end
    }
    return fields
}

/// The type and the value's octets of one `{ type, version, value }`.
private func attribute(_ bytes: [UInt8], _ range: Range<Int>) -> (type: UInt64, value: ArraySlice<UInt8>)? {
    guard let type = attributeType(bytes[range]) else { return nil }
    var position = range.lowerBound
    for _ in 0..<2 {
        guard let header = try? ElementHeader(at: position, in: bytes.span, end: range.upperBound) else { return nil }
        position += header.length + (header.contentLength ?? 0)
    }
    guard let header = try? ElementHeader(at: position, in: bytes.span, end: range.upperBound) else { return nil }
    return (type, bytes[(position + header.length)..<range.upperBound])
}
