import CLibcrypto

/// The forge's own library context: the host's openssl.cnf neither breaks a test nor changes a forgery.
enum Libcrypto {
    /// Made once and never freed.
    private nonisolated(unsafe) static let shared: OpaquePointer? = {
        guard let context = unsafe OSSL_LIB_CTX_new() else { return nil }
        guard unsafe OSSL_PROVIDER_load(context, "default") != nil else {
            unsafe OSSL_LIB_CTX_free(context)
            return nil
        }
        return unsafe context
    }()

    static func context() throws(ForgeError) -> OpaquePointer {
        guard let context = unsafe shared else { throw ForgeError("libcrypto gives no library context") }
        return unsafe context
    }

    /// The newest entry of the error queue in words; the queue is emptied.
    static func error(_ what: String) -> ForgeError {
        let code = ERR_peek_last_error()
        ERR_clear_error()
        guard code != 0, let reason = unsafe ERR_reason_error_string(code) else {
            return ForgeError("\(what): libcrypto failed")
        }
        return ForgeError("\(what): \(unsafe String(cString: reason))")
    }
}
