/// Says whose token a JWS is that Apple's StoreKit or App Store Server API did not sign.
package enum ForeignToken {
    package static func diagnose(_ jws: Span<UInt8>) -> Diagnosis? {
        var points: [Int] = []
        for offset in 0..<jws.count where jws[offset] == UInt8(ascii: ".") { points.append(offset) }
        guard points.count == 2 else { return nil }
        let header = decoded(jws, 0..<points[0])
        // Apple signs with a chain of certificates in the header, and nothing else does.
        guard header.span.range(of: "\"x5c\"", in: 0..<header.count) == nil else { return nil }
        let payload = decoded(jws, (points[0] + 1)..<points[1])
        func says(_ text: StaticString) -> Bool { payload.span.range(of: text, in: 0..<payload.count) != nil }
        if says("appstoreconnect-v1") {
            return Diagnosis(
                "api-token",
                "a token for the App Store Connect or Server API, which its developer made; it is not from Apple",
                "send what Apple signed: a receipt, or a signedTransactionInfo; keep tokens for the API to yourself")
        }
        if says("https://appleid.apple.com") {
            return Diagnosis(
                "identity-token",
                "an identity token of Sign in with Apple, which says who somebody is and not what was bought",
                "send the receipt or the JWS of the purchase")
        }
        if says("accounts.google.com") || says("securetoken.google.com") {
            return Diagnosis(
                "identity-token", "an identity token of Google's, not of the App Store",
                "send the receipt or the JWS of the purchase")
        }
        return Diagnosis(
            "other-token", "a JSON Web Signature without certificates in its header: the App Store did not sign it",
            "send a JWS of StoreKit 2 or of the App Store Server API, whose header has x5c")
    }

    private static func decoded(_ text: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
        var scan = Base64Scan(range, rules: .init())
        var bytes = [UInt8](repeating: 0, count: Base64Scan.capacity(range.count))
        scan.run(text, into: &bytes)
        bytes.removeLast(bytes.count - min(scan.written, bytes.count))
        return bytes
    }
}
