import ReceiptJSON

/// A receipt that was found inside a JSON text: a request or response of verifyReceipt, a server notification,
/// or a line of `--lines`.
package struct ReceiptInJSON: Equatable, Sendable {
    /// Where it was found.
    package var place: Place
    /// The member's string, as UTF-8.
    package var text: [UInt8]
    /// The outermost object's member `id`, when it is a string, a number, true or false.
    package var id: Identifier?

    package struct Place: Equatable, Sendable {
        /// The member that held it: `receipt-data`, or else `latest_receipt`.
        package var member: String
        /// The names of the objects around it and its own, such as `unified_receipt.latest_receipt`.
        package var path: String
        /// Where the member's string begins, behind its quotation mark.
        package var offset: Int
    }

    package enum Identifier: Equatable, Sendable {
        case string(String)
        /// A number, true or false, as written.
        case literal([UInt8])
    }

    /// Deeper texts are refused, which bounds the recursion.
    static let limits = JSONLimits(bytes: Int(Int32.max), depth: 64, members: .max, values: .max)

    /// Looks for a receipt in a text that is one JSON object (RFC 8259); nil when it is not one or holds none.
    ///
    /// `receipt-data` is preferred to `latest_receipt`, the first occurrence to later ones, at any depth.
    ///
    /// - Parameter lastCounts: Whether of a `receipt-data` that the outermost object repeats the last counts, as Apple's
    ///   endpoint was seen to read it (2026-09), instead of this being no JSON.
    package static func find(in bytes: Span<UInt8>, lastCounts: Bool = false) -> ReceiptInJSON? {
        find(in: bytes, document(bytes, repeatsNames: lastCounts), lastCounts: lastCounts)
    }

    /// The text as JSON; nil when it is none, which is no error: it may be something else.
    package static func document(_ bytes: Span<UInt8>, repeatsNames: Bool = false) -> JSONDocument? {
        let text = bytes.hasByteOrderMark ? bytes.extracting(3..<bytes.count) : bytes
        var limits = limits
        limits.repeatsNames = repeatsNames
        return try? JSONDocument(text, limits: limits)
    }

    package static func find(
        in bytes: Span<UInt8>, _ document: JSONDocument?, lastCounts: Bool = false
    ) -> ReceiptInJSON? {
        guard let document else { return nil }
        let skipped = bytes.hasByteOrderMark ? 3 : 0
        let text = bytes.extracting(skipped..<bytes.count)
        var search = Search(document: document)
        if lastCounts {
            for member in document.members(of: document.root)
            where member.value.kind == .string && member.hasName("receipt-data", in: text) {
                search.receiptData = (member.value, "receipt-data")
            }
        }
        search.look(into: document.root, text, path: "")
        guard let found = search.receiptData ?? search.latestReceipt, let content = found.value.string(in: text) else {
            return nil
        }
        return ReceiptInJSON(
            place: Place(
                member: search.receiptData != nil ? "receipt-data" : "latest_receipt", path: found.path,
                offset: skipped + found.value.range.lowerBound),
            text: Array(content.utf8), id: identifier(document, text))
    }

    private static func identifier(_ document: JSONDocument, _ text: Span<UInt8>) -> Identifier? {
        guard let id = document.member("id", of: document.root, in: text) else { return nil }
        switch id.kind {
        case .string: return id.string(in: text).map { .string($0) }
        case .number, .true, .false: return .literal(id.range.map { text[$0] })
        default: return nil
        }
    }

    private struct Search {
        let document: JSONDocument
        var receiptData: (value: JSONValue, path: String)?
        var latestReceipt: (value: JSONValue, path: String)?

        mutating func look(into value: JSONValue, _ text: Span<UInt8>, path: String) {
            guard receiptData == nil else { return }
            for element in document.elements(of: value) where element.kind == .object || element.kind == .array {
                look(into: element, text, path: path)
            }
            for member in document.members(of: value) {
                let isContainer = member.value.kind == .object || member.value.kind == .array
                guard isContainer || member.value.kind == .string else { continue }
                let isReceipt = member.hasName("receipt-data", in: text)
                guard isContainer || isReceipt || member.hasName("latest_receipt", in: text) else { continue }
                let name = member.name.text(in: text)
                let inside = path.isEmpty ? name : path.utf8.count > 200 ? path : "\(path).\(name)"
                if isContainer {
                    look(into: member.value, text, path: inside)
                } else if isReceipt {
                    receiptData = receiptData ?? (member.value, inside)
                } else {
                    latestReceipt = latestReceipt ?? (member.value, inside)
                }
            }
        }
    }
}

extension Span<UInt8> {
    fileprivate var hasByteOrderMark: Bool { count >= 3 && self[0] == 0xEF && self[1] == 0xBB && self[2] == 0xBF }
}
