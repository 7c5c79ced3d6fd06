// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "purchase-server",
    dependencies: [.package(name: "app-store-receipt", path: "../..")],
    targets: [
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .target(
            name: "PurchaseServer",
            dependencies: [
                "CSQLite",
                .product(name: "AppStoreReceipt", package: "app-store-receipt"),
                .product(name: "AppStoreReceiptValidation", package: "app-store-receipt"),
                .product(name: "AppStoreReceiptFoundation", package: "app-store-receipt"),
            ]),
        .executableTarget(name: "server", dependencies: ["PurchaseServer"]),
        .testTarget(
            name: "PurchaseServerTests",
            dependencies: ["PurchaseServer", .product(name: "ReceiptForge", package: "app-store-receipt")]),
    ],
    swiftLanguageModes: [.v6]
)
