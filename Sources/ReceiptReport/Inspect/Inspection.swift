import AppStoreReceipt
import ReceiptPKIX

/// Everything that can be told about one input without verifying anything.
package struct Inspection: Sendable {
    /// Text longer than this is refused: more than any receipt in any text form.
    package static let byteLimit = 64 << 20

    /// How the input is named in reports.
    package var name: String
    var inputByteCount: Int
    /// Where in other text the receipt was found, or what is left of one.
    var foundIn: TransportDecoding.FoundIn?
    /// What an input that cannot be decoded most likely is.
    var diagnosis: TransportDiagnosis?
    /// How the bytes were found in the text; nil when they were not.
    var transport: TransportDecoding?
    /// The bytes that the text stood for, as far as they could be found; the input itself otherwise.
    package var bytes: [UInt8]
    /// Whether it is a compact JWS.
    var isCompactJWS = false
    package var finding: Finding

    package enum Finding: Sendable {
        case receipt(SignedReceipt)
        case transactionReceipt(SignedTransactionReceipt)
        /// The inner part of a transaction receipt, with no signature that could be read. Only where nothing is to be
        /// verified.
        case purchaseInfo(TransactionReceipt)
        /// Signed JSON, or an App Attest receipt.
        case signed(AnySignedDocument)
        case otherCMS(OtherCMS)
        case undecodable(Undecodable)
    }

    /// A line that was not looked at.
    package init(unanswerable error: ReceiptDecodingError, byteCount: Int) {
        self.init(
            name: "", inputByteCount: byteCount, bytes: [], finding: .undecodable(Undecodable(error: error)))
    }

    init(name: String, inputByteCount: Int, bytes: [UInt8], finding: Finding) {
        self.name = name
        self.inputByteCount = inputByteCount
        self.bytes = bytes
        self.finding = finding
    }

    /// Before anything is known of what was found.
    fileprivate init(_ name: String, _ input: [UInt8], _ foundIn: TransportDecoding.FoundIn?, _ bytes: [UInt8]) {
        let error = ReceiptDecodingError(.empty, at: 0, in: "input")
        self.init(
            name: name, inputByteCount: input.count, bytes: bytes, finding: .undecodable(Undecodable(error: error)))
        self.foundIn = foundIn
    }

    package var kind: Report.Kind {
        switch finding {
        case .receipt: .appReceipt
        case .transactionReceipt, .purchaseInfo: .transactionReceipt
        case .signed(let signed): Report.Kind(rawValue: signed.kind.rawValue)
        case .otherCMS(let other): other.kind
        case .undecodable(let fault): fault.kind
        }
    }

    /// The container, for those that are CMS.
    package var container: (signedData: SignedData, der: [UInt8])? {
        switch finding {
        case .receipt(let receipt): (receipt.signedData, receipt.der)
        case .signed(.appAttestReceipt(let receipt)): (receipt.signedData, receipt.der)
        case .otherCMS(let other): (other.signedData, other.der)
        default: nil
        }
    }

    /// What was repaired, each kind once: around the receipt, then inside it.
    package var repairs: [TransportRepair] {
        var repairs = transport?.repairs ?? []
        if case .transactionReceipt(let receipt) = finding {
            for repair in receipt.repairs where !repairs.contains(where: { $0.code == repair.code }) {
                repairs.append(repair)
            }
        }
        return repairs
    }

    /// The signed octets.
    package var payload: ArraySlice<UInt8>? {
        switch finding {
        case .receipt(let receipt): receipt.payload
        case .transactionReceipt(let receipt): receipt.payload
        case .signed(let signed): signed.document.payload
        case .otherCMS(let other): other.der[other.signedData.content]
        case .purchaseInfo, .undecodable: nil
        }
    }

    /// Why it cannot be decoded, where it cannot.
    package var fault: Undecodable? {
        if case .undecodable(let fault) = finding { fault } else { nil }
    }

    /// The same input, read as a transaction receipt whose signature nobody asks for; nil when it is none.
    var withoutSignature: Inspection? {
        guard let fault, fault.kind == .transactionReceipt, let receipt = unsignedTransaction(bytes) else { return nil }
        var inspection = self
        inspection.finding = .purchaseInfo(receipt)
        return inspection
    }

    /// Where it says that it comes from. Of a transaction receipt nobody signed that.
    package var environment: ReceiptEnvironment? {
        switch finding {
        case .receipt(let receipt): receipt.unverifiedReceipt.environment
        case .transactionReceipt(let receipt): receipt.unsignedEnvironment
        case .signed(let signed): signed.document.statements.environment
        case .purchaseInfo, .otherCMS, .undecodable: nil
        }
    }
}

/// Finds out what some input is, which may be other text around a receipt.
///
/// - Parameter looksCloser: Whether to look into what cannot be decoded for what it was meant to be.
package func inspect(_ input: [UInt8], name: String, looksCloser: Bool = true) -> Inspection {
    switch TransportAttempt(input, maximumLength: Inspection.byteLimit) {
    case .decoded(let transport):
        var inspection = Inspection(name, input, transport.foundIn, transport.bytes)
        inspection.transport = transport
        inspection.isCompactJWS = transport.content == .jws
        do throws(ReceiptDecodingError) {
            if inspection.isCompactJWS { try refuseMalformedJWS(input) }
            inspection.finding =
                try inspection.isCompactJWS
                ? .signed(AnySignedDocument(SignedJSON(transport.bytes.span))) : find(transport)
        } catch {
            inspection.diagnosis = transport.diagnosis ?? TransportDiagnosis(error: error)
            var fault = looksCloser ? Undecodable(error, inspection.bytes, transport) : Undecodable(error: error)
            if inspection.isCompactJWS { fault.kind = .jws }
            inspection.finding = .undecodable(fault)
        }
        return inspection
    case .failed(let failure):
        var inspection = Inspection(
            name, input, failure.foundIn, failure.remains.isEmpty ? lenientBytes(of: input) : failure.remains)
        inspection.diagnosis = failure.diagnosis
        inspection.finding = .undecodable(
            looksCloser ? Undecodable(failure.error, inspection.bytes, nil) : Undecodable(error: failure.error))
        return inspection
    }
}

/// Refuses a JWS that stands alone and has a part too many, padding or the other alphabet. RFC 7515 section 2 has one text
/// for each, and the search, which takes a JWS out of whatever is around it, would pass that over.
private func refuseMalformedJWS(_ input: [UInt8]) throws(ReceiptDecodingError) {
    guard let jws = AnySignedDocument.compactJWS(in: input) else { return }
    var points = 0
    var hasOtherCharacters = false
    for byte in jws {
        switch byte {
        case UInt8(ascii: "."): points += 1
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "/"): hasOtherCharacters = true
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            continue
        default: return
        }
    }
    guard points > 2 || points == 2 && hasOtherCharacters else { return }
    _ = try SignedJSON(jws.span)
}

package func mayBeJSON(_ input: [UInt8]) -> Bool {
    let first = input.first {
        $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 && $0 != 0xEF && $0 != 0xBB && $0 != 0xBF
    }
    return first == UInt8(ascii: "{")
}

private func find(_ transport: TransportDecoding) throws(ReceiptDecodingError) -> Inspection.Finding {
    switch transport.content {
    case .transactionReceipt?:
        return .transactionReceipt(try SignedTransactionReceipt(decoding: transport.bytes))
    case .purchaseInfo?:
        throw ReceiptDecodingError(
            .purchaseInfo, at: 0, in: "input",
            detail: "the purchase-info of an iOS 6-style transaction receipt, without its signature")
    default:
        do throws(ReceiptDecodingError) {
            return .receipt(try SignedReceipt(decoding: transport.container()))
        } catch {
            if let attest = Inspection.appAttest(transport.bytes) { return attest }
            guard let other = OtherCMS(transport.bytes) else { throw error }
            return .otherCMS(other)
        }
    }
}

/// The bytes of text that may be base64; else the text itself.
///
/// Only to show what is in input that was cut off or damaged, never to decode a receipt.
private func lenientBytes(of text: [UInt8]) -> [UInt8] {
    guard let first = text.first(where: { $0 > 0x20 }), first == UInt8(ascii: "M") else { return text }
    return lenientBase64(text)
}

/// What base64 stands for, leaving out every character that is none of its own.
package func lenientBase64(_ text: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    for character in text {
        let value: UInt8
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = character - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): value = character - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): value = character - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"), UInt8(ascii: "-"): value = 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): value = 63
        default: continue
        }
        bits = bits << 6 | UInt32(value)
        count += 6
        if count >= 8 {
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
    }
    return bytes
}
