import ReceiptASN1
import TestSupport
import Testing

/// Object identifiers as text and as octets (X.690 8.19), and their names.
@Suite struct ObjectIdentifierTests {
    /// Arcs of any size; the values beyond 64 bits were computed by hand with another program.
    static let dotted: [(octets: String, expected: String?)] = [
        ("2A 86 48 86 F7 0D 01 07 02", "1.2.840.113549.1.7.2"), ("00", "0.0"), ("27", "0.39"), ("28", "1.0"),
        ("4F", "1.39"), ("50", "2.0"), ("88 37", "2.999"), ("8F FF 7F", "2.262063"),
        ("69 81 FF FF FF FF FF FF FF FF 7F", "2.25.18446744073709551615"),
        ("69 82 80 80 80 80 80 80 80 80 00", "2.25.18446744073709551616"),
        (
            "69 83 FF FF FF FF FF FF FF FF FF FF FF FF FF FF FF FF FF 7F",
            "2.25.340282366920938463463374607431768211455"
        ),
        (
            "69 84 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80 80 00",
            "2.25.340282366920938463463374607431768211456"
        ),
        // The first two arcs share a number, which may be large too.
        ("82 80 80 80 80 80 80 80 80 4F", "2.18446744073709551615"),
        ("82 80 80 80 80 80 80 80 80 50", "2.18446744073709551616"),
        ("83 DC EB 94 4F", "2.999999999"), ("83 DC EB 94 50", "2.1000000000"),
        ("8D F0 AD D6 BA BB 90 80 4F", "2.999999999999999999"),
        ("8D F0 AD D6 BA BB 90 80 50", "2.1000000000000000000"),
        ("", nil), ("80 01", nil), ("2A 80 01", nil), ("2A 86", nil),
    ]

    @Test(arguments: dotted.indices)
    func dottedForm(index: Int) {
        let (octets, expected) = Self.dotted[index]
        let text = ObjectIdentifier.dotted(hex(octets)[...])
        #expect(text == expected)
        if let expected, let identifier = ObjectIdentifier(dotted: expected) {
            #expect(identifier.content == hex(octets))
        }
    }

    @Test func tooManyOctets() {
        #expect(ObjectIdentifier.dotted([UInt8](repeating: 1, count: 128)[...]) != nil)
        #expect(ObjectIdentifier.dotted([UInt8](repeating: 1, count: 129)[...]) == nil)
        #expect(ObjectIdentifier(content: [UInt8](repeating: 1, count: 32)) != nil)
        #expect(ObjectIdentifier(content: [UInt8](repeating: 1, count: 33)) == nil)
        #expect(ObjectIdentifier(content: [UInt8](repeating: 1, count: 256 + 9)) == nil)
    }

    @Test(arguments: ["", "1", "1.2.", "3.1", "1.40", "1.2.x", "1.-2", "2.18446744073709551615", " 1.2"])
    func malformedText(text: String) { #expect(ObjectIdentifier(dotted: text) == nil) }

    /// Literals of the table are what they say, and no name stands twice.
    @Test func tableIsWellFormed() {
        let named = ObjectIdentifier.named
        #expect(named.count > 100)
        for identifier in named {
            #expect(ObjectIdentifier(dotted: identifier.description) == identifier, "\(identifier.name ?? "?")")
        }
        #expect(Set(named.compactMap(\.name)).count == named.count)
        #expect(ObjectIdentifier.sha256WithRSAEncryption.name == "sha256WithRSAEncryption")
        #expect(ObjectIdentifier.sha1.nameOrDotted == "SHA-1" && ObjectIdentifier.appleReceiptSigning.name != nil)
        #expect(ObjectIdentifier("2.5.4.3").shortName == "CN" && ObjectIdentifier("2.5.4.4").shortName == nil)
        #expect(ObjectIdentifier("1.2.3.4").nameOrDotted == "1.2.3.4")
    }
}
