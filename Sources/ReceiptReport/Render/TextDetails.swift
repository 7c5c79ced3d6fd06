import AppStoreReceipt
import AppStoreReceiptValidation
import ReceiptASN1
import ReceiptPKIX

/// What only `--all` shows: checks, attributes of unknown meaning, the signature and the certificates.
extension TextReport {
    mutating func appendChecks() {
        let style = page.style
        guard !report.checks.isEmpty else { return }
        page.heading("Checks")
        let nameWidth = report.checks.map { displayWidth($0.name.rawValue) }.max() ?? 0
        for check in report.checks where check.outcome != .notRun {
            let mark = check.outcome == .passed ? style.green("✓") : style.red("✗")
            page.hanging(
                "  \(mark) \(padded(check.name.rawValue, to: nameWidth))  ", width: nameWidth + 6,
                escapedMessage(redact.detail(of: check, in: report)))
        }
        let skipped = report.checks.filter { $0.outcome == .notRun }.map(\.name.rawValue)
        if !skipped.isEmpty { page.hanging("  · ", width: 4, "not run: " + skipped.joined(separator: ", ")) }
    }

    /// Attributes that no property shows, as they stand; empty ones of the purchases are left out.
    mutating func appendOtherAttributes(_ receipt: Receipt) {
        var pairs: [(name: String, value: String)] = []
        for attribute in receipt.attributes where attribute.type.name == nil {
            let version = attribute.version == 1 ? "" : ", version \(attribute.version)"
            pairs.append(("\(attribute.type.rawValue)\(version)", describe(attribute)))
        }
        for (index, purchase) in receipt.inApp.enumerated() {
            for attribute in purchase.attributes where attribute.type.name == nil {
                if attribute.rawValue.elementsEqual([0x0C, 0x00]) || attribute.rawValue.elementsEqual([0x16, 0x00]) {
                    continue
                }
                let version = attribute.version == 1 ? "" : ", version \(attribute.version)"
                pairs.append(("in_app[\(index)] \(attribute.type.rawValue)\(version)", describe(attribute)))
            }
        }
        guard !pairs.isEmpty else { return }
        page.heading("Other attributes")
        page.pairs(pairs)
    }

    private func describe(_ attribute: ReceiptAttribute) -> String {
        let form = Redactor.form(ofAttribute: attribute.type.rawValue)
        switch attribute.value.storage {
        case .utf8String(let text): return "UTF8String \"" + escapedForTerminal(redact(text, form)) + "\""
        case .ia5String(let text): return "IA5String \"" + escapedForTerminal(redact(text, form)) + "\""
        case .integer(let value): return "INTEGER " + redact(String(value), form)
        case .empty: return "empty"
        case .set, .raw: return "\(attribute.rawValue.count) bytes \(redact.octets(attribute.rawValue))"
        }
    }

    mutating func appendSignature() {
        let shown = redact.certificates(of: report)
        var pairs: [(name: String, value: String)] = []
        if let (signedData, der) = inspection.container, let signer = signedData.signerInfos.first {
            let names = [signer.digestAlgorithm, signer.signatureAlgorithm].map(\.algorithm.nameOrDotted)
            pairs.append(("algorithms", names.joined(separator: ", ")))
            if case .issuerAndSerialNumber(let issuer, let serialNumber) = signer.identifier {
                let name = der.span.commonName(issuer) ?? der.span.readableName(issuer)
                let octets = der[serialNumber]
                let serial = hex(octets.count > 1 && octets.first == 0 ? octets.dropFirst() : octets)
                pairs.append(("signer", "serial \(shown(serial)) by \(escapedForTerminal(shown(name)))"))
            }
            if signedData.signerInfos.count > 1 { pairs.append(("signers", "\(signedData.signerInfos.count)")) }
        }
        if case .transactionReceipt(let receipt) = inspection.finding {
            let digest = receipt.signatureVersion == 4 ? "SHA-256" : "SHA-1"
            pairs.append(("algorithms", "\(digest), rsaEncryption (version \(receipt.signatureVersion))"))
        }
        if let digest = report.payloadSHA256 { pairs.append(("payload_sha256", redact.octets(digest))) }
        guard !pairs.isEmpty else { return }
        page.heading("Signature")
        page.pairs(pairs)
    }

    mutating func appendCertificates() {
        guard !report.certificates.isEmpty else { return }
        let shown = redact.certificates(of: report)
        page.heading("Certificates")
        for (index, certificate) in report.certificates.enumerated() {
            switch certificate.content {
            case .unreadable(_, let error):
                page.line("  \(index + 1)  cannot be decoded: \(shown.isOn ? error.code.rawValue : error.description)")
            case .readable(let summary):
                page.hanging("  \(index + 1)  ", width: 5, escapedForTerminal(shown(summary.commonName)))
                let markers = summary.markers.map { marker in
                    ObjectIdentifier(dotted: marker)?.name.map { "\(marker) (\($0))" } ?? marker
                }
                page.pairs(
                    [
                        ("valid", "\(shortDate(summary.notBefore)) to \(shortDate(summary.notAfter))"),
                        ("serial", shown(summary.serialNumber)), ("signed with", summary.signatureAlgorithm),
                        ("markers", markers.joined(separator: ", ")),
                    ].filter { !$0.1.isEmpty }.map { (name: $0.0, value: $0.1) }, indent: 5)
            }
        }
    }
}
