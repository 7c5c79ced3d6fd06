internal import AppStoreReceipt
internal import ReceiptPKCS7

/// The checks whether an authentic receipt is the one that was asked for, in order.
extension ReceiptValidator {
    /// How far the clock of the server that passes a date may be behind Apple's.
    private static let clockTolerance: Int64 = 5 * 60 * 1_000

    /// Returns the device identifier that fitted.
    func checkExpectations(
        _ signed: SignedReceipt, _ date: ReceiptDate?, _ run: inout CheckRun
    ) throws(LibcryptoError) -> DeviceIdentifier? {
        guard !run.isStopped else { return nil }
        let receipt = signed.unverifiedReceipt
        try expect(policy.environments, .environment, &run, "the receipt's environment is as expected") { expected in
            receipt.environment.map(expected.contains) == true
                ? nil
                : Rejection(
                    .environmentMismatch,
                    "the receipt is of type \(Self.quoted(receipt.receiptType)), expected is \(Self.list(expected.map(\.rawValue)))"
                )
        }
        try expect(policy.bundleIdentifiers, .bundleIdentifier, &run, "the receipt is for an expected app") {
            expected in
            Self.mismatch(.bundleIdentifierMismatch, "app", receipt.bundleID, expected)
        }
        try expect(policy.applicationVersions, .applicationVersion, &run, "the receipt is for an expected version") {
            expected in
            Self.mismatch(.applicationVersionMismatch, "app version", receipt.applicationVersion, expected)
        }
        let device = try checkDevice(signed, &run)
        try expect(policy.productIdentifiers, .products, &run, "the products are among the purchases") { expected in
            Self.missing(.productMissing, "purchase of product", expected, receipt.inApp.compactMap(\.productID))
        }
        try expect(policy.transactionIdentifiers, .transactions, &run, "the transactions are among the purchases") {
            expected in
            Self.missing(
                .transactionMissing, "purchase with transaction", expected, receipt.inApp.compactMap(\.transactionID))
        }
        try checkExpiration(receipt, date, &run)
        try checkAge(
            receipt.receiptCreationDate, date, &run,
            missing: Rejection(.creationDateMissing, "the receipt has no creation date"))
        return device
    }

    /// A check that runs only when something is expected.
    func expect<Expected>(
        _ expected: Expected?, _ name: Check.Name, _ run: inout CheckRun, _ passed: @autoclosure () -> String,
        _ problem: (Expected) -> Rejection?
    ) throws(LibcryptoError) {
        guard let expected else { return run.skip([name], "not asked for") }
        try run.check(name, passed()) { problem(expected) }
    }

    private func checkDevice(
        _ signed: SignedReceipt, _ run: inout CheckRun
    ) throws(LibcryptoError) -> DeviceIdentifier? {
        var matched: DeviceIdentifier?
        guard let candidates = policy.deviceIdentifiers else {
            run.skip([.device], "not asked for")
            return nil
        }
        try run.check(.device, "the hash fits device \(matched?.description ?? "")") { () throws(LibcryptoError) in
            let attributes = signed.unverifiedReceipt.attributes
            guard let hash = signed.unverifiedReceipt.sha1Hash, let opaque = signed.unverifiedReceipt.opaqueValue,
                let bundle = attributes.first(.bundleID)
            else { return Rejection(.deviceMismatch, "the receipt lacks what ties it to a device") }
            for candidate in candidates {
                // Apple's guide: the identifier, the opaque value, and the bundle identifier's octets as encoded.
                let input = candidate.bytes + opaque + bundle.rawValue
                if try libcrypto.digest(.sha1, input.span) == hash {
                    matched = candidate
                    return nil
                }
            }
            return Self.deviceMismatch(candidates)
        }
        return matched
    }

    static func deviceMismatch(_ candidates: [DeviceIdentifier]) -> Rejection {
        Rejection(
            .deviceMismatch,
            candidates.count == 1
                ? "the receipt was made for another device"
                : "the receipt was made for none of the \(candidates.count) devices")
    }

    /// expiration_date, which only volume purchases have. At that instant the receipt has expired.
    private func checkExpiration(
        _ receipt: Receipt, _ date: ReceiptDate?, _ run: inout CheckRun
    ) throws(LibcryptoError) {
        guard let expiration = receipt.expirationDate else {
            return run.skip([.expiration], "the receipt has no expiration date")
        }
        guard let date else { return run.skip([.expiration], "no date was given") }
        try run.check(.expiration, "the receipt expires at \(expiration)") {
            date < expiration ? nil : Rejection(.receiptExpired, "the receipt expired at \(expiration)")
        }
    }

    /// How long before a date a receipt was created, and that it was not after it.
    func checkAge(
        _ creation: ReceiptDate?, _ date: ReceiptDate?, _ run: inout CheckRun, missing: Rejection
    ) throws(LibcryptoError) {
        guard let maximum = policy.maximumAge else { return run.skip([.age], "not asked for") }
        try run.check(.age, "the receipt is not older than \(maximum)") {
            guard let date else {
                return Rejection(.dateMissing, "a maximum age is set, but no date was given to measure it at")
            }
            guard let creation else { return missing }
            let (age, isOverflow) = date.millisecondsSince1970.subtractingReportingOverflow(
                creation.millisecondsSince1970)
            guard !isOverflow, age >= -Self.clockTolerance else {
                return Rejection(.createdInTheFuture, "the receipt was created at \(creation), after \(date)")
            }
            return Duration.milliseconds(age) <= maximum
                ? nil : Rejection(.receiptTooOld, "the receipt was created at \(creation), too long before \(date)")
        }
    }

    static func mismatch(
        _ reason: Rejection.Reason, _ what: String, _ found: String?, _ expected: Set<String>
    ) -> Rejection? {
        if let found, expected.contains(where: { $0.isExactly(found) }) { return nil }
        return Rejection(reason, "the receipt is for \(what) \(quoted(found)), expected is \(list(expected))")
    }

    static func missing(
        _ reason: Rejection.Reason, _ what: String, _ expected: Set<String>, _ found: [String]
    ) -> Rejection? {
        guard !expected.isEmpty else { return Rejection(reason, "nothing was expected that a \(what) could be") }
        let missing = expected.filter { wanted in !found.contains { $0.isExactly(wanted) } }
        return missing.isEmpty ? nil : Rejection(reason, "there is no \(what) \(list(missing))")
    }

    static func quoted(_ text: String?) -> String { text.map { "'\($0)'" } ?? "(none)" }

    static func list(_ texts: some Sequence<String>) -> String {
        let sorted = texts.sorted()
        return sorted.isEmpty ? "nothing" : sorted.map { "'\($0)'" }.joined(separator: " or ")
    }
}

extension String {
    /// Whether two identifiers are the same bytes. As Swift strings, two that only look the same are equal.
    fileprivate func isExactly(_ other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }
}
