import AppStoreReceipt
import AppStoreReceiptValidation
import ReceiptJSON
import ReceiptReport

/// A policy that was written in JSON, as the header describes it.
///
/// Read strictly: whoever misspells an expectation would otherwise get a policy that expects nothing.
struct PolicyText {
    private(set) var policy = ValidationPolicy()
    /// The current date, where the policy states one.
    private(set) var date: ReceiptDate?

    private enum Member: String, CaseIterable {
        case bundleIDs = "bundle_ids"
        case environments
        case applicationVersions = "app_versions"
        case deviceIDs = "device_ids"
        case productIDs = "product_ids"
        case transactionIDs = "transaction_ids"
        case appAppleIDs = "app_apple_ids"
        case accountTokens = "account_tokens"
        case attestedApps = "attested_apps"
        case attestedKeys = "attested_keys"
        case attestedReceiptTypes = "attested_receipt_types"
        case maximumAge = "max_age_seconds"
        case acceptsPurchasesThatDoNotCount = "accepts_purchases_that_do_not_count"
        case acceptsSHA1 = "accepts_sha1"
        case acceptsUnsignedEnvironment = "accepts_unsigned_environment"
        case roots
        case directSigners = "direct_signers"
        case intermediates
        case at
    }

    /// - Throws: The member that is unknown, or not what it has to be.
    init(_ text: [UInt8]) throws(PolicyError) {
        let reader = try PolicyReader(text)
        for (name, value) in reader.members {
            guard let member = Member(rawValue: name) else {
                let known = Member.allCases.map(\.rawValue).joined(separator: ", ")
                throw PolicyError(message: "unknown member '\(escapedForTerminal(name))'; a policy has \(known)")
            }
            try read(member, value, reader)
        }
    }

    private mutating func read(
        _ member: Member, _ value: JSONValue, _ reader: PolicyReader
    ) throws(PolicyError) {
        let name = member.rawValue
        switch member {
        case .bundleIDs: policy.bundleIdentifiers = Set(try reader.strings(value, name))
        case .environments:
            // One that nobody knows is met by no receipt.
            let names = try reader.strings(value, name)
            policy.environments = Set(names.map { ReceiptEnvironment(rawValue: $0.lowercased()) })
        case .applicationVersions: policy.applicationVersions = Set(try reader.strings(value, name))
        case .deviceIDs:
            var devices: [DeviceIdentifier] = []
            for text in try reader.strings(value, name) {
                guard let device = DeviceIdentifier(text) else {
                    throw PolicyError(message: "\(name) must be UUIDs, MAC addresses or hexadecimal digits")
                }
                devices.append(device)
            }
            policy.deviceIdentifiers = devices
        case .productIDs: policy.productIdentifiers = Set(try reader.strings(value, name))
        case .transactionIDs: policy.transactionIdentifiers = Set(try reader.strings(value, name))
        case .appAppleIDs:
            policy.appAppleIDs = []
            for text in try reader.strings(value, name) {
                guard let number = Int64(text), number > 0 else {
                    throw PolicyError(message: "\(name) must be apps' numbers in the App Store, as strings")
                }
                policy.appAppleIDs?.insert(number)
            }
        case .accountTokens: policy.accountTokens = Set(try reader.strings(value, name))
        case .attestedApps: policy.appAttest.appIDs = Set(try reader.strings(value, name))
        case .attestedKeys: policy.appAttest.keyIdentifiers = Set(try reader.strings(value, name))
        case .attestedReceiptTypes:
            let types = try reader.strings(value, name)
            policy.appAttest.receiptTypes = Set(types.map { AppAttestReceipt.ReceiptType(rawValue: $0) })
        case .maximumAge:
            let seconds = try reader.wholeNumber(value, name)
            // A century is no bound at all, and more would overflow in milliseconds.
            guard seconds <= 3_155_760_000 else {
                throw PolicyError(message: "\(name) must be at most 3155760000, a hundred years")
            }
            policy.maximumAge = .seconds(seconds)
        case .acceptsPurchasesThatDoNotCount:
            policy.acceptsPurchasesThatDoNotCount = try reader.bool(value, name)
        case .acceptsSHA1: policy.acceptsSHA1 = try reader.bool(value, name)
        case .acceptsUnsignedEnvironment:
            policy.transactionReceipts.acceptsUnsignedEnvironment = try reader.bool(value, name)
        case .roots: try trust(try reader.certificates(value, name), name)
        case .directSigners: try trustDirectly(try reader.certificates(value, name), name)
        case .intermediates: try addIntermediates(try reader.certificates(value, name), name)
        case .at:
            let text = try reader.string(value, name)
            if text == "receipt" { return }
            guard let date = ReceiptDate(rfc3339: text) else {
                throw PolicyError(message: "\(name) must be \"receipt\" or a date such as 2024-05-01T12:00:00Z")
            }
            self.date = date
            policy.validationTime = .at(date)
        }
    }

    /// Each in the role that it has, in place of the built-in roots.
    private mutating func trust(_ certificates: [[UInt8]], _ name: String) throws(PolicyError) {
        policy.roots = []
        for certificate in certificates {
            do throws(TrustError) {
                switch try TrustedCertificate(certificate: certificate) {
                case .root(let root): policy.roots.append(root)
                case .directSigner(let signer): policy.directSigners.append(signer)
                }
            } catch {
                throw PolicyError(message: "\(name): \(escapedForTerminal(error.description))")
            }
        }
    }

    private mutating func trustDirectly(_ certificates: [[UInt8]], _ name: String) throws(PolicyError) {
        for certificate in certificates {
            do throws(TrustError) {
                policy.directSigners.append(try DirectSigner(certificate: certificate))
            } catch {
                throw PolicyError(message: "\(name): \(escapedForTerminal(error.description))")
            }
        }
    }

    private mutating func addIntermediates(_ certificates: [[UInt8]], _ name: String) throws(PolicyError) {
        for certificate in certificates {
            do throws(ReceiptDecodingError) {
                _ = try DecodedCertificate(certificate, limits: .default)
            } catch {
                throw PolicyError(message: "\(name): \(escapedForTerminal(error.description))")
            }
            policy.intermediates.append(certificate)
            do throws(LibcryptoError) {
                // Whoever passes the authority of the old purchase receipt certificates wants receipts of their time.
                policy.transactionReceipts.purchaseReceiptAuthorities.insert(
                    try CertificateFingerprint(of: certificate))
            } catch {
                throw PolicyError(message: "internal error: \(error)")
            }
        }
    }
}
