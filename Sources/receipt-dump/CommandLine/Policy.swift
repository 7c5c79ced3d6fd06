import AppStoreReceipt
import AppStoreReceiptValidation
import ReceiptPKIX
import ReceiptReport

extension Options {
    /// Looks at inputs and decides about them as the options ask.
    func inspector(_ host: Host) throws(Stop) -> ReceiptInspector {
        guard validates, format != .asn1 else {
            return try internalFailure { () throws(LibcryptoError) in try ReceiptInspector(policy: nil) }
        }
        let date: ReceiptDate? =
            switch validationTime {
            case .receiptCreation: nil
            case .now: host.now()
            case .date(let given): given
            }
        let policy = try policy(host, at: date)
        return try internalFailure { () throws(LibcryptoError) in try ReceiptInspector(policy: policy, asOf: date) }
    }

    /// The policy that the options describe. An expectation that was not given expects nothing.
    func policy(_ host: Host, at date: ReceiptDate?) throws(Stop) -> ValidationPolicy {
        var policy = ValidationPolicy()
        if !roots.isEmpty {
            policy.roots = []
            for path in roots { try trust(path, in: &policy, host) }
        }
        for path in intermediates {
            for certificate in try certificates(path, option: "intermediate", host) {
                do throws(ReceiptDecodingError) {
                    _ = try certificate.span.readCertificate(0..<certificate.count, limits: .default)
                } catch {
                    throw unusable(path, option: "intermediate", "\(error)")
                }
                // Whoever passes the authority of the old purchase receipt certificates wants receipts of their time.
                let fingerprint = try internalFailure { () throws(LibcryptoError) in
                    try CertificateFingerprint(of: certificate)
                }
                policy.intermediates.append(certificate)
                policy.transactionReceipts.purchaseReceiptAuthorities.insert(fingerprint)
            }
        }
        if let date { policy.validationTime = .at(date) }
        policy.bundleIdentifiers = set(bundleIDs)
        policy.applicationVersions = set(applicationVersions)
        policy.productIdentifiers = set(productIDs)
        policy.transactionIdentifiers = set(transactionIDs)
        policy.deviceIdentifiers = deviceIDs.isEmpty ? nil : deviceIDs
        policy.appAppleIDs = appAppleIDs.isEmpty ? nil : Set(appAppleIDs)
        policy.accountTokens = set(accountTokens)
        policy.appAttest.appIDs = set(attestedApps)
        policy.appAttest.keyIdentifiers = set(attestedKeys)
        policy.transactionReceipts.acceptsUnsignedEnvironment = acceptsUnsignedEnvironment
        if !environments.isEmpty { policy.environments = Set(environments) }
        return policy
    }

    private func set(_ values: [String]) -> Set<String>? { values.isEmpty ? nil : Set(values) }

    /// Trusts the certificates of a file, each in the role that it has.
    private func trust(_ path: String, in policy: inout ValidationPolicy, _ host: Host) throws(Stop) {
        for certificate in try certificates(path, option: "root", host) {
            do throws(TrustError) {
                switch try TrustedCertificate(certificate: certificate) {
                case .root(let root): policy.roots.append(root)
                case .directSigner(let signer): policy.directSigners.append(signer)
                }
            } catch {
                throw unusable(path, option: "root", escapedForTerminal(error.description))
            }
        }
    }

    /// The certificates of a file, which is DER, or PEM with one or more of them.
    func certificates(_ path: String, option: String, _ host: Host) throws(Stop) -> [[UInt8]] {
        let bytes: [UInt8]
        do throws(ReadError) {
            bytes = try host.files.read(.file(path))
        } catch {
            throw unusable(path, option: option, error.message)
        }
        if bytes.first == 0x30 { return [bytes] }
        let certificates = pemCertificates(bytes)
        if certificates.isEmpty { throw unusable(path, option: option, "it holds no certificate, neither PEM nor DER") }
        return certificates
    }

    private func unusable(_ path: String, option: String, _ reason: String) -> Stop {
        Stop(
            status: ExitStatus.cannotRead,
            message: "cannot use \(escapedForTerminal(redactor(path))) for --\(option): \(reason)")
    }
}

/// Runs something whose failure says nothing about any receipt.
func internalFailure<Value>(_ body: () throws(LibcryptoError) -> Value) throws(Stop) -> Value {
    do throws(LibcryptoError) {
        return try body()
    } catch {
        throw Stop(status: ExitStatus.internal, message: "internal error: \(error)")
    }
}
