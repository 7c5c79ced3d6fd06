/// Replaces what identifies a customer, a device, an app or a purchase by short hashes, for output that goes into a ticket.
///
/// Equal values get equal hashes, in every run and on every host, so that a reader can still follow a
/// transaction through a report. The hash is keyed by nothing: whoever can list the candidates for a value can
/// find it out. It keeps identifiers from being read in passing, not from being searched for.
package struct Redactor: Sendable {
    package var isOn: Bool

    package init(isOn: Bool) { self.isOn = isOn }

    /// An identifier, a hash, or text of unknown meaning.
    package func callAsFunction(_ value: String) -> String {
        isOn && !value.isEmpty ? "#" + hex(sha256(value.utf8).prefix(5)) : value
    }

    package func callAsFunction(_ value: String?) -> String? { value.map { self($0) } }

    /// A number that identifies something; 0 identifies nothing.
    package func callAsFunction(_ value: Int64?) -> String? {
        value.map { isOn && $0 == 0 ? "0" : self(String($0)) }
    }

    /// Octets, as hexadecimal digits.
    package func callAsFunction(_ value: some Collection<UInt8>) -> String {
        isOn && !value.isEmpty ? "#" + hex(sha256(value).prefix(5)) : hex(value)
    }
}

extension Redactor {
    /// Attribute types whose values are readable in a redacted report: kinds, versions, dates, counts.
    ///
    /// What is not known to be harmless is replaced.
    func isReadable(_ type: Int) -> Bool {
        switch type {
        case 0, 3, 8, 10, 12, 13, 14, 17, 18, 19, 21, 22, 25, 32: true
        case 1701, 1704, 1706, 1707, 1708, 1712, 1713, 1719, 1720, 1722: true
        default: !isOn
        }
    }
}

extension Redactor {
    /// A message of the validator's or the decoder's, with the identifiers and the input that it quotes replaced.
    ///
    /// - Parameter subject: The check or the reason that the message belongs to; it tells what is quoted.
    func message(_ message: String, about subject: String) -> String {
        guard isOn else { return message }
        // Decoders quote input in double quotation marks, and at the end without any.
        if let reads = message.firstRange(of: "it reads ") { return message[..<reads.upperBound] + "(redacted)" }
        if message.contains("\"") {
            let parts = message.split(separator: "\"", omittingEmptySubsequences: false)
            return parts.enumerated().map { $0.offset % 2 == 1 ? self(String($0.element)) : String($0.element) }
                .joined(separator: "\"")
        }
        let prefixes = ["bundle-identifier", "product", "transaction"]
        if prefixes.contains(where: subject.hasPrefix) {
            let parts = message.split(separator: "'", omittingEmptySubsequences: false)
            return parts.enumerated().map { $0.offset % 2 == 1 ? self(String($0.element)) : String($0.element) }
                .joined(separator: "'")
        }
        let device = "the hash fits device "
        if subject == "device", message.hasPrefix(device) {
            return device + self(String(message.dropFirst(device.count)))
        }
        return message
    }
}
