internal import AppStoreReceipt
internal import ReceiptPKIX

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
        try checkApp(receipt.bundleID, receipt.applicationVersion, &run)
        let device = try checkDevice(signed, &run)
        try checkPurchases(
            receipt.inApp.compactMap(\.productID), receipt.inApp.compactMap(\.transactionID), "among the purchases",
            &run)
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

    func checkApp(_ bundleID: String?, _ version: String?, _ run: inout CheckRun) throws(LibcryptoError) {
        try expect(policy.bundleIdentifiers, .bundleIdentifier, &run, "the receipt is for an expected app") {
            Self.mismatch(.bundleIdentifierMismatch, "app", bundleID, $0)
        }
        try expect(policy.applicationVersions, .applicationVersion, &run, "the receipt is for an expected version") {
            Self.mismatch(.applicationVersionMismatch, "app version", version, $0)
        }
    }

    /// Products and transactions are asked for only if some are expected.
    func checkPurchases(
        _ products: @autoclosure () -> [String], _ transactions: @autoclosure () -> [String],
        _ place: @autoclosure () -> String, _ run: inout CheckRun
    ) throws(LibcryptoError) {
        try expect(policy.productIdentifiers, .products, &run, "every expected product is \(place())") {
            Self.missing(.productMissing, "purchase of product", $0, products())
        }
        try expect(policy.transactionIdentifiers, .transactions, &run, "every expected transaction is \(place())") {
            Self.missing(.transactionMissing, "purchase with transaction", $0, transactions())
        }
    }

    /// Apple's guide: the hash is that of the identifier, the opaque value, and the bundle identifier's octets as encoded.
    private func checkDevice(
        _ signed: SignedReceipt, _ run: inout CheckRun
    ) throws(LibcryptoError) -> DeviceIdentifier? {
        let receipt = signed.unverifiedReceipt
        return try checkDevice("the hash fits device", &run) { (candidates) throws(LibcryptoError) in
            guard let hash = receipt.sha1Hash, let opaque = receipt.opaqueValue,
                let bundle = receipt.attributes.first(.bundleID)
            else { return nil }
            for candidate in candidates {
                let input = candidate.bytes + opaque + bundle.rawValue
                if try libcrypto.digest(.sha1, input.span) == hash { return .some(candidate) }
            }
            return .some(nil)
        }
    }

    /// Looks for the device identifier that fits, and returns it.
    ///
    /// - Parameter fitting: The one of some candidates that fits, `.some(nil)` if none does, and nil if the receipt
    ///   lacks what ties it to a device.
    func checkDevice(
        _ passed: @autoclosure () -> String, _ run: inout CheckRun,
        fitting: ([DeviceIdentifier]) throws(LibcryptoError) -> DeviceIdentifier??
    ) throws(LibcryptoError) -> DeviceIdentifier? {
        var matched: DeviceIdentifier?
        guard let candidates = policy.deviceIdentifiers else {
            run.skip([.device], "not asked for")
            return nil
        }
        try run.check(.device, "\(passed()) \(matched?.description ?? "")") { () throws(LibcryptoError) in
            guard let found = try fitting(candidates) else {
                return Rejection(.deviceMismatch, "the receipt lacks what ties it to a device")
            }
            matched = found
            guard found == nil else { return nil }
            return Rejection(
                .deviceMismatch,
                candidates.count == 1
                    ? "the receipt was made for another device"
                    : "the receipt was made for none of the \(candidates.count) devices")
        }
        return matched
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

    private static func mismatch(
        _ reason: Rejection.Reason, _ what: String, _ found: String?, _ expected: Set<String>
    ) -> Rejection? {
        if let found, expected.contains(where: { $0.isExactly(found) }) { return nil }
        return Rejection(reason, "the receipt is for \(what) \(quoted(found)), expected is \(list(expected))")
    }

    private static func missing(
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
