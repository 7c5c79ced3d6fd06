import AppStoreReceipt
import AppStoreReceiptFoundation
import Foundation
import Glibc

/// Just enough HTTP/1.1 for an example: one request a connection, a thread for each, bounds on everything.
public final class HTTPServer: Sendable {
    /// A request's head, and its body: more than any receipt of a few thousand purchases.
    private static let headLimit = 16 << 10
    private static let bodyLimit = 4 << 20
    private static let secondsToWait = 10

    private let handler: PurchaseHandler
    private let socket: Int32
    public let port: UInt16
    /// Connections at a time; others wait in the kernel's queue.
    private let places = DispatchSemaphore(value: 0)

    /// Listens on the loopback: put a server that speaks TLS in front.
    ///
    /// - Parameter port: 0 takes a free one.
    public init(port: UInt16, handler: PurchaseHandler) throws {
        self.handler = handler
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var yes: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let socket = socket
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(socket, address, length) == 0 && listen(socket, 128) == 0
                    && getsockname(socket, address, &length) == 0
            }
        }
        guard isListening else {
            let reason = String(cString: strerror(errno))
            close(socket)
            throw GrantedTransactions.DatabaseError(description: "cannot listen on port \(port): \(reason)")
        }
        self.port = UInt16(bigEndian: address.sin_port)
        for _ in 0..<64 { places.signal() }
    }

    /// Serves until ``stop()``.
    public func run() {
        signal(SIGPIPE, SIG_IGN)
        while true {
            places.wait()
            let connection = accept(socket, nil, nil)
            guard connection >= 0 else {
                places.signal()
                if errno == EINTR || errno == ECONNABORTED { continue }
                return
            }
            Thread { [self] in
                serve(connection)
                close(connection)
                places.signal()
            }.start()
        }
    }

    public func stop() { shutdown(socket, Int32(SHUT_RDWR)) }

    private func serve(_ connection: Int32) {
        var wait = timeval(tv_sec: Self.secondsToWait, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(connection, SOL_SOCKET, option, &wait, socklen_t(MemoryLayout<timeval>.size))
        }
        let (status, body) = answer(connection)
        let head =
            "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(body.count)\r\nConnection: close\r\n\r\n"
        var rest = (Array(head.utf8) + body)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(connection, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    private func answer(_ connection: Int32) -> (status: String, body: [UInt8]) {
        guard let (head, start) = readHead(connection) else { return ("400 Bad Request", []) }
        let lines = head.split(separator: "\r\n")
        guard lines.first == "POST /purchases HTTP/1.1" else { return ("404 Not Found", []) }
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { return ("400 Bad Request", []) }
            // A field that stands twice could be read in two ways, here and in a proxy.
            let name = parts[0].lowercased()
            guard fields.updateValue(parts[1].trimmingCharacters(in: .whitespaces), forKey: name) == nil else {
                return ("400 Bad Request", [])
            }
        }
        guard let account = fields["x-account"], !account.isEmpty else { return ("401 Unauthorized", []) }
        guard let length = fields["content-length"].flatMap({ Int($0) }), length >= 0 else {
            return ("411 Length Required", [])
        }
        guard length <= Self.bodyLimit else { return ("413 Content Too Large", []) }
        guard let body = read(connection, upTo: length, after: start) else { return ("400 Bad Request", []) }
        // What is not such a request is the client's fault, and there is nothing more to say.
        guard let request = try? JSONDecoder().decode(PurchaseHandler.Request.self, from: Data(body)) else {
            return ("400 Bad Request", [])
        }
        do {
            let answer = try handler.answer(request, account: account, now: ReceiptDate(Date()))
            return (answer.status == .refused ? "403 Forbidden" : "200 OK", Array(try JSONEncoder().encode(answer)))
        } catch {
            FileHandle.standardError.write(Data("fault: \(error)\n".utf8))
            return ("500 Internal Server Error", [])
        }
    }

    /// The head without the empty line, and what of the body came with it.
    private func readHead(_ connection: Int32) -> (String, [UInt8])? {
        var bytes: [UInt8] = []
        while bytes.count <= Self.headLimit {
            if let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) {
                return (String(decoding: bytes[..<end.lowerBound], as: UTF8.self), Array(bytes[end.upperBound...]))
            }
            guard let piece = receive(connection, atMost: 4_096) else { return nil }
            bytes += piece
        }
        return nil
    }

    private func read(_ connection: Int32, upTo length: Int, after start: [UInt8]) -> [UInt8]? {
        var bytes = start
        while bytes.count < length {
            guard let piece = receive(connection, atMost: min(length - bytes.count, 65_536)) else { return nil }
            bytes += piece
        }
        return bytes.count == length ? bytes : nil
    }

    private func receive(_ connection: Int32, atMost count: Int) -> [UInt8]? {
        var received = 0
        let piece = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            received = recv(connection, buffer.baseAddress, count, 0)
            initialized = max(received, 0)
        }
        return received > 0 ? piece : nil
    }
}
