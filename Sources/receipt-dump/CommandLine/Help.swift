import ReceiptReport

/// The page that `--help` shows, made from the table of options.
func helpPage(table: [OptionDescription] = optionTable) -> String {
    var page = """
        NAME
          receipt-dump - show what an App Store receipt says, and whether it is genuine

        SYNOPSIS
          receipt-dump [options] [FILE | -]...
          receipt-dump [options] --diff A B
          receipt-dump [options] --lines [FILE | -]...

        DESCRIPTION
          Reads receipts as people have them: the raw file, base64 in any state of repair, a JSON
          request or response of verifyReceipt. Checks that Apple signed the receipt for the App
          Store, and that it is the one that the expectations ask for. Shows every check, the app,
          the purchases, all attributes and the signer. A receipt that is rejected is shown too, and
          marked as not verified.

          Nothing is looked up on a network. An expectation that is not given is not checked: without
          any, only authenticity is asked for. Without a FILE, or with -, standard input is read.


        """
    page += "OPTIONS\n"
    for group in OptionDescription.Group.allCases {
        let options = table.filter { $0.group == group }
        if options.isEmpty { continue }
        page += "  \(group.rawValue)\n"
        for option in options { page += paragraph(option) }
        page += "\n"
    }
    page += """
          Values are written --name VALUE or --name=VALUE; -- ends the options.

        EXIT STATUS
          0   valid, or shown with --no-validate
          1   rejected: not authentic, or not what was expected
          2   an input cannot be decoded; what can be shown of it is shown
          64  the command line is wrong
          66  an input cannot be read
          70  an internal error
          130 interrupted, with --lines
          With several inputs, the highest of their statuses. With --lines, verdicts do not count.

        EXAMPLES
          receipt-dump receipt.b64
          pbpaste | receipt-dump
          receipt-dump --bundle-id com.example.app --environment production receipt.b64
          receipt-dump --root StoreKitTestCertificate.cer xcode-receipt
          receipt-dump --format json receipt.der | jq .receipt.bundle_id
          receipt-dump --format asn1 damaged.der
          receipt-dump --diff yesterday.b64 today.b64
          receipt-dump --lines --brief --environment production < archive.txt > verdicts.jsonl
          split -n l/8 archive.txt part. && ls part.* | parallel 'receipt-dump --lines -q {} > {}.out'

        """
    return page
}

private func paragraph(_ option: OptionDescription) -> String {
    let letter = option.letter.map { "-\($0), " } ?? ""
    let value = option.value.map { " " + $0 } ?? ""
    let repeats = option.repeats ? " (repeatable)" : ""
    let head = "    \(letter)--\(option.name)\(value)\(repeats)\n"
    return head + option.help.map { "        \($0)\n" }.joined()
}
