import AppStoreReceipt
import AppStoreReceiptValidation
import ReceiptASN1

/// SHA-256 of the certificate that signs every receipt of Xcode's StoreKit Testing, the same since 2020 (observed).
private let storeKitTestCertificate = "ff0ba36e721d2db741d2aa11e6112ef78bf7131b46c7f035b00891d045c864fe"

/// What probably happened when a receipt is rejected, and what to do; nil when the message says it all.
func likelyCause(
    _ rejection: Rejection, _ policy: ValidationPolicy, _ inspection: Inspection, _ certificates: [ListedCertificate]
) -> String? {
    let isFromXcode = certificates.contains { $0.sha256 == storeKitTestCertificate }
    let trustsApple = policy.roots.contains(.appleRootCA)
    switch rejection.reason {
    case .selfSignedSigner, .untrustedRoot, .pathTooShort, .intermediateMissing:
        if isFromXcode { return "signed by the StoreKit test certificate of Xcode: pass it with --root to accept it" }
        if case .transactionReceipt = inspection.finding, rejection.reason == .intermediateMissing {
            return
                "signed under an authority that is not built in: pass its certificate with --intermediate (receipts up "
                + "to 2016 need Apple iTunes Store Certification Authority)"
        }
        if !trustsApple { return "the certificates passed with --root did not issue its chain" }
        return "made by a test tool, or forged: Apple did not issue the certificates"
    case .environmentNotVouchedFor where !isFromXcode:
        return "somebody's own certificate was used to claim an App Store receipt"
    case .certificateExpired, .certificateNotYetValid:
        guard policy.validationTime != .receiptCreation else { return nil }
        return "signing certificates live about two years, and what they signed stays valid: leave --at out to check "
            + "the certificates as of the receipt's creation"
    case .signerMarkerMissing:
        return "signed with an ordinary developer certificate, which Apple does not use for receipts"
    case .intermediateMarkerMissing:
        return "signed under another authority of Apple's than the one for receipts; samples of 2010 were"
    case .signatureMismatch:
        return "the receipt was edited, or damaged on its way"
    case .environmentMismatch:
        guard inspection.environment == .sandbox else { return nil }
        return "App Review and TestFlight use the sandbox: servers accept it besides production where they must"
    case .deviceMismatch:
        return "the receipt was copied from another device, or the identifier is not the one the app would use"
    case .environmentNotSigned:
        return "take --environment out, or believe what the receipt states with --accept-unsigned-environment"
    default: return nil
    }
}
