import AppStoreReceipt
import AppStoreReceiptValidation
import ReceiptPKIX
import ReceiptReport

/// What a summary counts, of some lines.
struct LineTally: Sendable {
    var lines = 0
    /// Verdicts, or statuses with `--format verify-receipt`.
    var verdicts: [String: Int] = [:]
    var reasons: [String: Int] = [:]
    var validReceipts = 0
    /// Valid receipts whose content is digested with SHA-1.
    var sha1Receipts = 0
    /// Who signed the valid receipts.
    var signers: [SignerSummary: Int] = [:]
    /// Attribute types that have not been seen before, and in how many receipts they are.
    var unknownAttributes: [Int: Int] = [:]
    /// Of each receipt, a hash of its payload and hashes of its transactions' identifiers.
    var identities: [Identity] = []

    struct Identity: Sendable {
        var payload: UInt64
        var transactions: [UInt64]
    }

    mutating func add(_ inspection: Inspection, _ judgement: Judgement, _ signer: SignerSummary?) {
        lines += 1
        verdicts[judgement.verdict.rawValue, default: 0] += 1
        if let reason = judgement.reason { reasons[reason, default: 0] += 1 }
        guard case .receipt(let signed) = inspection.finding else { return }
        let receipt = signed.unverifiedReceipt
        if judgement.verdict == .valid {
            validReceipts += 1
            if signed.signedData.signerInfos.first?.digestAlgorithm.algorithm == .sha1 { sha1Receipts += 1 }
            if let signer { signers[signer, default: 0] += 1 }
        }
        for type in unknownTypes(receipt) { unknownAttributes[type, default: 0] += 1 }
        identities.append(
            Identity(
                payload: stableHash(signed.payload),
                transactions: receipt.inApp.compactMap { purchase in
                    purchase.transactionID.map { stableHash(Array($0.utf8)[...]) }
                }))
    }

    mutating func add(_ response: VerifyReceiptResponse) {
        lines += 1
        verdicts["status \(response.status.rawValue)", default: 0] += 1
        if let reason = response.rejection?.reason.rawValue ?? response.decodingError?.code.rawValue {
            reasons[reason, default: 0] += 1
        }
    }

    /// Takes over another tally, but for the identities, which are counted one receipt after the other.
    mutating func add(_ other: LineTally) {
        lines += other.lines
        verdicts.merge(other.verdicts, uniquingKeysWith: +)
        reasons.merge(other.reasons, uniquingKeysWith: +)
        validReceipts += other.validReceipts
        sha1Receipts += other.sha1Receipts
        signers.merge(other.signers, uniquingKeysWith: +)
        unknownAttributes.merge(other.unknownAttributes, uniquingKeysWith: +)
    }
}

/// FNV-1a over eight bytes at a time, with a final mix: quick, and the same everywhere. Not for adversaries: somebody who
/// makes receipts can make two collide, and be counted once.
func stableHash(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    var word: UInt64 = 0
    var filled = 0
    for byte in bytes {
        word = word << 8 | UInt64(byte)
        filled += 1
        if filled == 8 {
            hash = (hash ^ word) &* 0x0000_0100_0000_01B3
            hash ^= hash >> 29
            word = 0
            filled = 0
        }
    }
    hash = (hash ^ word ^ UInt64(bytes.count) << 56) &* 0x9E37_79B9_7F4A_7C15
    return hash ^ hash >> 32
}

/// Attribute types that no public receipt has, each once.
private func unknownTypes(_ receipt: Receipt) -> [Int] {
    var types: [Int] = []
    func look(_ attributes: ReceiptAttributes, _ isKnown: (Int) -> Bool) {
        attributes.forEachType { type in
            if !isKnown(type), !types.contains(type), types.count < 64 { types.append(type) }
        }
    }
    look(receipt.attributes) { (0...23).contains($0) || $0 == 25 || $0 == 32 }
    for purchase in receipt.inApp { look(purchase.attributes) { (1_701...1_722).contains($0) } }
    return types
}

extension ReceiptAttributes {
    /// Every attribute's type, without reading the rest: the collection would make a value of each.
    ///
    /// The content was found well-formed when the receipt was decoded; what is not ends the walk.
    fileprivate func forEachType(_ body: (Int) -> Void) {
        let span = content.span
        var cursor = Cursor(0, span.count)
        do throws(ReceiptDecodingError) {
            while !cursor.isAtEnd {
                var attribute = try span.read(.sequence, &cursor, "attribute")
                body(Int(try span.readInteger(&attribute, "attribute.type")))
            }
        } catch {
            return
        }
    }
}
