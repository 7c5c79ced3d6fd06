import AppStoreReceipt
import AppStoreReceiptValidation
import ReceiptASN1
import ReceiptForge

/// A receipt to measure with, decoded and valid: what fails is no benchmark.
struct BenchInput: Sendable {
    /// For example `5k` or `10000-ber`.
    let name: String
    /// `genuine`, `forged` or `file`.
    let source: String
    let bytes: [UInt8]
    let root: [UInt8]
    let receipt: SignedReceipt
    let warm: ReceiptValidator
    let cold: ReceiptValidator

    var purchases: Int { receipt.unverifiedReceipt.inApp.count }
    var isBER: Bool { receipt.der != bytes }

    init(_ name: String, _ source: String, _ bytes: [UInt8], roots: [[UInt8]]) throws {
        self.name = name
        self.source = source
        self.bytes = bytes
        receipt = try SignedReceipt(decoding: bytes)
        let policy = try ValidationPolicy(trusting: roots)
        warm = try ReceiptValidator(policy: policy)
        cold = try ReceiptValidator(policy: policy, chainCacheCapacity: 0)
        root = roots.first ?? []
        if let rejection = try warm.validate(receipt).rejection {
            throw BenchError("\(name) is not valid: \(rejection.reason): \(rejection.message)", exitCode: 66)
        }
    }

    /// A forged receipt that resembles those of a player with subscriptions and consumables.
    init(forged purchases: Int, _ name: String, style: ForgedReceipt.Environment = .production, ber: Bool = false)
        throws
    {
        let message = try Self.message(purchases, style: style, ber: ber)
        try self.init(name, "forged", message.bytes, roots: message.anchors)
    }

    static func message(
        _ purchases: Int, style: ForgedReceipt.Environment = .production, ber: Bool = false
    ) throws -> ForgedMessage {
        var receipt = ForgedReceipt(environment: style)
        receipt.purchases = (0..<purchases).map { purchase($0) }
        return try receipt.signed { template in
            template.encoding = ber ? .indefinite(pieces: nil) : .der
        }
    }

    /// Every fourth purchase is a consumable, the others are periods of a few subscriptions; transaction identifiers
    /// have sixteen digits, as Apple's have.
    private static func purchase(_ number: Int) -> ForgedPurchase {
        let day = padded(number % 28 + 1, 2)
        let month = padded(number / 28 % 12 + 1, 2)
        let date = "2024-\(month)-\(day)T\(padded(number % 24, 2)):30:00Z"
        let transaction = "10000\(padded(number &* 7_919 % 100_000_000_000, 11))"
        if number % 4 == 0 {
            return .consumable("com.example.app.coins.\(number % 5 * 100)", purchaseDate: date).transaction(transaction)
        }
        return .autoRenewable(
            "com.example.app.subscription.monthly", purchaseDate: date, expiresDate: "2025-\(month)-\(day)T10:00:00Z"
        )
        .transaction(transaction)
        .renewing("10000\(padded(number / 50 &* 7_919 % 100_000_000_000, 11))", purchasedAt: "2024-01-01T10:30:00Z")
    }
}

/// The receipts of one run.
struct BenchInputs {
    static let genuinePath = "Fixtures/genuine/sandbox-2016.der"

    let small: BenchInput
    let medium: BenchInput
    let thousand: BenchInput
    let tenThousand: BenchInput
    /// A receipt as Xcode writes it, and the same with definite lengths.
    let xcodeBER: BenchInput
    let xcodeDER: BenchInput
    let thousandBER: BenchInput
    let thousandXcodeDER: BenchInput
    /// Of 1.4 MB, for counting memory.
    let large: BenchInput
    /// Files for which there was no other place.
    let others: [BenchInput]

    init(_ options: BenchOptions) throws {
        var files = try Self.read(options)
        let isSmall: (BenchInput) -> Bool = { $0.purchases < 30 }
        let small = files.first(where: isSmall).map { $0.renamed("5k") }
        let medium = files.first { !isSmall($0) }.map { $0.renamed("187") }
        if let index = files.firstIndex(where: isSmall) { files.remove(at: index) }
        if let index = files.firstIndex(where: { !isSmall($0) }) { files.remove(at: index) }
        others = files
        self.small = try small ?? Self.defaultSmall()
        self.medium = try medium ?? BenchInput(forged: 187, "187")
        thousand = try BenchInput(forged: 1_000, "1000")
        tenThousand = try BenchInput(forged: 10_000, "10000")
        xcodeBER = try BenchInput(forged: 3, "xcode-ber", style: .xcode, ber: true)
        xcodeDER = try BenchInput(forged: 3, "xcode-der", style: .xcode)
        thousandBER = try BenchInput(forged: 1_000, "xcode-1000-ber", style: .xcode, ber: true)
        thousandXcodeDER = try BenchInput(forged: 1_000, "xcode-1000-der", style: .xcode)
        let perPurchase = (tenThousand.bytes.count - thousand.bytes.count) / 9_000
        large = try BenchInput(forged: 1_400_000 / perPurchase, "1.4MB")
    }

    static func defaultSmall() throws -> BenchInput {
        guard System.exists(genuinePath) else { return try BenchInput(forged: 1, "5k") }
        return try BenchInput(
            "5k", "genuine", try System.read(genuinePath), roots: [TrustAnchor.appleRootCA.certificate])
    }

    private static func read(_ options: BenchOptions) throws -> [BenchInput] {
        var roots: [[UInt8]] = []
        for path in options.roots { roots.append(try System.read(path)) }
        if roots.isEmpty { roots = [TrustAnchor.appleRootCA.certificate] }
        return try options.files.map { path in
            let bytes = try TransportDecoding(try System.read(path)).bytes
            let name = path.split(separator: "/").last.map(String.init) ?? path
            return try BenchInput(name, "file", bytes, roots: roots)
        }
    }

    var all: [BenchInput] {
        [small, medium, thousand, tenThousand, xcodeDER, xcodeBER, thousandXcodeDER, thousandBER] + others
    }
}

extension BenchInput {
    fileprivate init(_ other: BenchInput, name: String) {
        self.name = name
        source = other.source
        bytes = other.bytes
        root = other.root
        receipt = other.receipt
        warm = other.warm
        cold = other.cold
    }

    fileprivate func renamed(_ name: String) -> BenchInput { BenchInput(self, name: name) }
}
