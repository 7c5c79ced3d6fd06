import AppStoreReceipt
import AppStoreReceiptValidation
import CAppStoreReceiptHeader
import ReceiptReport

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

// The functions of appstorereceipt.h, which says what they do. The compiler holds each against its declaration there.
// Pointers are checked for null, and every length is that of the caller's own buffer; nothing is kept after the call.
// Their names are those of C.

enum Status {
    static let valid = ASR_VALID
    static let rejected = ASR_REJECTED
    static let undecodable = ASR_UNDECODABLE
    static let misuse = ASR_MISUSE
    static let `internal` = ASR_INTERNAL
}

// swift-format-ignore: AlwaysUseLowerCamelCase
@c @implementation
public func asr_version() -> UnsafePointer<CChar>? { unsafe UnsafePointer(versionText.pointer) }

// swift-format-ignore: AlwaysUseLowerCamelCase
@c @implementation
public func asr_validator_create(
    _ policy: UnsafePointer<CChar>?, _ policyLength: Int,
    _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> OpaquePointer? {
    unsafe error?.pointee = nil
    return unsafe ForkGate.shared.pass {
        let message: String
        do throws(PolicyError) {
            guard let policy = unsafe policy, policyLength >= 0 else {
                throw PolicyError(message: "no policy was given: pass a JSON object, such as {}")
            }
            guard policyLength <= PolicyReader.byteLimit else {
                throw PolicyError(message: "the policy is longer than \(PolicyReader.byteLimit) bytes")
            }
            let text = try PolicyText(
                unsafe [UInt8](UnsafeRawBufferPointer(start: policy, count: policyLength)))
            do throws(LibcryptoError) {
                return unsafe OpaquePointer(Unmanaged.passRetained(try ValidatorHandle(text)).toOpaque())
            } catch {
                throw PolicyError(message: "internal error: \(error)")
            }
        } catch {
            message = error.message
        }
        unsafe error?.pointee = copyOut(Array(message.utf8))
        return nil
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
@c @implementation
public func asr_validator_free(_ validator: OpaquePointer?) {
    guard let validator = unsafe validator else { return }
    ForkGate.shared.pass { unsafe Unmanaged<ValidatorHandle>.fromOpaque(UnsafeRawPointer(validator)).release() }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
@c @implementation
public func asr_validate(
    _ validator: OpaquePointer?, _ input: UnsafePointer<UInt8>?, _ inputLength: Int, _ at: Int64, _ format: Int32,
    _ json: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, _ jsonLength: UnsafeMutablePointer<Int>?
) -> Int32 {
    unsafe json?.pointee = nil
    unsafe jsonLength?.pointee = 0
    guard let validator = unsafe validator, let format = ValidatorHandle.Format(rawValue: format),
        unsafe format == .none || json != nil, unsafe input != nil || inputLength == 0
    else { return Status.misuse }
    return ForkGate.shared.pass {
        let handle = unsafe Unmanaged<ValidatorHandle>.fromOpaque(UnsafeRawPointer(validator)).takeUnretainedValue()
        // More than the limit is refused, and needs no more than one byte more for that. A size_t beyond the range of Int is
        // below zero here.
        let count = (0...Inspection.byteLimit).contains(inputLength) ? inputLength : Inspection.byteLimit + 1
        let bytes = unsafe [UInt8](UnsafeBufferPointer(start: input, count: count))
        let date = at == .min ? nil : ReceiptDate(millisecondsSince1970: at)
        do throws(LibcryptoError) {
            return unsafe deliver(try handle.validate(bytes, at: date, format), json, jsonLength)
        } catch {
            return Status.internal
        }
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
@c @implementation
public func asr_verify_receipt(
    _ validator: OpaquePointer?, _ text: UnsafePointer<UInt8>?, _ textLength: Int, _ now: Int64, _ behavior: Int32,
    _ json: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, _ jsonLength: UnsafeMutablePointer<Int>?
) -> Int32 {
    unsafe json?.pointee = nil
    unsafe jsonLength?.pointee = 0
    guard let validator = unsafe validator, unsafe json != nil, unsafe text != nil || textLength == 0,
        behavior == ASR_AS_DOCUMENTED || behavior == ASR_AS_OBSERVED, now != .min,
        (0...Inspection.byteLimit).contains(textLength)
    else { return Status.misuse }
    return ForkGate.shared.pass {
        let handle = unsafe Unmanaged<ValidatorHandle>.fromOpaque(UnsafeRawPointer(validator)).takeUnretainedValue()
        do throws(LibcryptoError) {
            let answer = try handle.verifyReceipt(
                unsafe [UInt8](UnsafeBufferPointer(start: text, count: textLength)),
                now: ReceiptDate(millisecondsSince1970: now),
                behavior == ASR_AS_OBSERVED ? .observed : .documented)
            return unsafe deliver(answer, json, jsonLength)
        } catch {
            return Status.internal
        }
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
@c @implementation
public func asr_free(_ text: UnsafeMutableRawPointer?) { unsafe free(text) }

/// Hands an answer to the caller, who owns the memory from then on.
private func deliver(
    _ answer: ValidatorHandle.Answer, _ json: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
    _ jsonLength: UnsafeMutablePointer<Int>?
) -> Int32 {
    guard let bytes = answer.json else { return answer.status }
    guard let text = unsafe copyOut(bytes) else { return Status.internal }
    unsafe json?.pointee = text
    unsafe jsonLength?.pointee = bytes.count
    return answer.status
}

/// A copy with a zero after it, in memory that `free` takes; nil when there is none.
private func copyOut(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar>? {
    guard let memory = unsafe malloc(bytes.count + 1) else { return nil }
    let copy = unsafe memory.bindMemory(to: UInt8.self, capacity: bytes.count + 1)
    for index in bytes.indices { unsafe copy[index] = bytes[index] }
    unsafe copy[bytes.count] = 0
    return unsafe UnsafeMutableRawPointer(copy).assumingMemoryBound(to: CChar.self)
}

/// The version as C wants it, made once and kept as long as the process lives.
private let versionText = VersionText()

@safe
private struct VersionText: @unchecked Sendable {
    // Written once, before anybody reads it.
    let pointer: UnsafeMutablePointer<CChar>?
    init() { unsafe pointer = copyOut(Array(version.utf8)) }
}
