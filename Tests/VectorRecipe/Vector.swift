/// One test case: an input, and what everybody is to say about it. `Fixtures/README.md` explains the file.
package struct Vector: Hashable, Sendable {
    package var group: String
    package var name: String
    /// Headers in the order of the file; a key may repeat.
    package var headers: [Header]
    /// The receipt's bytes, or with `input: text` the text as it was received.
    package var input: [UInt8]

    package struct Header: Hashable, Sendable {
        package var key: Key
        package var value: String
    }

    /// Every key a file may have.
    package enum Key: String, CaseIterable, Sendable {
        /// `valid`, `rejected/REASON` or `undecodable/CODE@OFFSET`.
        case expect
        /// In a rejection over a malformed part: the decoding code that the message must name.
        case cause
        /// `text`: the input goes through transport decoding.
        case input
        /// With `input: text`, what exact transport decoding says: `ok` or `undecodable/CODE@OFFSET`.
        case exact
        /// With `input: text`, the form that tolerant transport decoding finds.
        case form
        /// With `input: text`, the codes of the repairs, in order, between blanks.
        case repairs
        /// A file of `Fixtures/roots` without its suffix, or `apple`. Repeatable.
        case root
        /// For transaction receipts, a file of `Fixtures/intermediates` that the caller passes. Repeatable.
        case intermediate
        /// One of these whose purchase receipt certificates the policy accepts.
        case authority
        /// `believed`: the policy accepts an environment that nobody signed.
        case unsignedEnvironment = "unsigned-environment"
        /// Validation time: `receipt`, the default, or a date.
        case at
        /// The date of the request, for ages and expirations.
        case now
        case bundleID = "bundle-id"
        case environment
        case appVersion = "app-version"
        /// Hexadecimal.
        case deviceID = "device-id"
        case productID = "product-id"
        case transactionID = "transaction-id"
        /// A number of the App Store that signed JSON must state in production.
        case appAppleID = "app-apple-id"
        case accountToken = "account-token"
        /// Of an App Attest receipt: the App ID, the identifier of the key in base64, `ATTEST` or `RECEIPT`.
        case attestedApp = "attested-app"
        case attestedKey = "attested-key"
        case attestedType = "attested-type"
        /// In seconds.
        case maximumAge = "max-age"
        /// `refused`: the policy does not accept SHA-1.
        case sha1
        /// `NAME=NUMBER`: a decoding limit other than the default. Repeatable.
        case limit
        /// What `CMS_verify` says under the same root at the same time: `ok`, `fail`, or `varies` where versions differ.
        case openssl
        /// Checks that fail besides the one that gives the reason, between blanks.
        case alsoFails = "also-fails"
        case comment
    }

    /// The values of a key.
    package func all(_ key: Key) -> [String] { headers.filter { $0.key == key }.map(\.value) }

    /// The first value of a key.
    package subscript(key: Key) -> String? { headers.first { $0.key == key }?.value }
}

extension Vector {
    /// The input in base64, in one line.
    package var base64: String { Base64Text.encode(input) }
}

// MARK: - The file

extension Vector {
    /// The file's text.
    package var text: String {
        let lines = headers.map { "\($0.key.rawValue): \($0.value)\n" }
        return lines.joined() + "\n" + Self.wrap(Base64Text.encode(input))
    }

    /// Reads a file. The group and the name are those of its path.
    ///
    /// - Throws: ``VectorError`` for an unknown key, a missing one, or a body that is not base64.
    package init(group: String, name: String, text: String) throws(VectorError) {
        self.group = group
        self.name = name
        headers = []
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
        while let line = lines.popFirst(), !line.isEmpty {
            guard let colon = line.firstIndex(of: ":"), let key = Key(rawValue: String(line[..<colon])) else {
                throw VectorError("\(group)/\(name): unknown key in '\(line)'")
            }
            headers.append(Header(key: key, value: line[line.index(after: colon)...].drop { $0 == " " }.description))
        }
        guard let input = Base64Text.decode(lines.joined()) else {
            throw VectorError("\(group)/\(name): the body is not base64")
        }
        self.input = input
        for key: Key in [.expect, .openssl, .comment] where self[key] == nil {
            throw VectorError("\(group)/\(name): no \(key.rawValue)")
        }
    }

    private static func wrap(_ text: String) -> String {
        var output = ""
        var rest = text.utf8[...]
        while !rest.isEmpty {
            output += String(decoding: rest.prefix(100), as: UTF8.self) + "\n"
            rest = rest.dropFirst(100)
        }
        return output
    }
}

package struct VectorError: Error, CustomStringConvertible {
    package var description: String
    package init(_ description: String) { self.description = description }
}
