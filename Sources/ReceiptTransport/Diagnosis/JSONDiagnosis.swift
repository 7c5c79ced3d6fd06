/// Says by its member names what JSON is that holds no receipt.
struct JSONDiagnosis {
    /// The names that were met, and the first value of a few of them.
    private var names: Set<String> = []
    private var values: [String: String] = [:]
    /// More names than any of the known kinds needs are not looked at.
    private static let nameLimit = 512

    /// Collects what stands between quotation marks before a colon, however often it is escaped.
    init(_ text: Span<UInt8>, _ range: Range<Int>) {
        var position = range.lowerBound
        while position < range.upperBound, names.count < Self.nameLimit {
            guard text[position] == UInt8(ascii: "\"") else {
                position += 1
                continue
            }
            let start = position + 1
            position = start
            while position < range.upperBound, text[position].isNameCharacter || text[position] == UInt8(ascii: " ") {
                position += 1
            }
            guard position > start, position - start <= 48 else { continue }
            let name = start..<position
            while position < range.upperBound, text[position] == UInt8(ascii: "\\") { position += 1 }
            guard position < range.upperBound, text[position] == UInt8(ascii: "\"") else { continue }
            let colon = text.skippingWhiteSpace(from: position + 1, to: range.upperBound)
            guard colon < range.upperBound, text[colon] == UInt8(ascii: ":") else { continue }
            let key = String(decoding: text.copy(name), as: UTF8.self)
            position = colon + 1
            if names.insert(key).inserted { values[key] = Self.value(text, from: position, to: range.upperBound) }
        }
    }

    private static func value(_ text: Span<UInt8>, from start: Int, to end: Int) -> String {
        var position = text.skippingWhiteSpace(from: start, to: end)
        while position < end, text[position] == UInt8(ascii: "\\") || text[position] == UInt8(ascii: "\"") {
            position += 1
        }
        let first = position
        while position < min(end, first + 64), text[position] != UInt8(ascii: "\""),
            text[position] != UInt8(ascii: ","),
            text[position] != UInt8(ascii: "}"), text[position] != UInt8(ascii: "\\"), text[position] >= 0x20
        {
            position += 1
        }
        return String(decoding: text.copy(first..<position), as: UTF8.self)
    }

    private func has(_ all: String...) -> Bool { all.allSatisfy(names.contains) }
    private func hasAny(_ any: String...) -> Bool { any.contains(where: names.contains) }

    var diagnosis: Diagnosis {
        if values["Store"] == "fake" || values["Payload"] == "ThisIsFakeReceiptData" { return .unityFakeStore }
        return stores ?? storeKit ?? services ?? answers
            ?? Diagnosis(
                "json", "JSON without a receipt: no member holds one",
                "find out which member the app puts the receipt into; a receipt in base64 begins with MII or ewo")
    }

    /// Other stores.
    private var stores: Diagnosis? {
        let isGoogle =
            values["Store"] == "GooglePlay" || (values["orderId"] ?? "").hasPrefix("GPA.")
            || has("packageName", "purchaseToken", "purchaseState")
            || has("packageName", "purchaseTime", "purchaseToken")
            || hasAny("INAPP_PURCHASE_DATA", "purchaseTimeMillis", "obfuscatedExternalAccountId")
            || (values["kind"] ?? "").hasPrefix("androidpublisher") || has("subscriptionNotification", "packageName")
        let isHuawei =
            hasAny("purchaseTokenData", "inAppPurchaseData", "InAppPurchaseData", "inAppDataSignature")
            || (values["packageName"] ?? "").hasPrefix("com.huawei") && has("purchaseToken")
            || has("applicationId", "purchaseToken", "productId") || values["Store"] == "AppGallery"
        if isHuawei {
            return Diagnosis(
                "huawei-purchase", "a purchase of Huawei AppGallery, not of the App Store",
                "verify it with Huawei's Order service; it holds nothing of Apple's")
        }
        if isGoogle {
            return Diagnosis(
                "google-play-purchase", "a purchase of Google Play, not of the App Store",
                "verify it with the Google Play Developer API; it holds nothing of Apple's")
        }
        if values["Store"] == "AmazonApps" || values["Store"] == "AmazonAppStore"
            || has("receiptId", "betaProduct") || has("receiptId", "productType") || has("receiptId", "cancelDate")
            || has("receiptId", "userId") || has("receiptId", "userData")
        {
            return Diagnosis(
                "amazon-receipt", "a receipt of the Amazon Appstore, not of the App Store",
                "verify it with Amazon's Receipt Verification Service; it holds nothing of Apple's")
        }
        if hasAny("mPaymentId", "paymentId", "mItemId", "mPurchaseId", "passThroughParam")
            || values["Store"] == "SamsungApps"
        {
            return Diagnosis(
                "samsung-purchase", "a purchase of Samsung's Galaxy Store, not of the App Store",
                "verify it with Samsung's IAP server API; it holds nothing of Apple's")
        }
        if let store = values["Store"], !store.isEmpty, !store.hasPrefix("Apple"), !store.hasPrefix("MacAppStore") {
            return Diagnosis(
                "other-store", "a receipt of Unity IAP from a store other than the App Store",
                "verify it with that store; only Apple's stores give receipts that can be verified here")
        }
        return nil
    }

    /// What StoreKit 2 and the App Store Server API say in JSON that is not signed any more.
    private var storeKit: Diagnosis? {
        func unsigned(_ kind: String, _ what: String, _ ask: String) -> Diagnosis {
            Diagnosis(kind, "\(what) as plain JSON: it is not signed, so nothing can be verified", ask)
        }
        if has("nonRenewingSubscriptions", "subscriptionGroups") || has("products", "settings", "subscriptionGroups") {
            return Diagnosis(
                "storekit-configuration", "a StoreKit configuration file (.storekit) of Xcode, not a receipt",
                "send what the app receives when it buys, not the file that Xcode's StoreKit Testing is configured with"
            )
        }
        if hasAny("notificationType", "notificationUUID"), hasAny("data", "summary", "subtype", "version") {
            return unsigned(
                "decoded-notification", "an App Store Server Notification",
                "send the body of the notification as it came: its signedPayload is signed")
        }
        if has("transactionId"), hasAny("bundleId", "productId", "originalTransactionId"),
            hasAny("purchaseDate", "inAppOwnershipType", "signedDate", "storefront", "transactionReason", "quantity")
        {
            return unsigned(
                "storekit2-transaction-json", "a StoreKit 2 transaction",
                "send the transaction's jwsRepresentation (in Swift: VerificationResult.jwsRepresentation) instead")
        }
        if hasAny("autoRenewProductId", "autoRenewStatus", "gracePeriodExpiresDate"),
            hasAny("originalTransactionId", "productId", "recentSubscriptionStartDate")
        {
            return unsigned(
                "storekit2-renewal-info-json", "a StoreKit 2 renewal info",
                "send its jwsRepresentation or signedRenewalInfo instead")
        }
        if hasAny("appTransactionId", "deviceVerificationNonce", "originalApplicationVersion", "originalPlatform"),
            hasAny("bundleId", "receiptType", "applicationVersion")
        {
            return unsigned(
                "storekit2-app-transaction-json", "a StoreKit 2 app transaction",
                "send the app transaction's jwsRepresentation instead")
        }
        return nil
    }

    /// Services that hand on what stores say.
    private var services: Diagnosis? {
        if has("subscriber", "request_date") || has("subscriber", "entitlements")
            || has("entitlements", "original_app_user_id")
        {
            return Diagnosis(
                "revenuecat-subscriber", "an answer of RevenueCat, which is no receipt and is not signed by Apple",
                "send the receipt or the JWS that the app gets from StoreKit")
        }
        if has("paymentData", "paymentMethod") || values["version"] == "EC_v1" {
            return Diagnosis(
                "apple-pay-token", "a payment token of Apple Pay, which is no receipt of the App Store",
                "Apple Pay is for goods outside the app; hand the token to the payment service")
        }
        if has("errorCode", "errorMessage") {
            return Diagnosis(
                "server-api-error",
                "an error answer of the App Store Server API (errorCode \(values["errorCode"] ?? ""))",
                "look up the error code in Apple's documentation of the App Store Server API; there is no receipt in it"
            )
        }
        return nil
    }

    /// Requests and answers of verifyReceipt.
    private var answers: Diagnosis? {
        if let status = values["status"], let number = Int(status), !has("receipt-data") {
            if names.contains("latest_receipt_info") || names.contains("receipt") || names.contains("in_app") {
                return Diagnosis(
                    "verify-receipt-answer",
                    "an answer of verifyReceipt (status \(number)) without the receipt: \(StatusNumber.meaning(number))",
                    "send the receipt that was asked about, or the answer's latest_receipt; the rest is not signed")
            }
            return StatusNumber.diagnosis(number)
        }
        if has("receipt-data") {
            let value = values["receipt-data"] ?? ""
            return Diagnosis(
                "verify-receipt-request",
                value.isEmpty
                    ? "a request to verifyReceipt whose receipt-data is empty"
                    : "a request to verifyReceipt whose receipt-data is no receipt",
                "check on the device that the receipt exists and is read as data before it is encoded in base64")
        }
        if hasAny("in_app", "receipt_creation_date", "latest_receipt_info", "pending_renewal_info", "receipt_type")
            || has("bundle_id", "product_id") || has("bid", "bvrs")
        {
            return Diagnosis(
                "decoded-receipt-json", "the content of a receipt as JSON, as verifyReceipt answers: it is not signed",
                "send the receipt itself in base64")
        }
        return nil
    }
}

extension Diagnosis {
    static let unityFakeStore = Diagnosis(
        "unity-fake-store", "the receipt of Unity's fake store, which the editor uses instead of a real store",
        "run the app on a device, against the sandbox or Xcode's StoreKit Testing, to get a receipt")
}

/// The status numbers of verifyReceipt (Apple, "status"), and what to do about each.
enum StatusNumber {
    static func meaning(_ status: Int) -> String {
        switch status {
        case 0: "the receipt was valid"
        case 21000: "the request was not sent with POST"
        case 21001: "Apple no longer sends this status"
        case 21002: "the receipt-data was malformed or missing, or the service had a temporary fault"
        case 21003: "the receipt could not be authenticated"
        case 21004: "the shared secret does not match the account's"
        case 21005: "the receipt server was unavailable"
        case 21006: "the receipt is valid but the subscription has expired"
        case 21007: "a receipt of the sandbox was sent to production"
        case 21008: "a receipt of production was sent to the sandbox"
        case 21009: "an internal fault of Apple's"
        case 21010: "the account was not found or was deleted"
        case 21100...21199: "an internal fault of Apple's data access"
        default: "an unknown status"
        }
    }

    static func isKnown(_ status: Int) -> Bool { (21000...21010).contains(status) || (21100...21199).contains(status) }

    static func diagnosis(_ status: Int) -> Diagnosis {
        let advice =
            switch status {
            case 0: "send the receipt itself; a status proves nothing"
            case 21000: "send the request to verifyReceipt with POST"
            case 21002: "verify the text that was sent: it tells what is wrong with it"
            case 21003: "verify the receipt itself: it tells which check fails"
            case 21004: "use the shared secret of the app, or of the account that owns it"
            case 21005, 21009, 21100...21199:
                "try again later; the receipt itself can be verified without Apple's server"
            case 21006: "the subscription is over; the receipt is in the request, not in this answer"
            case 21007:
                "send sandbox receipts to sandbox.itunes.apple.com: try production first and the sandbox on 21007"
            case 21008: "send production receipts to buy.itunes.apple.com"
            default: "send the receipt itself, not the answer about it"
            }
        return Diagnosis(
            "verify-receipt-status", "an answer of verifyReceipt, status \(status): \(meaning(status))", advice)
    }
}
