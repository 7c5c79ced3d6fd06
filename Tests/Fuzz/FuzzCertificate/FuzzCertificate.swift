import AppStoreReceipt
import AppStoreReceiptValidation
import FuzzSupport
import OracleSupport
import ReceiptASN1
import ReceiptPKIX

/// The certificate decoder: what it accepts, and what the chain rules could trust, libcrypto must accept too.
@c(LLVMFuzzerTestOneInput)
public func fuzzCertificate(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe fuzzInput(data, count)
    let certificate: DecodedCertificate
    do throws(ReceiptDecodingError) {
        certificate = try DecodedCertificate(input, limits: .default)
    } catch {
        expect(0...input.count ~= error.offset, "an offset outside: \(error)")
        return 0
    }
    use(certificate.name)
    use(certificate.keyProblem)
    use(input.span.readableName(certificate.fields.issuer))
    let fields = certificate.fields
    for value in fields.extensions.map(\.value) {
        do throws(ReceiptDecodingError) { use(try input.span.readBasicConstraints(value).isCA) } catch { use(error) }
        do throws(ReceiptDecodingError) { use(try input.span.readKeyUsage(value)) } catch { use(error) }
        do throws(ReceiptDecodingError) { use(try input.span.readSubjectKeyIdentifier(value)) } catch { use(error) }
    }
    let algorithms = [fields.signatureAlgorithm, fields.innerSignatureAlgorithm]
    // Others are refused by the rules, whatever their parameters hold.
    guard certificate.keyProblem == nil, algorithms.allSatisfy({ $0.parameters != .other }) else { return 0 }
    expect(Oracle.parseCertificate(input) == input.count, "OpenSSL refuses this certificate")
    return 0
}

@c(LLVMFuzzerCustomMutator)
public func mutate(_ data: UnsafeMutablePointer<UInt8>?, _ count: Int, _ capacity: Int, _ seed: UInt32) -> Int {
    unsafe mutateTLV(data, count, capacity, seed)
}

@c(LLVMFuzzerInitialize)
public func initialize(_ count: OpaquePointer?, _ arguments: OpaquePointer?) -> CInt {
    Seeds.writeIfAsked { Seeds.certificates }
    return 0
}
