import AppStoreReceipt
import AppStoreReceiptValidation
import ReceiptReport

/// What a summary counts, of some lines. Every table is bounded: what no longer fits is counted without its name.
struct LineTally: Sendable {
    var lines = 0
    /// Verdicts, or statuses with `--format verify-receipt`.
    var verdicts: [String: Int] = [:]
    /// Reasons and codes, of which there are finitely many.
    var reasons: [String: Int] = [:]
    var validReceipts = 0
    /// Valid receipts whose content is digested with SHA-1.
    var sha1Receipts = 0
    /// Who signed the valid receipts: few, so that looking through them is quicker than hashing.
    var signers: [(certificate: CertificateSummary, count: Int)] = []
    /// Valid receipts of further signers.
    var otherSigners = 0
    /// Attribute types that have not been seen before, and in how many receipts they are.
    var unknownAttributes: [Int: Int] = [:]
    /// Of each receipt, a hash of its payload and hashes of its transactions' identifiers.
    var identities: [Identity] = []

    static let signerLimit = 64
    static let attributeLimit = 1_024

    struct Identity: Sendable {
        var payload: Int
        var transactions: [Int]
    }

    mutating func add(_ report: Report, _ signer: CertificateSummary?) {
        lines += 1
        verdicts[report.verdict.rawValue, default: 0] += 1
        if let reason = report.reason { reasons[reason, default: 0] += 1 }
        let transactions: [Int]
        switch report.inspection.finding {
        case .receipt(let signed):
            if report.verdict == .valid {
                addValid(isSHA1: signed.signedData.signerInfos.first?.digestAlgorithm.algorithm == .sha1, signer)
            }
            for type in unknownTypes(signed.unverifiedReceipt) { addAttribute(type, 1) }
            transactions = signed.unverifiedReceipt.inApp.compactMap { $0.transactionID?.hashValue }
        case .transactionReceipt(let signed):
            if report.verdict == .valid { addValid(isSHA1: signed.signatureVersion != 4, signer) }
            transactions = signed.unverifiedReceipt.transactionID.map { [$0.hashValue] } ?? []
        case .signed(let signed):
            if report.verdict == .valid { addValid(isSHA1: false, signer) }
            transactions = signed.statedTransactions.map(\.hashValue)
        case .purchaseInfo, .otherCMS, .undecodable: return
        }
        // Hash values are seeded anew in each process: nobody can choose identifiers that collide.
        identities.append(Identity(payload: report.payloadSHA256.hashValue, transactions: transactions))
    }

    private mutating func addValid(isSHA1: Bool, _ signer: CertificateSummary?) {
        validReceipts += 1
        if isSHA1 { sha1Receipts += 1 }
        if let signer { add(signer, 1) }
    }

    private mutating func add(_ signer: CertificateSummary, _ count: Int) {
        if let index = signers.firstIndex(where: { $0.certificate.sha256 == signer.sha256 }) {
            signers[index].count += count
        } else if signers.count < Self.signerLimit {
            signers.append((signer, count))
        } else {
            otherSigners += count
        }
    }

    private mutating func addAttribute(_ type: Int, _ count: Int) {
        guard unknownAttributes[type] != nil || unknownAttributes.count < Self.attributeLimit else { return }
        unknownAttributes[type, default: 0] += count
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
        for (certificate, count) in other.signers { add(certificate, count) }
        otherSigners += other.otherSigners
        for (type, count) in other.unknownAttributes { addAttribute(type, count) }
    }
}

/// Attribute types that no public receipt has, each once.
private func unknownTypes(_ receipt: Receipt) -> [Int] {
    var types: [Int] = []
    func add(_ unknown: [Int]) {
        for type in unknown where !types.contains(type) && types.count < 64 { types.append(type) }
    }
    add(receipt.attributes.unknownTypes(ofPurchase: false))
    for purchase in receipt.inApp { add(purchase.attributes.unknownTypes(ofPurchase: true)) }
    return types
}
