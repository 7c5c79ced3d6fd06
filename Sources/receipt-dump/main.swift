#if canImport(Darwin)
    import Darwin
#elseif canImport(Android)
    import Android
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

let host = Host.process()
// Swift reads the command line from /proc. Without it there is none, and expectations would be dropped in silence.
if CommandLine.arguments.isEmpty {
    // Nothing can be done about a message that cannot be written; the status says enough.
    host.complain("cannot read the command line: is /proc mounted?")
    exit(ExitStatus.internal)
}
let status = run(Array(CommandLine.arguments.dropFirst()), host: host)
// Everything is written. Threads may still be at work on what nobody wants any more: exit would take libcrypto away
// under them, and what it tidies up costs as much as reading a receipt.
_exit(status)
