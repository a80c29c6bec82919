// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let package = Package(
    name: "FirstApp",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "gatehouse", path: "../..")],
    targets: [
        .executableTarget(
            name: "FirstApp",
            dependencies: [
                .product(name: "GatehouseClient", package: "gatehouse"),
                .product(name: "GatehouseTesting", package: "gatehouse"),
            ])
    ]
)
