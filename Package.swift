// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.strictMemorySafety()]

let package = Package(
    name: "app-store-receipt",
    products: [
        .library(name: "AppStoreReceipt", targets: ["AppStoreReceipt"]),
        .library(name: "AppStoreReceiptValidation", targets: ["AppStoreReceiptValidation"]),
        .library(name: "AppStoreReceiptFoundation", targets: ["AppStoreReceiptFoundation"]),
        .library(name: "ReceiptReport", targets: ["ReceiptReport"]),
        // The C interface. Scripts/build-c links it into a library that needs no Swift.
        .library(name: "CAppStoreReceipt", type: .static, targets: ["CAppStoreReceipt"]),
        .library(name: "ReceiptForge", targets: ["ReceiptForge"]),
        .executable(name: "receipt-dump", targets: ["receipt-dump"]),
    ],
    targets: [
        // Decoding. Each layer imports only the one before it.
        .target(name: "ReceiptASN1", swiftSettings: strict),
        .target(name: "ReceiptJSON", swiftSettings: strict),
        .target(name: "ReceiptPKIX", dependencies: ["ReceiptASN1"], swiftSettings: strict),
        .target(name: "ReceiptTransport", dependencies: ["ReceiptASN1"], swiftSettings: strict),
        .target(
            name: "AppStoreReceipt", dependencies: ["ReceiptPKIX", "ReceiptTransport", "ReceiptJSON"],
            swiftSettings: strict),

        // Validation.
        .systemLibrary(
            name: "CLibcrypto", pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .target(
            name: "AppStoreReceiptValidation", dependencies: ["AppStoreReceipt", "ReceiptJSON", "CLibcrypto"],
            exclude: ["Policy/Certificates"], swiftSettings: strict),

        // Data, Date, UUID and LocalizedError, for those who have Foundation anyway: no other library imports it.
        .target(
            name: "AppStoreReceiptFoundation", dependencies: ["AppStoreReceiptValidation"], swiftSettings: strict),

        // What an input is and what was found out about it, as values and as JSON, text and trees.
        .target(
            name: "ReceiptReport", dependencies: ["AppStoreReceiptValidation", "ReceiptJSON"], swiftSettings: strict),

        // The C interface: a header, and functions that implement it.
        .systemLibrary(name: "CAppStoreReceiptHeader", path: "Sources/CAppStoreReceipt/include"),
        .target(
            name: "CAppStoreReceipt", dependencies: ["ReceiptReport", "ReceiptJSON", "CAppStoreReceiptHeader"],
            exclude: ["include", "Install"], swiftSettings: strict),

        // For tests only: forged receipts under a throw-away PKI.
        .target(
            name: "ReceiptForge", dependencies: ["AppStoreReceipt", "CLibcrypto"],
            swiftSettings: strict),

        // Tools.
        .executableTarget(
            name: "receipt-dump", dependencies: ["ReceiptReport"],
            swiftSettings: strict),
        // What receipt-bench compares with, in C, and its counting of allocations.
        .target(name: "CReceiptBench", dependencies: ["CLibcrypto"]),
        .executableTarget(
            name: "receipt-bench",
            dependencies: ["AppStoreReceipt", "AppStoreReceiptValidation", "ReceiptForge", "CReceiptBench"],
            swiftSettings: strict),

        // Tests. OpenSSLOracle asks libcrypto's own CMS_verify and X509_verify_cert; nothing outside the tests links it.
        .target(name: "OpenSSLOracle", dependencies: ["CLibcrypto"], path: "Tests/OpenSSLOracle"),
        .target(
            name: "OracleSupport", dependencies: ["OpenSSLOracle"], path: "Tests/OracleSupport", swiftSettings: strict),
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
        .testTarget(
            name: "ReceiptASN1Tests", dependencies: ["ReceiptASN1", "ReceiptForge", "OracleSupport", "TestSupport"]),
        .testTarget(name: "ReceiptJSONTests", dependencies: ["ReceiptJSON", "TestSupport"]),
        .testTarget(
            name: "ReceiptPKIXTests", dependencies: ["ReceiptPKIX", "ReceiptForge", "OracleSupport", "TestSupport"]),
        .testTarget(
            name: "ReceiptTransportTests",
            dependencies: ["ReceiptTransport", "AppStoreReceipt", "ReceiptForge", "TestSupport"]),
        .testTarget(
            name: "AppStoreReceiptTests",
            dependencies: ["AppStoreReceipt", "AppStoreReceiptFoundation", "ReceiptForge", "TestSupport"]),
        .testTarget(
            name: "AppStoreReceiptValidationTests",
            dependencies: ["AppStoreReceiptValidation", "ReceiptForge", "OracleSupport", "TestSupport"]),
        .testTarget(
            name: "ReceiptForgeTests",
            dependencies: ["AppStoreReceipt", "ReceiptForge", "OracleSupport", "TestSupport"]),
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                "AppStoreReceipt", "AppStoreReceiptValidation", "ReceiptForge", "ReceiptReport", "TestSupport",
                "receipt-dump",
            ]),
        // Test vectors: the recipe, the command that writes the files, and the tests that run them.
        .target(
            name: "VectorRecipe", dependencies: ["AppStoreReceipt", "ReceiptForge"], path: "Tests/VectorRecipe",
            swiftSettings: strict),
        .executableTarget(
            name: "make-vectors", dependencies: ["VectorRecipe", "TestSupport"], path: "Tests/MakeVectors",
            swiftSettings: strict),
        .testTarget(
            name: "VectorTests",
            dependencies: [
                "VectorRecipe", "AppStoreReceiptValidation", "ReceiptTransport", "ReceiptForge", "OracleSupport",
                "receipt-dump", "TestSupport",
            ]),
        .testTarget(
            name: "ReceiptDumpTests", dependencies: ["receipt-dump", "ReceiptReport", "ReceiptForge", "TestSupport"]),
        .testTarget(
            name: "HostileInputTests",
            dependencies: [
                "AppStoreReceiptValidation", "ReceiptForge", "OracleSupport", "TestSupport", "receipt-dump",
            ]),
    ],
    swiftLanguageModes: [.v6]
)

// Fuzz targets exist only where RECEIPT_FUZZ is set, as Tests/Fuzz/run does: nobody who uses the package builds them.
if Context.environment["RECEIPT_FUZZ"] != nil {
    package.targets.removeAll { $0.isTest || $0.name == "receipt-dump" }
    package.products.removeAll { $0.name == "receipt-dump" }
    package.targets += [
        // The tool without its entry point, so that a fuzz target can have libFuzzer's.
        .target(
            name: "receipt-dump", dependencies: ["ReceiptReport"],
            exclude: ["main.swift"], swiftSettings: strict),
        .systemLibrary(name: "CFuzzer", path: "Tests/Fuzz/CFuzzer"),
        .target(
            name: "FuzzSupport",
            dependencies: ["AppStoreReceiptValidation", "ReceiptForge", "OracleSupport", "TestSupport", "CFuzzer"],
            path: "Tests/Fuzz/FuzzSupport", swiftSettings: strict),
    ]
    let names = [
        "Arguments", "Certificate", "Container", "Dump", "Receipt", "Transaction", "Transport", "Validate", "Verdict",
    ]
    for name in names {
        let tool: [Target.Dependency] = ["Arguments", "Dump"].contains(name) ? ["receipt-dump"] : []
        package.targets.append(
            .executableTarget(
                name: "Fuzz\(name)", dependencies: ["FuzzSupport"] + tool, path: "Tests/Fuzz/Fuzz\(name)",
                swiftSettings: strict))
    }
}
