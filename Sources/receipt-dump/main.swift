#if canImport(Darwin)
    import Darwin
#elseif canImport(Android)
    import Android
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

exit(run(Array(CommandLine.arguments.dropFirst()), host: .process()))
