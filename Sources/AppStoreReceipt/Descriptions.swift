/// What is printed or interpolated into a log: one line of printable ASCII, whatever a document says and however much it
/// holds. Nothing in it was verified.
extension Receipt: CustomStringConvertible {
    /// One line for logs: the app and its version, the receipt's type and date, and how many purchases there are.
    /// Whatever the receipt says, the line is printable ASCII.
    public var description: String {
        let app = [bundleID ?? "no bundle identifier", applicationVersion].compactMap(\.self).joined(separator: " ")
        let made = [receiptType ?? "no receipt type", receiptCreationDate?.description].compactMap(\.self)
        let purchases = inApp.count == 1 ? "1 purchase" : "\(inApp.count) purchases"
        return printable("\(app), \(made.joined(separator: " ")), \(purchases)")
    }
}

extension SignedReceipt: CustomStringConvertible {
    /// The receipt's one line, told to be unverified.
    public var description: String { "unverified: \(unverifiedReceipt)" }
}

extension InAppPurchase: CustomStringConvertible {
    /// One line for logs: the product, the transaction, when it was bought, and until when it runs or ran.
    public var description: String {
        line(productID, transactionID, bought: purchaseDate, until: expiresDate, cancelled: cancellationDate)
    }
}

extension TransactionReceipt: CustomStringConvertible {
    /// One line for logs: as that of a purchase of a receipt.
    public var description: String {
        line(productID, transactionID, bought: purchaseDate, until: expiresDate, cancelled: cancellationDate)
    }
}

extension Transaction: CustomStringConvertible {
    /// One line for logs: as that of a purchase of a receipt.
    public var description: String {
        line(productID, transactionID, bought: purchaseDate, until: expiresDate, cancelled: revocationDate)
    }
}

extension RenewalInfo: CustomStringConvertible {
    /// One line for logs: the subscription, what it renews as, and whether and when it does.
    public var description: String {
        let renews: String? =
            switch autoRenewStatus {
            case .on?: "renews"
            case .off?: "does not renew"
            default: nil
            }
        return line([
            autoRenewProductID ?? productID ?? "no product identifier",
            originalTransactionID.map { "original transaction \($0)" }, renews, renewalDate.map { "at \($0)" },
        ])
    }
}

extension AppTransaction: CustomStringConvertible {
    /// One line for logs: the app and its version, the environment, and the date.
    public var description: String {
        line([
            bundleID ?? "no bundle identifier", applicationVersion, receiptType?.rawValue,
            receiptCreationDate?.description,
        ])
    }
}

extension ServerNotification: CustomStringConvertible {
    /// One line for logs: the type, the identifier, and the date.
    public var description: String {
        let type = [notificationType?.rawValue ?? "no type", subtype?.rawValue].compactMap(\.self)
        return line([type.joined(separator: " "), notificationUUID, signedDate?.description])
    }
}

extension Subscription: CustomStringConvertible {
    /// One line for logs: the products, the original transaction, from when to when, and how many periods and gaps.
    public var description: String {
        line([
            productIDs.joined(separator: " "), "original transaction \(originalTransactionID)",
            from.map { "from \($0)" }, to.map { "to \($0)" }, "periods \(periods)", "cancelled \(cancelled)",
            "gaps \(gaps.count)",
        ])
    }
}

extension ReceiptAttributes: CustomStringConvertible {
    /// How many there are.
    public var description: String { "\(count) attributes" }
}

extension ReceiptAttribute: CustomStringConvertible {
    /// The type, with its name where it has one, and the number of octets.
    public var description: String {
        "type \(type.rawValue)\(type.name.map { " (\($0))" } ?? ""), \(rawValue.count) octets"
    }
}

private func line(
    _ product: String?, _ transaction: String?, bought: ReceiptDate?, until: ReceiptDate?, cancelled: ReceiptDate?
) -> String {
    line([
        product ?? "no product identifier", transaction.map { "transaction \($0)" }, bought.map { "bought \($0)" },
        until.map { "until \($0)" }, cancelled.map { "cancelled \($0)" },
    ])
}

private func line(_ parts: [String?]) -> String { printable(parts.compactMap(\.self).joined(separator: ", ")) }

/// A text with all but printable ASCII escaped as Swift does it, and no longer than a line.
private func printable(_ text: String) -> String {
    let limit = 400
    let line = text.unicodeScalars.prefix(limit).map {
        (0x20..<0x7F).contains($0.value) ? String($0) : $0.escaped(asASCII: true)
    }.joined()
    return text.unicodeScalars.count > limit ? line + "..." : line
}
