import AppStoreReceipt
import ReceiptReport

extension Options {
    /// The options that ask for something to be verified.
    private var validating: [String] {
        var names: [String] = []
        if !roots.isEmpty { names.append("root") }
        if !intermediates.isEmpty { names.append("intermediate") }
        if validationTime != .receiptCreation { names.append("at") }
        names += expecting
        return names
    }

    private var expecting: [String] {
        [
            (bundleIDs.isEmpty, "bundle-id"), (environments.isEmpty, "environment"),
            (applicationVersions.isEmpty, "app-version"), (deviceIDs.isEmpty, "device-id"),
            (productIDs.isEmpty, "product-id"), (transactionIDs.isEmpty, "transaction-id"),
            (appAppleIDs.isEmpty, "app-apple-id"), (accountTokens.isEmpty, "account-token"),
            (attestedApps.isEmpty, "attested-app"), (attestedKeys.isEmpty, "attested-key"),
            (!acceptsUnsignedEnvironment, "accept-unsigned-environment"),
        ].filter { !$0.0 }.map(\.1)
    }

    /// What only the whole command line can tell: defaults that depend on other options, and combinations that make no sense.
    mutating func settle(_ given: Set<String>) throws(UsageError) {
        if !validates, let option = validating.first {
            throw UsageError("--no-validate verifies nothing, so --\(option) has no place beside it")
        }
        if acceptsUnsignedEnvironment, environments.isEmpty {
            throw UsageError("--accept-unsigned-environment is about what --environment expects, which is missing")
        }
        if format == .verifyReceipt {
            if !validates {
                throw UsageError("--format verify-receipt is a verdict, so --no-validate has no place beside it")
            }
        } else if requestDate != nil || followsObservedBehavior {
            let option = requestDate != nil ? "request-date" : "as-observed"
            throw UsageError("--\(option) is for --format verify-receipt only")
        }
        if redacts, format == .asn1 || format == .verifyReceipt {
            throw UsageError("--redact works with text, json and html, not with --format \(format.rawValue)")
        }
        if showsAll, format != .text || compares || readsLines {
            throw UsageError("--all is for the text report, so it has no place here")
        }
        if selection != .all, format == .asn1 || format == .verifyReceipt || compares || readsLines {
            throw UsageError("--only and --newest choose what a report of one input shows, so they have no place here")
        }
        if compares {
            if readsLines { throw UsageError("--diff compares two receipts, so --lines has no place beside it") }
            if inputs.count != 2 { throw UsageError("--diff needs two files, not \(inputs.count)") }
            if format != .text && format != .json {
                throw UsageError("--diff works with text and json, not with --format \(format.rawValue)")
            }
        }
        if format == .html, inputs.count > 1 {
            throw UsageError("--format html makes one page, of one input, not of \(inputs.count)")
        }
        if readsLines {
            if given.contains("format"), format != .json && format != .verifyReceipt {
                throw UsageError("--lines writes JSON, so --format \(format.rawValue) has no place beside it")
            }
            if isBrief, format == .verifyReceipt {
                throw UsageError("--brief has its own form, not that of verify-receipt")
            }
            if !given.contains("jobs") { jobs = processorCount }
            if format == .text { format = .json }
        } else if let option = ["brief", "jobs", "quiet"].first(where: given.contains) {
            throw UsageError("--\(option) is for --lines only")
        }
        if inputs.isEmpty { inputs = [.standardInput] }
        if inputs.filter({ $0 == .standardInput }).count > 1 {
            throw UsageError("standard input can be read only once")
        }
    }
}
