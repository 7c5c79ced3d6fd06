internal import AppStoreReceipt

/// The checks whether an authentic transaction receipt is the one that was asked for, in the order of app receipts.
extension ReceiptValidator {
    /// Returns the device identifier that fitted.
    func checkExpectations(
        _ signed: SignedTransactionReceipt, _ date: ReceiptDate?, _ run: inout CheckRun
    ) throws(LibcryptoError) -> DeviceIdentifier? {
        guard !run.isStopped else { return nil }
        let receipt = signed.unverifiedReceipt
        try expect(policy.environments, .environment, &run, Self.environmentDetail(signed)) { expected in
            Self.environmentProblem(signed, expected, policy.transactionReceipts)
        }
        try checkApp(receipt.bid, receipt.bvrs, &run)
        let device = try checkDevice("the receipt names device", &run) { (candidates) throws(LibcryptoError) in
            let own = [receipt.uniqueVendorIdentifier, receipt.uniqueIdentifier].compactMap {
                $0.flatMap(DeviceIdentifier.init(_:))
            }
            guard !own.isEmpty else { return nil }
            return .some(candidates.first { candidate in own.contains { $0.bytes == candidate.bytes } })
        }
        try checkPurchases(
            [receipt.productID].compactMap(\.self), [receipt.transactionID].compactMap(\.self), "that of the purchase",
            &run)
        // Apps bought in volume expire; purchases do not.
        run.skip([.expiration], "a transaction receipt has no expiration date")
        try checkAge(
            receipt.purchaseDate, date, &run,
            missing: Rejection(.purchaseDateMissing, "the receipt has no purchase date"))
        return device
    }

    private static func environmentDetail(_ signed: SignedTransactionReceipt) -> String {
        let stated = signed.unsignedEnvelope.environment.map { "stated as '\($0)'" } ?? "not stated, as in production"
        return signed.unverifiedReceipt.isNumberedInSandbox
            ? "\(stated) outside the signature, and the signed transaction number is one of the sandbox"
            : "\(stated), outside the signature"
    }

    /// What is stated outside the signature can only speak against a receipt, unless the caller wants to believe it. The
    /// signed transaction number can show the sandbox; nothing signed can show production.
    private static func environmentProblem(
        _ signed: SignedTransactionReceipt, _ expected: Set<ReceiptEnvironment>, _ policy: TransactionReceiptPolicy
    ) -> Rejection? {
        guard let found = signed.unsignedEnvironment, expected.contains(found) else {
            let shown = signed.unsignedEnvironment?.rawValue ?? signed.unsignedEnvelope.environment
            return Rejection(
                .environmentMismatch,
                "the receipt is of environment \(quoted(shown)), expected is \(list(expected.map(\.rawValue)))")
        }
        guard !policy.acceptsUnsignedEnvironment, !signed.unverifiedReceipt.isNumberedInSandbox else { return nil }
        return Rejection(
            .environmentNotSigned,
            "a transaction receipt states its environment outside the signature, where anybody can change it")
    }
}
