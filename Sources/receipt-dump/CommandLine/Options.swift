import AppStoreReceipt
import AppStoreReceiptValidation
import ReceiptReport

/// What the command line asks for.
struct Options: Equatable, Sendable {
    var action: Action = .show
    var format: Format = .text
    /// The inputs in order; standard input alone when none was named.
    var inputs: [Input] = []
    /// Whether receipts are verified, and not only shown.
    var validates = true
    var redacts = false
    /// The key of the hashes that replace identifiers; nil for a new one.
    var redactKey: String?
    /// Whether the text report shows everything.
    var showsAll = false
    /// Which purchases to show.
    var selection = PurchaseSelection.all
    var colour = Colour.auto
    /// Files of certificates to trust instead of Apple's root.
    var roots: [String] = []
    /// Files of certificates that may issue a signer's certificate where the receipt carries none.
    var intermediates: [String] = []
    var validationTime = ValidationTime.receiptCreation
    var bundleIDs: [String] = []
    var environments: [ReceiptEnvironment] = []
    /// Whether an environment that nobody signed meets the expected ones.
    var acceptsUnsignedEnvironment = false
    var applicationVersions: [String] = []
    var deviceIDs: [DeviceIdentifier] = []
    var productIDs: [String] = []
    var transactionIDs: [String] = []
    var appAppleIDs: [Int64] = []
    var accountTokens: [String] = []
    var attestedApps: [String] = []
    var attestedKeys: [String] = []

    /// For `--format verify-receipt`: what `request_date` shows, and how closely to follow Apple's endpoint.
    var requestDate: ValidationTime?
    var followsObservedBehavior = false
    /// Whether two receipts are compared instead of shown.
    var compares = false
    /// For `--lines`: one receipt a line, answered in short, by how many threads, and without a summary.
    var readsLines = false
    var isBrief = false
    var jobs = 1
    var isQuiet = false

    enum ValidationTime: Equatable, Sendable {
        case receiptCreation
        case now
        case date(ReceiptDate)
    }

    enum Action: Equatable, Sendable {
        case show
        case help
        case version
        case completions(Shell)
        case manual
    }

    enum Colour: String, CaseIterable, Sendable {
        case auto
        case always
        case never
    }

    enum Format: String, CaseIterable, Sendable {
        case text
        case json
        case html
        case asn1
        case verifyReceipt = "verify-receipt"
    }
}

/// One thing to read.
enum Input: Hashable, Sendable {
    case standardInput
    case file(String)

    /// How reports name it: the path as given, `-` for standard input.
    var name: String {
        switch self {
        case .standardInput: "-"
        case .file(let path): path
        }
    }
}
