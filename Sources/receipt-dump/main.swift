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
let status = run(Array(CommandLine.arguments.dropFirst()), host: host)
// Threads may still be at work on what nobody wants any more: exit would take libcrypto away under them.
if host.interruption.isStopped { _exit(status) }
exit(status)
