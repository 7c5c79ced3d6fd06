import AppStoreReceipt
import AppStoreReceiptValidation
import ReceiptASN1

/// SHA-256 of the certificate that signs every receipt of Xcode's StoreKit Testing, the same since 2020 (observed).
private let storeKitTestCertificate = "ff0ba36e721d2db741d2aa11e6112ef78bf7131b46c7f035b00891d045c864fe"

/// What probably happened when a document is rejected, and what to do.
func likelyCause(
    _ rejection: Rejection, _ policy: ValidationPolicy, _ inspection: Inspection, _ certificates: [ListedCertificate]
) -> String {
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
        if !trustsApple { return "no root passed with --root issued its chain" }
        return "made by a test tool, or forged: Apple did not issue the certificates"
    case .environmentNotVouchedFor:
        if isFromXcode {
            return "signed in Xcode, and says that it is not: Xcode's certificate vouches for type Xcode only"
        }
        return "somebody's own certificate was used to claim an App Store receipt: grant nothing"
    case .certificateExpired, .certificateNotYetValid:
        guard policy.validationTime != .receiptCreation else {
            return "made after its certificate's time, or with a date of somebody's choice: grant nothing, and ask the "
                + "app for a new one"
        }
        return "signing certificates live about two years, and what they signed stays valid: leave --at out to check "
            + "the certificates as of the receipt's creation"
    case .signerMarkerMissing:
        return "signed with an ordinary developer certificate, which Apple does not use for receipts"
    case .intermediateMarkerMissing:
        return "signed under another authority of Apple's than the one for receipts; samples of 2010 were"
    case .signatureMismatch, .messageDigestMismatch:
        return "it was edited, or damaged on its way: grant nothing; if the app is yours, send its bytes unchanged"
    case .environmentMismatch:
        guard inspection.environment == .sandbox else {
            return "nobody pays outside production: expect another environment only where you test"
        }
        return "App Review and TestFlight use the sandbox: servers accept it besides production where they must"
    case .bundleIdentifierMismatch, .appIdentifierMismatch, .attestedAppMismatch:
        return "a genuine one of another app: grant nothing; if both apps are yours, expect both"
    case .applicationVersionMismatch:
        return "a genuine one of another version: expect each version that is still in use, or none in particular"
    case .accountTokenMismatch:
        return "bought for another account of the app, or without appAccountToken: grant it to the account it names"
    case .attestedKeyMismatch:
        return "of another key or device: look up the key under the identifier that the app sent when it attested"
    case .attestedReceiptTypeMismatch:
        return "ATTEST comes with an attestation, RECEIPT from Apple's server in exchange for one"
    case .deviceMismatch:
        return "copied from another device, or the identifier is not the one the app would use"
    case .environmentNotSigned:
        return "take --environment out, or believe what the receipt states with --accept-unsigned-environment"
    case .productMissing, .transactionMissing:
        return "not bought, not yet in it, or ended or cancelled meanwhile: ask the app to refresh it; the App Store "
            + "Server API has the present state"
    case .receiptExpired:
        return "the volume purchase has ended: its buyer has to assign it anew"
    case .receiptTooOld:
        return "perhaps a copy: ask the app to refresh it and send the new one"
    case .createdInTheFuture:
        return "the clock of this machine is behind, or the date that was passed is"
    case .dateMissing:
        return "pass the present date: without one an age cannot be told"
    case .sha1NotAccepted:
        return "Apple signed with SHA-1 until 2023: accept it for receipts that are as old, or ask for a new one"
    case .unreadableAttribute:
        return
            "authentic, in a form never seen: look at its bytes, and tolerate that attribute by name if you can "
            + "do without it"
    case .creationDateMissing, .purchaseDateMissing, .signingDateMissing:
        return "nothing that Apple signs lacks that date: a sample, or made by somebody else: grant nothing"
    case .innerRejected, .innerMismatch:
        return "put together from parts that do not belong together: answer with an error, so that Apple sends it again"
    case .unsupportedDigestAlgorithm, .unsupportedSignatureAlgorithm, .unsupportedPublicKey, .unknownCriticalExtension:
        return "Apple signs in no such way: forged, or newer than this program; look for a later version of it"
    default:
        return "nothing that Apple made looks like this: put together or changed by somebody: grant nothing"
    }
}
