import AppStoreReceipt
import AppStoreReceiptValidation
import ReceiptJSON

/// Pieces of reports that were written before and are the same in thousands of others: what the checks of a chain say, and
/// what stands before the value of an attribute. For reports on one line that hide nothing; each worker has its own.
package struct RepeatedJSON: Sendable {
    /// How many chains' outcomes are remembered: the last ones.
    private static let capacity = 16

    private var outcomes: [(chain: CertificateChain, json: [UInt8])] = []
    /// By type and encoding; empty where none was written.
    private var attributes = [[UInt8]](repeating: [], count: 128 * 4)

    package init() {}

    /// Writes the outcomes of checks, those that a chain has for every document as they were written before.
    mutating func write(_ checks: [Check], _ repeated: RepeatedOutcomes?, to json: inout JSONWriter) {
        guard let repeated, !repeated.places.isEmpty else {
            for check in checks { json.write(check) }
            return
        }
        for check in checks[..<repeated.places.lowerBound] { json.write(check) }
        if let known = outcomes.firstIndex(where: { $0.chain === repeated.chain }) {
            json.verbatim(outcomes[known].json)
        } else {
            let start = json.offset
            for check in checks[repeated.places] { json.write(check) }
            var written = json.bytes(from: start)
            if written.first == UInt8(ascii: ",") { written.removeFirst() }
            if outcomes.count == Self.capacity { outcomes.removeFirst() }
            outcomes.append((repeated.chain, written))
        }
        for check in checks[repeated.places.upperBound...] { json.write(check) }
    }

    /// Writes an attribute, if it is of a usual type and version.
    mutating func writeAttribute(
        _ type: Int, _ version: Int, _ encoding: ReceiptAttribute.Encoding, _ octets: Span<UInt8>,
        to json: inout JSONWriter
    ) -> Bool {
        guard version == 1, let slot = Self.slot(type) else { return false }
        switch encoding {
        case .utf8String(let text):
            begin(slot, 0, type, "UTF8String", "value", &json)
            json.append(octets.extracting(text))
        case .ia5String(let text):
            begin(slot, 1, type, "IA5String", "value", &json)
            json.append(octets.extracting(text))
        case .integer(let number):
            begin(slot, 2, type, "INTEGER", "value", &json)
            json.append(digits: number)
        case .raw:
            begin(slot, 3, type, "raw", "hex", &json)
            json.append(hex: octets)
        case .set, .empty: return false
        }
        json.endVerbatim("\"}")
        return true
    }

    private static func slot(_ type: Int) -> Int? {
        switch type {
        case 0..<64: type
        case 1_700..<1_764: 64 + type - 1_700
        default: nil
        }
    }

    /// Everything up to the value's quotation mark.
    private mutating func begin(
        _ slot: Int, _ encoding: Int, _ type: Int, _ name: StaticString, _ key: StaticString, _ json: inout JSONWriter
    ) {
        let index = 4 * slot + encoding
        if attributes[index].isEmpty {
            attributes[index] = Array(
                #"{"type":\#(type),"version":1,"encoding":"\#(name)","\#(key)":""#.utf8)
        }
        json.verbatim(attributes[index])
    }
}

extension JSONWriter {
    /// The outcome of a check.
    mutating func write(_ check: Check) {
        beginObject()
        member("name", check.name.rawValue)
        member("outcome", check.outcome.rawValue)
        key("detail")
        string(check.sentence)
        endObject()
    }
}
