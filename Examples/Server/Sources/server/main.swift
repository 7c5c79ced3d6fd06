import AppStoreReceiptValidation
import Foundation
import PurchaseServer

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count == 3, let port = arguments.first.flatMap({ UInt16($0) }) else {
    FileHandle.standardError.write(Data("usage: server PORT DATABASE BUNDLE-ID\n".utf8))
    exit(64)
}
do {
    let granted = try GrantedTransactions(path: arguments[arguments.startIndex + 1])
    let policy = ValidationPolicy.appStore(bundleIdentifiers: [arguments[arguments.startIndex + 2]])
    let server = try HTTPServer(port: port, handler: PurchaseHandler(policy: policy, granted: granted))
    print("http://127.0.0.1:\(server.port)/purchases")
    server.run()
} catch {
    FileHandle.standardError.write(Data("server: \(error)\n".utf8))
    exit(70)
}
