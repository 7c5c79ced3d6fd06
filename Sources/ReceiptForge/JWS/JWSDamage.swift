/// A defect of a JWS that a verifier must refuse, but for ``negatedS``: everything else about it is right, and what is
/// signed is signed.
public enum JWSDamage: String, Hashable, Sendable, CaseIterable {
    // The text.
    case spaceBefore, lineFeedBehind, extraSegment, missingSegment, emptySignature, padded, standardAlphabet
    case nonCanonicalBits
    // The header.
    case noAlgorithm, algorithmNone, algorithmLowerCase, algorithmHS256, algorithmES384, algorithmTwice
    case criticalHeader, unencodedPayload, noCertificates, twoCertificates, fourCertificates, certificatesReversed
    case certificateBase64URL, certificateNotPadded, foreignRoot, damagedRoot
    // The payload.
    case duplicateName, escapedDuplicateName, byteOrderMark, trailingComma, loneSurrogate, invalidUTF8
    case controlCharacter, notANumber, array, tooDeep, tooManyMembers
    case noSignedDate, signedDateAsText, signedDateNull
    // The signature.
    case derSignature, shortSignature, zeroR, zeroS, orderAsR, orderAsS, flippedSignature, swapped, otherKey
    /// `(r, n - s)` for `(r, s)`: another text, and just as valid (FIPS 186-5). No defect.
    case negatedS

    /// The order of P-256 (SEC 2 section 2.4.2).
    private static let order: [UInt8] = [
        0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xBC, 0xE6, 0xFA, 0xAD,
        0xA7,
        0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
    ]

    /// Before anything is signed.
    func change(_ jws: inout ForgedJWS) {
        changeHeader(&jws)
        changePayload(&jws)
        if self == .otherKey { jws.key = TestKeys.ec256Other }
    }

    private func changeHeader(_ jws: inout ForgedJWS) {
        let certificates = jws.chain.certificates
        func setCertificates(_ certificates: [[UInt8]]) { jws.header["x5c"] = ForgedJWS.certificates(certificates) }
        switch self {
        case .noAlgorithm: jws.header["alg"] = nil
        case .algorithmNone: jws.header["alg"] = ForgedPayload.text("none")
        case .algorithmLowerCase: jws.header["alg"] = ForgedPayload.text("es256")
        case .algorithmHS256: jws.header["alg"] = ForgedPayload.text("HS256")
        case .algorithmES384: jws.header["alg"] = ForgedPayload.text("ES384")
        case .algorithmTwice: jws.header.members.append(.init("alg", ForgedPayload.text("none")))
        case .criticalHeader: jws.header["crit"] = "[\"exp\"]"
        case .unencodedPayload: jws.header["b64"] = "true"
        case .noCertificates: jws.header["x5c"] = nil
        case .twoCertificates: setCertificates(Array(certificates.prefix(2)))
        case .fourCertificates: setCertificates(certificates + certificates.suffix(1))
        case .certificatesReversed: setCertificates(certificates.reversed())
        case .certificateBase64URL:
            jws.header["x5c"] = jws.header["x5c"]?.replacing("+", with: "-").replacing("/", with: "_")
        case .certificateNotPadded:
            // One octet more makes sure that padding is due.
            setCertificates(certificates.map { $0 + [UInt8](repeating: 0, count: ($0.count + 2) % 3 == 0 ? 0 : 1) })
            jws.header["x5c"] = jws.header["x5c"]?.replacing("=", with: "")
        case .foreignRoot: setCertificates(Array(certificates.prefix(2)) + certificates.prefix(1))
        case .damagedRoot: setCertificates(Array(certificates.prefix(2)) + [[0x30, 0x03, 0x02, 0x01]])
        default: break
        }
    }

    private func changePayload(_ jws: inout ForgedJWS) {
        /// Puts members before the first one.
        func insert(_ members: String) {
            jws.payload = Array("{\(members)".utf8) + jws.payload.dropFirst()
        }
        func replaceDate(_ value: String) {
            for name in ["\"signedDate\":", "\"receiptCreationDate\":"] {
                let text = String(decoding: jws.payload, as: UTF8.self)
                guard let range = text.firstRange(of: name) else { continue }
                let rest = text[range.upperBound...].drop { $0.isNumber }
                jws.payload = Array((text[..<range.upperBound] + value + rest).utf8)
            }
        }
        switch self {
        case .duplicateName: insert("\"x\":1,\"x\":2,")
        case .escapedDuplicateName: insert("\"x\":1,\"\\u0078\":2,")
        case .byteOrderMark: jws.payload = [0xEF, 0xBB, 0xBF] + jws.payload
        case .trailingComma: jws.payload.insert(UInt8(ascii: ","), at: jws.payload.count - 1)
        case .loneSurrogate: insert("\"x\":\"\\uD800\",")
        case .invalidUTF8:
            jws.payload = Array("{\"x\":\"".utf8) + [0xC3, 0x28] + Array("\",".utf8) + jws.payload.dropFirst()
        case .controlCharacter: insert("\"x\":\"\u{1}\",")
        case .notANumber: insert("\"x\":NaN,")
        case .array: jws.payload = [UInt8(ascii: "[")] + jws.payload + [UInt8(ascii: "]")]
        case .tooDeep: insert("\"x\":" + String(repeating: "[", count: 17) + String(repeating: "]", count: 17) + ",")
        case .tooManyMembers: insert((0..<260).map { "\"x\($0)\":0," }.joined())
        case .noSignedDate:
            let text = String(decoding: jws.payload, as: UTF8.self)
            jws.payload = Array(
                text.replacing("\"signedDate\"", with: "\"other\"").replacing(
                    "\"receiptCreationDate\"", with: "\"other\""
                )
                .utf8)
        case .signedDateAsText: replaceDate("\"\(ForgedPayload.date)\"")
        case .signedDateNull: replaceDate("null")
        default: break
        }
    }

    /// After it was signed.
    func change(_ signature: inout [UInt8]) {
        switch self {
        case .derSignature:
            signature =
                BERNode.sequence([
                    .integer(magnitude: Array(signature.prefix(32).drop { $0 == 0 })),
                    .integer(magnitude: Array(signature.suffix(32).drop { $0 == 0 })),
                ]).encoded
        case .shortSignature: signature.removeLast()
        case .zeroR: signature.replaceSubrange(0..<32, with: [UInt8](repeating: 0, count: 32))
        case .zeroS: signature.replaceSubrange(32..<64, with: [UInt8](repeating: 0, count: 32))
        case .orderAsR: signature.replaceSubrange(0..<32, with: Self.order)
        case .orderAsS: signature.replaceSubrange(32..<64, with: Self.order)
        case .flippedSignature: signature[40] ^= 1
        case .swapped: signature = Array(signature.suffix(32) + signature.prefix(32))
        case .negatedS:
            var borrow = 0
            for index in (0..<32).reversed() {
                let difference = Int(Self.order[index]) - Int(signature[32 + index]) - borrow
                borrow = difference < 0 ? 1 : 0
                signature[32 + index] = UInt8(truncatingIfNeeded: difference)
            }
        default: break
        }
    }

    func change(_ text: inout String) {
        switch self {
        case .spaceBefore: text = " " + text
        case .lineFeedBehind: text += "\n"
        case .extraSegment: text += ".e30"
        case .missingSegment: text = String(text.prefix { $0 != "." }) + "." + (text.split(separator: ".").last ?? "")
        case .emptySignature: text = String(text[...(text.lastIndex(of: ".") ?? text.startIndex)])
        case .padded: text += "=="
        case .standardAlphabet: text = text.replacing("-", with: "+").replacing("_", with: "/")
        case .nonCanonicalBits:
            // The last character of 64 octets holds two bits of them and four that must be zero.
            let last = text.removeLast()
            text.append(["A": "B", "Q": "R", "g": "h", "w": "x"][last] ?? "B")
        default: break
        }
    }
}
