// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
// The targets and their layers (ARCHITECTURE.md). `Scripts/floors` draws `docs/floors.txt`.
import PackageDescription

/// Whether to instrument the targets and to add the executable `Fuzz`, for `Fuzz/run`.
let fuzzing = Context.environment["GATEHOUSE_FUZZ"] != nil
let fuzzer: [SwiftSetting] = fuzzing ? [.unsafeFlags(["-sanitize=fuzzer"])] : []

/// The settings of all targets: Swift 6 mode, warnings as errors, explicit imports.
let strict: [SwiftSetting] =
    fuzzer + [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .treatAllWarnings(as: .error),
    ]

/// A target of the package, with its imports.
func room(_ name: String, _ imports: [Target.Dependency], resources: [Resource] = []) -> Target {
    .target(name: name, dependencies: imports, resources: resources, swiftSettings: strict)
}

/// A library that the system's package manager installs.
func installed(_ name: String, _ config: String, apt: String, brew: String) -> Target {
    .systemLibrary(name: name, pkgConfig: config, providers: [.apt([apt]), .brew([brew])])
}

/// A program for tests or measurements, which is not installed.
func program(_ name: String, at path: String, _ imports: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: imports, path: path, swiftSettings: strict)
}

/// A library for the tests of several targets.
func support(_ name: String, _ imports: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: imports, path: "Tests/\(name)", swiftSettings: strict)
}

/// The test target of a target.
func tests(
    of name: String, _ imports: [Target.Dependency] = [], exclude: [String] = []
) -> Target {
    .testTarget(
        name: "\(name)Tests",
        dependencies: [.init(stringLiteral: name), "Support"] + imports,
        exclude: exclude,
        swiftSettings: strict
    )
}

let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let cryptoExtras: Target.Dependency = .product(name: "CryptoExtras", package: "swift-crypto")
let x509: Target.Dependency = .product(name: "X509", package: "swift-certificates")
let asn1: Target.Dependency = .product(name: "SwiftASN1", package: "swift-asn1")
let log: Target.Dependency = .product(name: "Logging", package: "swift-log")
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let lifecycle: Target.Dependency = .product(
    name: "ServiceLifecycle", package: "swift-service-lifecycle")
let argumentParser: Target.Dependency = .product(
    name: "ArgumentParser", package: "swift-argument-parser")
let nio: [Target.Dependency] = [
    .product(name: "NIOCore", package: "swift-nio"),
    .product(name: "NIOHTTP1", package: "swift-nio"),
    .product(name: "NIOPosix", package: "swift-nio"),
    .product(name: "NIOSSL", package: "swift-nio-ssl"),
]

let package = Package(
    name: "gatehouse",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .executable(name: "gatehouse", targets: ["gatehouse"]),
        .executable(name: "gatehouse-waiter", targets: ["gatehouse-waiter"]),
        .executable(name: "notes", targets: ["notes"]),
        .library(name: "GatehouseClient", targets: ["GatehouseClient"]),
        .library(name: "GatehousePasskeys", targets: ["GatehousePasskeys"]),
        .library(name: "GatehouseTesting", targets: ["GatehouseTesting"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    ],
    targets: [
        // Layer 0
        room("Primitives", []),
        room("Platform", ["CWaiting"]),
        // Layer 1
        room("AgentWaiting", ["Platform"]),
        room("CBOR", ["Primitives"]),
        room("JOSE", ["Primitives", crypto, cryptoExtras]),
        room("Storage", ["Primitives"]),
        room("PasswordHashing", ["Primitives", "Platform", "CArgon2"]),
        room("PublicSuffix", []),
        room("TPM", ["Primitives", "Platform"]),
        room("PKCS11", ["Primitives", "Platform", "CPKCS11"]),
        room("TerminalDialog", ["Primitives", "Platform"]),
        room("Mail", ["Primitives"] + nio),
        // Layer 2
        room("Documents", ["JOSE", .product(name: "Yams", package: "Yams")]),
        room("OAuth", ["Primitives", "JOSE", crypto]),
        room("PIN", ["Primitives", "JOSE", "PasswordHashing", crypto, cryptoExtras]),
        room("AppRegistration", ["Primitives", "JOSE", crypto]),
        room(
            "WebAuthn",
            [
                "Primitives", "CBOR", "JOSE", "PublicSuffix", "COpenSSL", "CSodium", crypto,
                cryptoExtras, x509, asn1,
            ]
        ),
        room("StorageSQL", ["Primitives", "Storage"]),
        // Layer 3
        room(
            "CTAP",
            [
                "Primitives", "Platform", "CBOR", "JOSE", "PasswordHashing", "PublicSuffix", "TPM",
                "WebAuthn", "CPCSC", "CZlib", crypto, cryptoExtras,
            ]),
        room("SingleSignOn", ["Primitives", "JOSE", crypto]),
        room("Attestation", ["Primitives", "CBOR", "JOSE", "WebAuthn", crypto]),
        room(
            "StorageSQLite",
            [
                "Primitives", "Platform", "Storage", "StorageSQL",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]
        ),
        room(
            "StoragePostgreSQL", ["Primitives", "Platform", "Storage", "StorageSQL", "CPostgreSQL"]),
        room("PlatformSSO", ["Primitives", "JOSE", "OAuth", crypto]),
        room("SAML", ["Primitives", "JOSE", "CLibXML2", crypto]),
        // Layer 4
        room(
            "IdentityProvider",
            [
                "Primitives", "Storage", "OAuth", "AppRegistration", "PIN", "PlatformSSO",
                "SingleSignOn", "SAML", "Attestation", "WebAuthn", "JOSE", "PasswordHashing",
                "Mail", crypto, log,
            ]
        ),
        room(
            "UserClient",
            [
                "Primitives", "Platform", "OAuth", "JOSE",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
            ] + nio
        ),
        room(
            "SSOExtensions",
            ["Primitives", "Platform", "JOSE", "SingleSignOn", "CSandbox", crypto]),
        // Layer 5
        room(
            "Agent",
            [
                "Primitives", "Platform", "JOSE", "OAuth", "PlatformSSO", "SingleSignOn",
                "SSOExtensions", "SAML", "CTAP", "TPM", "PKCS11", "WebAuthn", "UserClient",
                "AgentWaiting", crypto,
            ] + nio),
        room(
            "HTTPServer",
            [
                "Primitives", "Platform", "JOSE", "OAuth", "Storage", "IdentityProvider", log,
                httpTypes, .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HummingbirdHTTP2", package: "hummingbird"), lifecycle,
            ] + nio),
        room(
            "GatehouseClient",
            [
                "Primitives", "Platform", "JOSE", "TPM", "OAuth", "AppRegistration", "PIN",
                "PasswordHashing", "UserClient", crypto,
            ]),
        // Layer 6
        room(
            "WebPages",
            [
                "Primitives", "JOSE", "OAuth", "WebAuthn", "Storage", "IdentityProvider",
                "HTTPServer", crypto, httpTypes,
                .product(name: "Mustache", package: "swift-mustache"),
            ],
            resources: [.copy("Web")]),
        room(
            "AdminEndpoints",
            [
                "Primitives", "JOSE", "AppRegistration", "WebAuthn", "Storage", "IdentityProvider",
                "HTTPServer", httpTypes,
            ]),
        // On Apple's systems `AuthenticationServices` is the system's framework.
        room(
            "GatehousePasskeys",
            [
                "GatehouseClient",
                .target(name: "AuthenticationServices", condition: .when(platforms: [.linux])),
            ]),
        // The idle process of the agent, installed in the directory of `gatehouse`.
        .executableTarget(
            name: "gatehouse-waiter", dependencies: ["AgentWaiting", "Platform"],
            swiftSettings: strict),
        // Layer 7
        room(
            "ProtocolEndpoints",
            [
                "Primitives", "JOSE", "OAuth", "AppRegistration", "PIN", "WebAuthn", "Storage",
                "IdentityProvider", "HTTPServer", "WebPages", log, httpTypes,
            ]),
        room(
            "AdminConsole",
            [
                "Primitives", "JOSE", "Documents", "Storage", "IdentityProvider", "HTTPServer",
                "WebPages", "AdminEndpoints", crypto, httpTypes,
            ]),
        room(
            "SampleApps",
            [
                "Primitives", "JOSE", "OAuth", "IdentityProvider", "HTTPServer", "WebPages",
                httpTypes,
            ]),
        // Layer 8
        room(
            "Server",
            [
                "IdentityProvider", "HTTPServer", "WebPages", "AdminEndpoints", "ProtocolEndpoints",
                "AdminConsole",
            ]),
        room(
            "GatehouseTesting",
            [
                "Primitives", "JOSE", "OAuth", "Storage", "StorageSQLite", "Mail",
                "PasswordHashing", "AppRegistration", "IdentityProvider", "HTTPServer", "WebPages",
                "ProtocolEndpoints", "GatehouseClient", crypto, log,
            ]),
        // Layer 9
        .executableTarget(
            name: "gatehouse",
            dependencies: [
                "Primitives", "Platform", "CBOR", "JOSE", "WebAuthn", "OAuth", "Storage",
                "StorageSQL", "StorageSQLite", "StoragePostgreSQL", "PasswordHashing", "Mail",
                "Attestation", "CTAP", "PKCS11", "PlatformSSO", "SingleSignOn", "SSOExtensions",
                "TerminalDialog", "IdentityProvider", "UserClient", "GatehouseClient", "Agent",
                "HTTPServer", "WebPages", "AdminEndpoints", "SampleApps", "Server", "Documents",
                "CQREncode", "AgentWaiting", crypto, log, argumentParser, lifecycle,
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ] + nio,
            swiftSettings: strict),
        // Measured by Benchmarks/run; not part of what is installed.
        program(
            "webauthn-speed", at: "Benchmarks/WebAuthnSpeed",
            ["Primitives", "WebAuthn", "JOSE"]),
        program(
            "app-speed", at: "Benchmarks/AppSpeed",
            [
                "Primitives", "Attestation", "AttestationSupport", "GatehouseClient",
                "GatehouseTesting", "WebAuthn", crypto, x509, asn1,
            ]),
        .executableTarget(
            name: "notes",
            dependencies: [
                "GatehouseClient", "GatehouseTesting", "GatehousePasskeys", crypto,
                .target(name: "AuthenticationServices", condition: .when(platforms: [.linux])),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Examples/notes",
            exclude: ["README.md"], swiftSettings: strict),
        // Run by tests, by Scripts/hardware and by Benchmarks/run; not part of what is installed.
        program(
            "security-key-check", at: "Tests/SecurityKeyCheck",
            ["Primitives", "CTAP", "WebAuthn", "JOSE", "AuthenticatorSupport"]),
        // An extension with every fault that one can have, for tests of the host.
        program(
            "faulty-extension", at: "Tests/FaultyExtension",
            ["Primitives", "SingleSignOn", "SSOExtensions"]),
        // One of several processes with one store of the app SDK.
        program(
            "store-process", at: "Tests/StoreProcess",
            ["GatehouseClient", "GatehouseTesting"]),
        // System libraries
        installed("CArgon2", "libargon2", apt: "libargon2-dev", brew: "argon2"),
        installed("CPCSC", "libpcsclite", apt: "libpcsclite-dev", brew: "pcsc-lite"),
        .systemLibrary(name: "CSandbox"),
        .systemLibrary(name: "CWaiting"),
        // Our own header: modules of PKCS#11 come by dlopen, and nothing has to be installed.
        .systemLibrary(name: "CPKCS11"),
        installed("CZlib", "zlib", apt: "zlib1g-dev", brew: "zlib"),
        installed("CSodium", "libsodium", apt: "libsodium-dev", brew: "libsodium"),
        installed("COpenSSL", "libcrypto", apt: "libssl-dev", brew: "openssl"),
        installed("CLibXML2", "libxml-2.0", apt: "libxml2-dev", brew: "libxml2"),
        installed("CPostgreSQL", "libpq", apt: "libpq-dev", brew: "libpq"),
        installed("CQREncode", "libqrencode", apt: "libqrencode-dev", brew: "qrencode"),
        // Tests
        support(
            "Support", ["AllocationCounter", "Platform", "Primitives", "Storage", "Mail", crypto]),
        // Attesting keys and metadata publishers, for the tests of several modules.
        support(
            "AttestationSupport",
            [
                "Primitives", "Attestation", "CBOR", "JOSE", "WebAuthn", crypto, cryptoExtras, x509,
                asn1,
            ]),
        // Client and software key over a socket, for tests and measurements.
        support("AuthenticatorSupport", ["Primitives", "Platform", "CTAP"]),
        .target(name: "AllocationCounter", path: "Tests/AllocationCounter"),
        support(
            "ProviderSupport",
            [
                "Primitives", "Storage", "StorageSQLite", "PasswordHashing", "Mail",
                "IdentityProvider", "WebAuthn", log,
            ]),
        tests(of: "Primitives"),
        tests(of: "Platform"),
        tests(of: "CBOR"),
        tests(of: "JOSE", [crypto]),
        tests(of: "PasswordHashing"),
        tests(of: "PKCS11", ["Primitives", crypto]),
        tests(of: "PublicSuffix"),
        tests(of: "TPM", ["Primitives", crypto]),
        tests(of: "TerminalDialog", ["Primitives"]),
        tests(of: "Mail", exclude: ["peers"]),
        tests(of: "Documents", ["JOSE"]),
        tests(of: "OAuth", ["JOSE"]),
        tests(of: "PIN", ["JOSE", "PasswordHashing", "Primitives", crypto, cryptoExtras]),
        tests(of: "AppRegistration", ["Primitives", "JOSE"]),
        tests(
            of: "WebAuthn",
            [
                "AttestationSupport", "CBOR", "JOSE", "Primitives", "COpenSSL", crypto,
                cryptoExtras, x509, asn1,
            ]),
        tests(
            of: "CTAP",
            [
                "AuthenticatorSupport", "CBOR", "JOSE", "PasswordHashing", "Platform", "Primitives",
                "WebAuthn", "security-key-check", crypto,
            ],
            exclude: [
                "Peers/python_fido2_client.py", "Peers/python_authenticator.py",
                "Peers/python_card.py",
            ]),
        tests(of: "SingleSignOn", ["Primitives", "JOSE"]),
        tests(of: "PlatformSSO", ["JOSE", "OAuth", "Primitives", crypto]),
        tests(of: "SAML", ["AttestationSupport", "JOSE", "Primitives", crypto]),
        tests(
            of: "Attestation",
            [
                "AttestationSupport", "Primitives", "CBOR", "JOSE", "TPM", "WebAuthn", crypto,
                cryptoExtras, x509, asn1,
            ], exclude: ["tpm"]),
        tests(of: "StorageSQLite", ["Storage", "StorageSQL"]),
        tests(of: "StoragePostgreSQL", ["Storage", "StorageSQL", "StorageSQLite"]),
        tests(
            of: "IdentityProvider",
            [
                "ProviderSupport", "AttestationSupport", "Storage", "OAuth", "AppRegistration",
                "JOSE", "WebAuthn", "StorageSQL", "StorageSQLite", "Mail", "PasswordHashing",
                crypto,
            ]),
        tests(
            of: "Server",
            [
                "ProviderSupport", "AttestationSupport", "HTTPServer", "WebPages", "AdminEndpoints",
                "ProtocolEndpoints", "AdminConsole", "SampleApps", "IdentityProvider", "Storage",
                "StorageSQL", "StorageSQLite", "JOSE", "OAuth", "AppRegistration", "Attestation",
                "CBOR", "PIN", "Platform", "PlatformSSO", "WebAuthn", "PasswordHashing", "Mail",
                "UserClient", crypto, log, httpTypes,
                .product(name: "NIOEmbedded", package: "swift-nio"), lifecycle,
            ] + nio,
            exclude: ["BrowserClient/types"]
        ),
        tests(of: "UserClient", ["JOSE", "OAuth", "Platform", crypto]),
        tests(
            of: "SSOExtensions",
            ["Primitives", "Platform", "JOSE", "SingleSignOn", "CSandbox", "faulty-extension"]),
        tests(
            of: "Agent",
            [
                "AgentWaiting", "Platform", "Primitives", "JOSE", "OAuth", "PlatformSSO",
                "SingleSignOn", "SSOExtensions", "SAML", "CTAP", "TPM", "PKCS11", "UserClient",
                "WebAuthn", "faulty-extension", "AttestationSupport", crypto,
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"), x509, asn1,
            ]),
        tests(
            of: "GatehouseClient",
            [
                "GatehouseTesting", "Platform", "Primitives", "JOSE", "OAuth", "AppRegistration",
                "PIN", "PasswordHashing", "UserClient", "IdentityProvider", "Storage",
                "store-process", "TPM", "AttestationSupport", "CBOR", crypto,
            ]),
        tests(
            of: "gatehouse",
            [
                "AttestationSupport", "Platform", "Primitives", "JOSE", "Storage", "StorageSQLite",
                "IdentityProvider", "HTTPServer", "WebPages", "AdminEndpoints", "Documents",
                "SingleSignOn", "SSOExtensions", "WebAuthn", "ProviderSupport", "Agent", "Mail",
                "TerminalDialog", "UserClient", httpTypes, log, argumentParser, lifecycle,
            ] + nio),
        .testTarget(
            name: "EndToEnd",
            dependencies: [
                "Support", "AttestationSupport", "Primitives", "JOSE", "WebAuthn", "CTAP",
                "UserClient", "GatehouseClient", "GatehouseTesting", "PasswordHashing",
                "PlatformSSO", "SingleSignOn", "SSOExtensions", "StorageSQL", "StorageSQLite",
                "StoragePostgreSQL", crypto,
            ],
            path: "Tests/EndToEnd",
            exclude: ["peers", "output"],
            swiftSettings: strict),
    ]
)

// Apple's API for apps, where the system does not have it.
#if os(Linux)
    package.products.append(
        .library(name: "AuthenticationServices", targets: ["AuthenticationServices"]))
    package.targets += [
        // Layer 5
        room(
            "AuthenticationServices",
            [
                "Primitives", "SingleSignOn", "SSOExtensions", "PlatformSSO", "CTAP", "WebAuthn",
                "JOSE", "UserClient", "TerminalDialog", "Platform", crypto,
            ]),
        // Tests and examples
        .executableTarget(
            name: "SecurityKeyApp", dependencies: ["AuthenticationServices"],
            path: "Examples/SecurityKeyApp", exclude: ["README.md"], swiftSettings: strict),
        .executableTarget(
            name: "SSOExtension", dependencies: ["AuthenticationServices", crypto],
            path: "Examples/SSOExtension", exclude: ["README.md", "provider.py", "macOS"],
            swiftSettings: strict),
        tests(
            of: "AuthenticationServices",
            [
                "CTAP", "WebAuthn", "JOSE", "Platform", "Primitives", "TerminalDialog",
                "UserClient", "PlatformSSO", "SingleSignOn", "SSOExtensions", "SSOExtension",
                crypto,
            ] + nio),
        tests(
            of: "GatehousePasskeys",
            [
                "GatehouseClient", "GatehouseTesting", "AuthenticationServices", "CTAP",
                "Primitives", "Storage",
            ]),
    ]
#endif

if fuzzing {
    package.targets.append(
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "Primitives", "CBOR", "JOSE", "OAuth", "AppRegistration", "PIN", "WebAuthn", "CTAP",
                "Attestation", "PlatformSSO", "SAML", "SingleSignOn", "SSOExtensions", "Documents",
                "IdentityProvider", "HTTPServer", "Agent", "GatehouseClient", "TPM",
            ],
            path: "Fuzz/Targets",
            swiftSettings: strict,
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]
        )
    )
}

// Limits the package to some targets, the targets that they import, and their tests.
// `Scripts/room NAME` sets the variable.
if let rooms = Context.environment["GATEHOUSE_ROOMS"]?.split(separator: ",").map(String.init) {
    func imports(of target: Target) -> [String] {
        target.dependencies.compactMap { dependency in
            switch dependency {
            case .byNameItem(let name, _), .targetItem(let name, _): name
            default: nil
            }
        }
    }
    var wanted = Set(rooms + rooms.map { "\($0)Tests" })
    var found = wanted
    while !found.isEmpty {
        let below = package.targets.filter { found.contains($0.name) }.flatMap(imports)
        found = Set(below).subtracting(wanted)
        wanted.formUnion(found)
    }
    package.targets.removeAll { !wanted.contains($0.name) }
    // Each product is named for its target.
    package.products.removeAll { !wanted.contains($0.name) }
}
