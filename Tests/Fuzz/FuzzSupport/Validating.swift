internal import AppStoreReceipt
package import AppStoreReceiptValidation
internal import ReceiptForge

/// A validator that trusts all the forge's chains of ``Seeds``.
package let validator: ReceiptValidator = {
    do {
        return try ReceiptValidator(policy: ValidationPolicy(trusting: anchors))
    } catch {
        finding("no validator: \(error)")
    }
}()

/// Roots and Xcode's certificates, DER.
package let anchors: [[UInt8]] = Seeds.chains.flatMap(\.anchors) + [TrustAnchor.appleRootCA.certificate]

/// The payloads that somebody with a key has signed.
package let signedPayloads: Set<[UInt8]> = {
    var payloads = Set(Seeds.messages.map(\.payload))
    for file in Seeds.files {
        do throws(ReceiptDecodingError) { payloads.insert(Array(try SignedReceipt(decoding: file).payload)) } catch {
            continue
        }
    }
    return payloads
}()
