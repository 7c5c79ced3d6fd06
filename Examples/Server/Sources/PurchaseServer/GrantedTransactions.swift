import CSQLite
import Synchronization

/// The transactions that were granted, in SQLite: which account each belongs to.
///
/// The primary key is what makes a grant happen once, whatever threads and processes ask at the same time.
public final class GrantedTransactions: Sendable {
    public struct DatabaseError: Error, CustomStringConvertible {
        public let description: String
    }

    private struct Connection: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    /// One connection, one caller at a time.
    private let connection: Mutex<Connection>

    /// - Parameter path: The database's file, which is made if it is not there; `:memory:` for tests.
    public init(path: String) throws {
        var pointer: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX
        guard sqlite3_open_v2(path, &pointer, flags, nil) == SQLITE_OK, let pointer else {
            defer { sqlite3_close_v2(pointer) }
            throw DatabaseError(description: "cannot open \(path)")
        }
        connection = Mutex(Connection(pointer: pointer))
        sqlite3_busy_timeout(pointer, 5_000)
        let schema = """
            PRAGMA journal_mode = WAL;
            CREATE TABLE IF NOT EXISTS granted (
                transaction_id TEXT PRIMARY KEY NOT NULL,
                account TEXT NOT NULL,
                product_id TEXT NOT NULL,
                granted_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
            ) WITHOUT ROWID;
            """
        guard sqlite3_exec(pointer, schema, nil, nil, nil) == SQLITE_OK else { throw Self.error(pointer) }
    }

    deinit { connection.withLock { _ = sqlite3_close_v2($0.pointer) } }

    /// Inserts a transaction for an account, in one step.
    ///
    /// - Returns: The account that it belongs to, and whether that is so only now.
    public func insert(
        _ transactionID: String, product: String, for account: String
    ) throws -> (account: String, isNew: Bool) {
        try connection.withLock { connection in
            // Identifiers of one family are unique; SQLite stops at a zero byte, so none may be inside.
            guard ![transactionID, product, account].contains(where: { $0.utf8.contains(0) }) else {
                throw DatabaseError(description: "a zero byte in an identifier")
            }
            let insert =
                "INSERT INTO granted (transaction_id, product_id, account) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
            _ = try Self.rows(connection.pointer, insert, [transactionID, product, account])
            let isNew = sqlite3_changes(connection.pointer) == 1
            let select = "SELECT account FROM granted WHERE transaction_id = ?"
            guard let owner = try Self.rows(connection.pointer, select, [transactionID]).first else {
                throw DatabaseError(description: "the transaction was inserted and is not there")
            }
            return (owner, isNew)
        }
    }

    /// The first column of what a statement returns. Values are bound, never written into the statement.
    private static func rows(_ connection: OpaquePointer, _ sql: String, _ values: [String]) throws -> [String] {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else { throw error(connection) }
        defer { sqlite3_finalize(statement) }
        for (index, value) in values.enumerated() {
            guard csqlite_bind_text(statement, Int32(index + 1), value) == SQLITE_OK else { throw error(connection) }
        }
        var rows: [String] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: rows.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "")
            case SQLITE_DONE: return rows
            default: throw error(connection)
            }
        }
    }

    private static func error(_ connection: OpaquePointer) -> DatabaseError {
        DatabaseError(description: String(cString: sqlite3_errmsg(connection)))
    }
}
