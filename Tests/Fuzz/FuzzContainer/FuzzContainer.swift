import AppStoreReceipt
import FuzzSupport
import OracleSupport
import ReceiptASN1
import ReceiptPKIX

/// The BER normaliser and the CMS container, against libcrypto where both accept.
@c(LLVMFuzzerTestOneInput)
public func fuzzContainer(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe fuzzInput(data, count)
    var der = input
    let signedData: SignedData
    do throws(ReceiptDecodingError) {
        signedData = try SignedData.decode(&der, limits: .default)
    } catch {
        expect(0...input.count ~= error.offset, "an offset outside: \(error)")
        return 0
    }
    expect(der.count <= input.count, "DER longer than the BER it was")
    checkAgain(der, signedData)
    let size = 0...der.count
    let ranges = [signedData.content] + signedData.certificates + signedData.signerInfos.map(\.signature)
    for range in ranges { expect(size ~= range.lowerBound && size ~= range.upperBound, "a range outside") }
    guard let theirs = Oracle.container(input) else { return 0 }
    expect(theirs.content == Array(der[signedData.content]), "the content differs from OpenSSL's")
    expect(theirs.certificates.count == signedData.certificates.count, "another number of certificates")
    for (theirs, range) in zip(theirs.certificates, signedData.certificates) where isStrict(der, range) {
        expect(theirs == Array(der[range]), "a certificate differs")
    }
    expect(theirs.signatures == signedData.signerInfos.map { Array(der[$0.signature]) }, "signatures differ")
    return 0
}

/// Whether a certificate is DER. OpenSSL writes others anew, and not as they were.
private func isStrict(_ der: [UInt8], _ range: Range<Int>) -> Bool {
    do throws(ReceiptDecodingError) {
        use(try der.span.readCertificate(range, limits: .default).version)
        return true
    } catch {
        return false
    }
}

/// What was decoded is DER, and decodes again to the same without being rewritten.
private func checkAgain(_ der: [UInt8], _ signedData: SignedData) {
    var again = der
    do throws(ReceiptDecodingError) {
        let second = try SignedData.decode(&again, limits: .default)
        expect(again == der, "normalised twice")
        expect(second.content == signedData.content, "another content the second time")
        expect(second.certificates == signedData.certificates, "other certificates the second time")
    } catch {
        finding("does not decode again: \(error)")
    }
}

@c(LLVMFuzzerCustomMutator)
public func mutate(_ data: UnsafeMutablePointer<UInt8>?, _ count: Int, _ capacity: Int, _ seed: UInt32) -> Int {
    unsafe mutateTLV(data, count, capacity, seed)
}

@c(LLVMFuzzerInitialize)
public func initialize(_ count: OpaquePointer?, _ arguments: OpaquePointer?) -> CInt {
    Seeds.writeIfAsked { Seeds.containers }
    return 0
}
