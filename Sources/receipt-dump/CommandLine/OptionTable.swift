import AppStoreReceipt
import AppStoreReceiptValidation
import ReceiptReport

/// Every option of the command line, in the order in which `--help` shows them.
let optionTable: [OptionDescription] = [
    OptionDescription(
        name: "format", value: "FORMAT", words: Options.Format.allCases.map(\.rawValue), group: .output,
        help: [
            "text: a report to read (the default); json: one object an input;",
            "html: one page for a browser, which loads nothing;",
            "asn1: the tree of the input's own bytes, whatever they are, unverified;",
            "verify-receipt: the answer that Apple's verifyReceipt would give, as far as a",
            "receipt can tell. Its status 0 says genuine; the exit status minds expectations.",
        ],
        apply: { (options, value) throws(UsageError) in
            options.format = try choice(value, of: "--format", among: Options.Format.allCases)
        }),
    OptionDescription(
        name: "request-date", value: "TIME", words: ["now"], group: .output,
        help: [
            "For verify-receipt: show request_date, now or a date such as 2024-05-01T12:00:00Z.",
            "The subscription of a transaction receipt may have expired by then (21006).",
        ],
        apply: { (options, value) throws(UsageError) in
            options.requestDate = try time(value, option: "request-date", words: ["now"])
        }),
    OptionDescription(
        name: "as-observed", group: .output,
        help: [
            "For verify-receipt: do what Apple's endpoint was seen to do. 21002 instead of 21003,",
            "canonical base64 only, bytes after the receipt ignored, at most 3,145,728 bytes.",
        ],
        apply: { (options, _) throws(UsageError) in options.followsObservedBehavior = true }),
    OptionDescription(
        name: "all", group: .output,
        help: ["For text: show every check, attribute, purchase and certificate, not a screen."],
        apply: { (options, _) throws(UsageError) in options.showsAll = true }),
    OptionDescription(
        name: "only", value: "WHAT=ID", repeats: true, group: .output,
        help: [
            "Show these purchases only: product=ID, transaction=ID or original=ID, the first",
            "transaction of a subscription. It demands nothing.",
        ],
        apply: { (options, value) throws(UsageError) in try select(value, &options.selection) }),
    OptionDescription(
        name: "newest", value: "N", group: .output, help: ["Show the N newest purchases only."],
        apply: { (options, value) throws(UsageError) in
            guard let number = Int(value), number > 0 else {
                throw UsageError("--newest must be a number of 1 or more, not \(quoted(value))")
            }
            options.selection.newest = number
        }),
    OptionDescription(
        name: "color", value: "WHEN", group: .output,
        help: ["Colour the text: auto (on a terminal, the default), always or never."],
        apply: { (options, value) throws(UsageError) in
            options.colour = try choice(value, of: "--color", among: Options.Colour.allCases)
        }),
    OptionDescription(
        name: "redact", group: .output,
        help: [
            "Replace identifiers, hashes and opaque values by short keyed hashes, the same",
            "everywhere in one run, so that the output can go into a ticket.",
        ],
        apply: { (options, _) throws(UsageError) in options.redacts = true }),
    OptionDescription(
        name: "redact-key", value: "KEY", group: .output,
        help: [
            "Like --redact, with the same hashes in every run that has the same KEY. Keep it",
            "secret: who has it can find out short values by trying.",
        ],
        apply: { (options, value) throws(UsageError) in
            options.redacts = true
            options.redactKey = value
        }),
    OptionDescription(
        name: "no-validate", group: .trust, help: ["Show what the input holds and verify nothing."],
        apply: { (options, _) throws(UsageError) in options.validates = false }),
    OptionDescription(
        name: "root", value: "FILE", repeats: true, group: .trust,
        help: [
            "Trust the certificates in FILE (PEM or DER) instead of Apple's root. A receipt",
            "from Xcode needs the certificate that signed it, exported from Xcode.",
        ],
        apply: { (options, value) throws(UsageError) in options.roots.append(value) }),
    OptionDescription(
        name: "intermediate", value: "FILE", repeats: true, group: .trust,
        help: [
            "Certificates that may stand between an iOS 6-style receipt, which carries none,",
            "and a trusted root. Those of WWDR since 2013 are built in. Receipts up to 2016",
            "need Apple iTunes Store Certification Authority.",
        ],
        apply: { (options, value) throws(UsageError) in options.intermediates.append(value) }),
    OptionDescription(
        name: "at", value: "TIME", words: ["receipt", "now"], group: .trust,
        help: [
            "When the certificates must be valid: receipt (its creation date, the default),",
            "now, or a date such as 2024-05-01T12:00:00Z. With a date or now, the expiration",
            "of a volume purchase is checked too.",
        ],
        apply: { (options, value) throws(UsageError) in
            options.validationTime = try time(value, option: "at", words: ["receipt", "now"])
        }),
    OptionDescription(
        name: "bundle-id", value: "ID", repeats: true, group: .expectations,
        help: ["The receipt must be for this app."],
        apply: { (options, value) throws(UsageError) in options.bundleIDs.append(value) }),
    OptionDescription(
        name: "environment", value: "ENVIRONMENT", words: ["production", "sandbox", "xcode"], repeats: true,
        group: .expectations,
        help: ["It must come from there: production, sandbox or xcode, in capitals or not."],
        apply: { (options, value) throws(UsageError) in
            options.environments.append(
                try choice(value.lowercased(), of: "--environment", among: ReceiptEnvironment.known, shown: value))
        }),
    OptionDescription(
        name: "accept-unsigned-environment", group: .expectations,
        help: [
            "For --environment, believe what a transaction receipt states of itself. It does so",
            "outside its signature, so that nothing vouches for production.",
        ],
        apply: { (options, _) throws(UsageError) in options.acceptsUnsignedEnvironment = true }),
    OptionDescription(
        name: "app-version", value: "VERSION", repeats: true, group: .expectations,
        help: ["It must be for this version of the app."],
        apply: { (options, value) throws(UsageError) in options.applicationVersions.append(value) }),
    OptionDescription(
        name: "device-id", value: "ID", repeats: true, group: .expectations,
        help: ["It must be for this device: a UUID, a MAC address or hexadecimal digits."],
        apply: { (options, value) throws(UsageError) in
            guard let device = DeviceIdentifier(value) else {
                throw UsageError(
                    "--device-id must be a UUID, a MAC address or hexadecimal digits, not \(quoted(value))")
            }
            options.deviceIDs.append(device)
        }),
    OptionDescription(
        name: "product-id", value: "ID", repeats: true, group: .expectations,
        help: ["This product must be among the purchases; several: all of them."],
        apply: { (options, value) throws(UsageError) in options.productIDs.append(value) }),
    OptionDescription(
        name: "transaction-id", value: "ID", repeats: true, group: .expectations,
        help: ["This transaction must be among the purchases; several: all of them."],
        apply: { (options, value) throws(UsageError) in options.transactionIDs.append(value) }),
    OptionDescription(
        name: "app-apple-id", value: "NUMBER", repeats: true, group: .expectations,
        help: [
            "In production, an app transaction or notification must be for this app: its number",
            "in the App Store.",
        ],
        apply: { (options, value) throws(UsageError) in
            guard let number = Int64(value), number > 0 else {
                throw UsageError("--app-apple-id must be an app's number in the App Store, not \(quoted(value))")
            }
            options.appAppleIDs.append(number)
        }),
    OptionDescription(
        name: "account-token", value: "UUID", repeats: true, group: .expectations,
        help: ["A transaction of StoreKit 2 must be for this account (appAccountToken)."],
        apply: { (options, value) throws(UsageError) in options.accountTokens.append(value) }),
    OptionDescription(
        name: "attested-app", value: "APPID", repeats: true, group: .expectations,
        help: ["An App Attest receipt must be for this app: TEAMID.bundle.identifier."],
        apply: { (options, value) throws(UsageError) in options.attestedApps.append(value) }),
    OptionDescription(
        name: "attested-key", value: "KEYID", repeats: true, group: .expectations,
        help: ["An App Attest receipt must be for this key: its identifier, in base64."],
        apply: { (options, value) throws(UsageError) in options.attestedKeys.append(value) }),
    OptionDescription(
        name: "diff", group: .many,
        help: [
            "With two FILEs, A and B: show what differs in fields, purchases and certificates",
            "instead of the receipts. As text, or with --format json.",
        ],
        apply: { (options, _) throws(UsageError) in options.compares = true }),
    OptionDescription(
        name: "lines", group: .many,
        help: [
            "One receipt a line in, one JSON object a line out, in the same order. A line is any",
            "text form, or a JSON object with receipt-data and an id that is repeated. It may",
            "ask for more than the options do, by bundle-id, environment, app-version,",
            "device-id, product-id, transaction-id (a string or an array) and at (a date). A",
            "line that is no receipt is an answer too, and the exit status does not tell",
            "verdicts. Each line is answered as soon as it has been read, so that a program",
            "can keep the tool running and ask it through a pipe.",
        ],
        apply: { (options, _) throws(UsageError) in options.readsLines = true }),
    OptionDescription(
        name: "brief", group: .many,
        help: ["With --lines: the verdict and what is needed to grant purchases, only."],
        apply: { (options, _) throws(UsageError) in options.isBrief = true }),
    OptionDescription(
        name: "jobs", value: "N", group: .many,
        help: ["With --lines: threads that work on it, 1 to 256 (default: one for each core)."],
        apply: { (options, value) throws(UsageError) in
            guard let jobs = Int(value), (1...256).contains(jobs) else {
                throw UsageError("--jobs must be a number from 1 to 256, not \(quoted(value))")
            }
            options.jobs = jobs
        }),
    OptionDescription(
        name: "quiet", letter: "q", group: .many,
        help: ["With --lines: no progress and no summary on standard error."],
        apply: { (options, _) throws(UsageError) in options.isQuiet = true }),
    OptionDescription(
        name: "help", letter: "h", group: .other, help: ["Show this page."],
        apply: { (options, _) throws(UsageError) in options.action = .help }, isFinal: true),
    OptionDescription(
        name: "version", group: .other, help: ["Show the program's version."],
        apply: { (options, _) throws(UsageError) in options.action = .version }, isFinal: true),
    OptionDescription(
        name: "completions", value: "SHELL", words: Shell.allCases.map(\.rawValue), group: .other,
        help: ["Write a script with which bash, zsh or fish completes these options."],
        apply: { (options, value) throws(UsageError) in
            options.action = .completions(try choice(value, of: "--completions", among: Shell.allCases))
        }, isFinal: true),
    OptionDescription(
        name: "manual", group: .other, help: ["Write the manual page, for man."],
        apply: { (options, _) throws(UsageError) in options.action = .manual }, isFinal: true),
]

/// One word of a closed list, or a usage error that names the list.
func choice<Choice: RawRepresentable<String>>(
    _ value: String, of option: String, among choices: [Choice], shown: String? = nil
) throws(UsageError) -> Choice {
    if let choice = choices.first(where: { $0.rawValue == value }) { return choice }
    let names = choices.map(\.rawValue)
    let suggestion = nearest(to: value, among: names).map { ": did you mean \($0)?" }
    let last = names.last ?? ""
    let list = names.count > 1 ? names.dropLast().joined(separator: ", ") + " or " + last : last
    throw UsageError("\(option) must be \(list), not \(quoted(shown ?? value))" + (suggestion ?? ""))
}

/// One `--only`.
private func select(_ value: String, _ selection: inout PurchaseSelection) throws(UsageError) {
    let parts = value.split(separator: "=", maxSplits: 1).map { String($0) }
    switch (parts.first, parts.count == 2 ? parts[1] : nil) {
    case ("product"?, let id?): selection.productIDs.insert(id)
    case ("transaction"?, let id?): selection.transactionIDs.insert(id)
    case ("original"?, let id?): selection.originalTransactionIDs.insert(id)
    default:
        throw UsageError("--only must be product=ID, transaction=ID or original=ID, not \(quoted(value))")
    }
}

/// A time on the command line: a word, or a date.
private func time(
    _ value: String, option: String, words: [String]
) throws(UsageError) -> Options.ValidationTime {
    if words.contains(value) { return value == "now" ? .now : .receiptCreation }
    guard let date = ReceiptDate(rfc3339: value) else {
        let list = words.joined(separator: ", ")
        throw UsageError("--\(option) must be \(list) or a date such as 2024-05-01T12:00:00Z, not \(quoted(value))")
    }
    return .date(date)
}
