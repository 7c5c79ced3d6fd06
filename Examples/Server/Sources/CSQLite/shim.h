#include <sqlite3.h>

/* SQLITE_TRANSIENT is a cast that Swift cannot import: SQLite copies the text. */
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *text) {
    return sqlite3_bind_text(statement, index, text, -1, SQLITE_TRANSIENT);
}
