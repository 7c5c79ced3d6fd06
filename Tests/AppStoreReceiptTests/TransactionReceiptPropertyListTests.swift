import Testing

@testable import AppStoreReceipt

struct PropertyListRow: Sendable, CustomTestStringConvertible {
    let text: String
    let entries: [String]?  // key, value, key, value …
    let code: ReceiptDecodingError.Code?
    let offset: Int

    static func reads(_ text: String, _ entries: String...) -> Self {
        Self(text: text, entries: entries, code: nil, offset: 0)
    }
    static func refuses(_ text: String, _ code: ReceiptDecodingError.Code, _ offset: Int) -> Self {
        Self(text: text, entries: nil, code: code, offset: offset)
    }
    var testDescription: String { text.count < 60 ? text : "\(text.prefix(60))…" }
}

/// The old-style property list, a row a rule.
struct TransactionReceiptPropertyListTests {
    @Test(arguments: [
        PropertyListRow.reads("{}"),
        .reads(" \t\r\n{ \n} \n"),
        .reads(#"{"a"="b";}"#, "a", "b"),
        .reads("{\n\t\"a\" = \"b\";\n\t\"c\" = \"\";\n}", "a", "b", "c", ""),
        .reads(
            #"{a = b; product-id = com.example.Pro_1; zone = Etc/GMT; n = 12:30; d = $x;}"#,
            "a", "b", "product-id", "com.example.Pro_1", "zone", "Etc/GMT", "n", "12:30", "d", "$x"),
        .reads(#"{"a"="\"\\\a\b\f\n\r\t\v";}"#, "a", "\"\\\u{7}\u{8}\u{C}\n\r\t\u{B}"),
        .reads(#"{"a"="\101\1012\7x\177";}"#, "a", "AA2\u{7}x\u{7F}"),
        .reads(#"{"a"="\U00e9\U00E9\U4F60";}"#, "a", "éé你"),
        .reads(#"{"a"="\Ud83d\Ude00!";}"#, "a", "😀!"),
        .reads("{\"a\"=\"é你\n\";}", "a", "é你\n"),
        .reads(#"{"a"="// no comment /* in a string */";}"#, "a", "// no comment /* in a string */"),
        .reads(#"{"A"="1";"a"="2";}"#, "A", "1", "a", "2"),
    ])
    func reads(_ row: PropertyListRow) throws {
        let list = try PropertyList(Array(row.text.utf8).span, field: "list")
        #expect(list.entries.flatMap { [$0.key, $0.value] } == row.entries)
    }

    @Test(arguments: [
        PropertyListRow.refuses("", .truncated, 0),
        .refuses("  ", .truncated, 2),
        .refuses(#"("a")"#, .propertyListSyntax, 0),
        .refuses(#""a""#, .propertyListSyntax, 0),
        .refuses("{", .truncated, 1),
        .refuses(#"{"a"="b"}"#, .propertyListSyntax, 8),
        .refuses(#"{"a"="b";;}"#, .propertyListSyntax, 9),
        .refuses(#"{"a";}"#, .propertyListSyntax, 4),
        .refuses(#"{"a" "b";}"#, .propertyListSyntax, 5),
        .refuses(#"{="b";}"#, .propertyListSyntax, 1),
        .refuses(#"{'a'='b';}"#, .propertyListSyntax, 1),
        .refuses(#"{"a"="b";}x"#, .trailingBytes, 10),
        .refuses(#"{"a"="b";}{}"#, .trailingBytes, 10),
        .refuses("{}\0", .trailingBytes, 2),
        .refuses("{\"a\"=\"\0\";}", .propertyListSyntax, 6),
        .refuses("{\"a\"=\"\u{7F}\";}", .propertyListSyntax, 6),
        .refuses(#"{"a"={};}"#, .propertyListNotAString, 5),
        .refuses(#"{"a"=("b");}"#, .propertyListNotAString, 5),
        .refuses(#"{"a"=<00>;}"#, .propertyListNotAString, 5),
        .refuses(#"{{}="b";}"#, .propertyListNotAString, 1),
        .refuses("// x\n{}", .propertyListComment, 0),
        .refuses("{/* x */}", .propertyListComment, 1),
        .refuses("{a = //b;\n}", .propertyListComment, 5),
        .refuses(#"{"a"="b";"a"="c";}"#, .propertyListDuplicateKey, 9),
        .refuses(#"{"a"="b";a="b";}"#, .propertyListDuplicateKey, 9),
        .refuses(#"{"a"="b";"\141"="b";}"#, .propertyListDuplicateKey, 9),
        .refuses(#"{"a"="\x";}"#, .propertyListEscape, 6),
        .refuses(#"{"a"="\u0041";}"#, .propertyListEscape, 6),
        .refuses(#"{"a"="\'";}"#, .propertyListEscape, 6),
        .refuses(#"{"a"="\8";}"#, .propertyListEscape, 6),
        .refuses(#"{"a"="\0";}"#, .propertyListEscape, 6),
        .refuses(#"{"a"="\200";}"#, .propertyListEscape, 6),
        .refuses(#"{"a"="\777";}"#, .propertyListEscape, 6),
        .refuses(#"{"a"="\U004";}"#, .propertyListEscape, 6),
        .refuses(#"{"a"="\U0000";}"#, .propertyListEscape, 6),
        .refuses(#"{"a"="\Ud83d";}"#, .propertyListEscape, 6),
        .refuses(#"{"a"="\Ud83dx";}"#, .propertyListEscape, 6),
        .refuses(#"{"a"="\Ud83d\n";}"#, .propertyListEscape, 6),
        .refuses(#"{"a"="\Ud83d\U0041";}"#, .propertyListEscape, 6),
        .refuses(#"{"a"="\Ude00";}"#, .propertyListEscape, 6),
    ])
    func refuses(_ row: PropertyListRow) {
        #expect {
            try PropertyList(Array(row.text.utf8).span, field: "list")
        } throws: { error in
            let error = error as? ReceiptDecodingError
            return error?.code == row.code && error?.offset == row.offset
        }
    }

    @Test func refusesWhatIsNotUTF8() throws {
        let error = try #require(throws: ReceiptDecodingError.self) {
            try PropertyList(([UInt8](#"{"a"=""#.utf8) + [0xC3, 0x28] + Array(#"";}"#.utf8)).span, field: "list")
        }
        #expect(error.code == .invalidUTF8 && error.offset == 6)
    }

    /// Each limit holds at its value and refuses one more.
    @Test(arguments: [0, 1])
    func limits(excess: Int) throws {
        var limits = PropertyListLimits()
        (limits.bytes, limits.entries, limits.keyBytes, limits.valueBytes) = (60, 2, 4, 5)
        let texts = [
            "{}" + String(repeating: " ", count: 58 + excess),
            "{a=b;b=c;" + (excess == 0 ? "" : "c=d;") + "}",
            "{kkkk" + String(repeating: "k", count: excess) + "=v;}",
            "{\"kkkk" + String(repeating: "k", count: excess) + "\"=v;}",
            "{k=vvvvv" + String(repeating: "v", count: excess) + ";}",
            "{k=\"vvvvv" + String(repeating: "v", count: excess) + "\";}",
            "{k=\"\\101vvvv" + String(repeating: "v", count: excess) + "\";}",
        ]
        for text in texts {
            let bytes = Array(text.utf8)
            if excess == 0 {
                #expect(throws: Never.self) { try PropertyList(bytes.span, field: "list", limits: limits) }
            } else {
                #expect {
                    try PropertyList(bytes.span, field: "list", limits: limits)
                } throws: {
                    let code = ($0 as? ReceiptDecodingError)?.code
                    return code == (bytes.count > limits.bytes ? .inputTooLong : .propertyListLimit)
                }
            }
        }
    }

    /// A key that is not a plain word does not get into the error's field.
    @Test func hostileKeysStayOutOfMessages() throws {
        let error = try #require(throws: ReceiptDecodingError.self) {
            try PropertyList(Array("{\"\\033[2J\"={};}".utf8).span, field: "list")
        }
        #expect(error.field == "list.(key)")
    }
}
