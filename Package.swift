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
func module(
    _ name: String, _ imports: Target.Dependency..., plus others: [Target.Dependency] = [],
    exclude: [String] = [], resources: [Resource] = []
) -> Target {
    .target(
        name: name, dependencies: imports + others, exclude: exclude, resources: resources,
        swiftSettings: strict)
}

/// A library for the tests of several targets.
func support(_ name: String, _ imports: Target.Dependency...) -> Target {
    .target(name: name, dependencies: imports, path: "Tests/\(name)", swiftSettings: strict)
}

/// The test target of a target.
func tests(
    of name: String, _ imports: Target.Dependency..., plus others: [Target.Dependency] = [],
    exclude: [String] = []
) -> Target {
    .testTarget(
        name: "\(name)Tests",
        dependencies: [.init(stringLiteral: name), "Support"] + imports + others,
        exclude: exclude, swiftSettings: strict)
}

/// A small table of relocations and no exported symbols: 7 MB less are resident. Equal functions are one.
let compact: LinkerSetting = .unsafeFlags(
    ["-use-ld=lld"]
        + ["-z", "pack-relative-relocs", "--no-export-dynamic", "--icf=all"]
        .flatMap { ["-Xlinker", $0] },
    .when(platforms: [.linux], configuration: .release))

/// No tables for unwinding: neither Swift nor the libraries in the provider throw C++ exceptions
/// (decision 0030).
let withoutUnwinding: LinkerSetting = .unsafeFlags(
    ["-T", "\(Context.packageDirectory)/Packaging/no-unwinding.ld", "--no-eh-frame-hdr"]
        .flatMap { ["-Xlinker", $0] },
    .when(platforms: [.linux], configuration: .release))

/// A program for tests and measurements, which is not installed.
func tool(_ name: String, path: String, _ imports: Target.Dependency...) -> Target {
    .executableTarget(name: name, dependencies: imports, path: path, swiftSettings: strict)
}

/// A library of the system, with its packages.
func library(_ name: String, _ pkgConfig: String, apt: String, brew: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt]), .brew([brew])])
}

let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let cryptoExtras: Target.Dependency = .product(name: "CryptoExtras", package: "swift-crypto")
let x509: Target.Dependency = .product(name: "X509", package: "swift-certificates")
let asn1: Target.Dependency = .product(name: "SwiftASN1", package: "swift-asn1")
let log: Target.Dependency = .product(name: "Logging", package: "swift-log")
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let lifecycle: Target.Dependency = .product(
    name: "ServiceLifecycle", package: "swift-service-lifecycle")
let signals: Target.Dependency = .product(
    name: "UnixSignals", package: "swift-service-lifecycle")
let argumentParser: Target.Dependency = .product(
    name: "ArgumentParser", package: "swift-argument-parser")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let nioHTTP1: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")
let nioEmbedded: Target.Dependency = .product(name: "NIOEmbedded", package: "swift-nio")
let nio = [
    nioCore, nioHTTP1, nioPosix, .product(name: "NIOSSL", package: "swift-nio-ssl"),
]
let hummingbird: [Target.Dependency] = [
    .product(name: "HummingbirdCore", package: "hummingbird"),
    .product(name: "HummingbirdHTTP2", package: "hummingbird"),
]
let unistring: Target.Dependency = .target(
    name: "CUniString", condition: .when(platforms: [.linux]))
let systemAuthenticationServices: Target.Dependency = .target(
    name: "AuthenticationServices", condition: .when(platforms: [.linux]))

let package = Package(
    name: "gatehouse",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: ["gatehouse", "gatehouse-agent", "notes"].map {
        .executable(name: $0, targets: [$0])
    }
        + ["GatehouseClient", "GatehousePINVersion1", "GatehousePasskeys", "GatehouseTesting"].map {
            .library(name: $0, targets: [$0])
        },
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(
            url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    ],
    targets: [
        // Layer 0
        module("Platform", "CWaiting"),
        // The public suffix list, as a text that clang embeds.
        module("CPublicSuffix", exclude: ["rules.txt"]),
        // Forms of Unicode, without Foundation.
        module("UnicodeNormalization", plus: [unistring]),
        // Takes the place of the data of Foundation's ICU in programs (decision 0030).
        module("CEmptyICUData"),
        // Layer 1
        module("Primitives", "Platform"),
        // Layer 2
        module("CBOR", "Primitives"),
        module("JOSE", "Primitives", crypto, cryptoExtras),
        module("Storage", "Primitives", "UnicodeNormalization"),
        module(
            "PasswordHashing", "Primitives", "Platform", "UnicodeNormalization", "CArgon2"),
        module("PublicSuffix", "CPublicSuffix"),
        module("TPM", "Primitives", "Platform"),
        module("PKCS11", "Primitives", "Platform", "CPKCS11", crypto),
        module("TerminalDialog", "Primitives", "Platform"),
        module("Mail", "Primitives", plus: nio),
        // Layer 3
        module("MasterKeyFormat", "Primitives", "PKCS11", "PasswordHashing", crypto),
        // The socket of the agent: what a program needs to ask it.
        module("AgentClient", "Primitives", "Platform", "JOSE", crypto, plus: nio),
        module("Documents", "JOSE", .product(name: "Yams", package: "Yams")),
        module("OAuth", "Primitives", "JOSE", crypto),
        module("PIN", "Primitives", "JOSE", crypto, cryptoExtras),
        module("AppRegistration", "Primitives", "JOSE", crypto),
        module(
            "WebAuthn", "Primitives", "CBOR", "JOSE", "PublicSuffix", "COpenSSL", crypto,
            cryptoExtras, x509, asn1),
        module("StorageSQL", "Primitives", "Storage"),
        // Layer 4
        module(
            "CTAP", "Primitives", "Platform", "UnicodeNormalization", "CBOR", "JOSE",
            "PasswordHashing", "PublicSuffix", "TPM", "WebAuthn", "CPCSC", "CZlib", crypto,
            cryptoExtras),
        module("SingleSignOn", "Primitives", "UnicodeNormalization", "JOSE", crypto),
        module("Attestation", "Primitives", "CBOR", "JOSE", "WebAuthn", crypto),
        module("StorageSQLite", "Primitives", "Platform", "Storage", "StorageSQL", "CSQLite"),
        module(
            "StoragePostgreSQL", "Primitives", "Platform", "Storage", "StorageSQL", "CPostgreSQL"),
        module("PlatformSSO", "Primitives", "JOSE", "OAuth", crypto),
        module("SAML", "Primitives", "JOSE", "CLibXML2", crypto),
        // What opens PINs of version 1, with libargon2: linked only by apps that ask for it.
        module("PINVersion1", "PIN", "PasswordHashing"),
        // Layer 5
        // What all subjects of the provider use: tenants, keys, audit, ceremonies.
        module(
            "ProviderCore", "Primitives", "JOSE", "Storage", "PasswordHashing", "Mail", "OAuth",
            "PIN", "AppRegistration", "WebAuthn", "PlatformSSO", crypto, log),
        module(
            "ProviderSettings", "Primitives", "UnicodeNormalization", "JOSE", "Storage", "OAuth"),
        module(
            "UserClient", "Primitives", "Platform", "OAuth", "JOSE",
            .product(name: "AsyncHTTPClient", package: "async-http-client"), plus: nio),
        module(
            "SSOExtensions", "Primitives", "Platform", "JOSE", "SingleSignOn", "CSandbox", crypto),
        // Layer 6
        module(
            "ProviderPeople", "Primitives", "JOSE", "Storage", "PasswordHashing", "OAuth",
            "AppRegistration", "WebAuthn", "ProviderCore", "ProviderSettings", crypto, log),
        module(
            "Agent", "Primitives", "Platform", "AgentClient", "JOSE", "OAuth", "PlatformSSO",
            "SingleSignOn", "SSOExtensions", "SAML", "CTAP", "TPM", "PKCS11", "WebAuthn",
            "UserClient", crypto, plus: nio),
        module(
            "GatehouseClient", "Primitives", "Platform", "JOSE", "TPM", "OAuth", "AppRegistration",
            "PIN", "UserClient", crypto),
        module(
            "HTTPServer", "Primitives", "Platform", "JOSE", "Storage", "ProviderCore", log,
            httpTypes, lifecycle, plus: hummingbird + nio),
        // Layer 7
        module(
            "ProviderUpstream", "Primitives", "JOSE", "Storage", "OAuth", "ProviderCore",
            "ProviderSettings", "ProviderPeople", crypto),
        module(
            "ProviderTokens", "Primitives", "JOSE", "Storage", "OAuth", "AppRegistration",
            "PlatformSSO", "ProviderCore", "ProviderSettings", "ProviderPeople", crypto, log),
        // An app with PINs of version 1 adds it (decision 0037).
        module("GatehousePINVersion1", "GatehouseClient", "PINVersion1"),
        // On Apple's systems `AuthenticationServices` is the system's framework.
        module("GatehousePasskeys", "GatehouseClient", systemAuthenticationServices),
        // What both programs do with a command line: arguments, terminal, files and log.
        module(
            "CommandLineSupport", "Primitives", "Platform", "JOSE", "TerminalDialog", "UserClient",
            "AgentClient", "CQREncode", log, argumentParser),
        // Layer 8
        module(
            "ProviderInstallations", "Primitives", "JOSE", "Storage", "OAuth", "PIN",
            "AppRegistration", "WebAuthn", "SingleSignOn", "Attestation", "ProviderCore",
            "ProviderSettings", "ProviderPeople", "ProviderTokens", crypto, log),
        module(
            "ProviderDevices", "Primitives", "UnicodeNormalization", "JOSE", "Storage", "OAuth",
            "WebAuthn", "SingleSignOn", "Attestation", "PlatformSSO", "SAML", "ProviderCore",
            "ProviderSettings", "ProviderPeople", "ProviderTokens", crypto, log),
        // Layer 9
        module(
            "ProviderAdministration", "Primitives", "JOSE", "Storage", "PasswordHashing", "OAuth",
            "AppRegistration", "ProviderCore", "ProviderSettings", "ProviderPeople",
            "ProviderUpstream", "ProviderTokens", "ProviderInstallations", "ProviderDevices"),
        // The provider as a whole: token endpoint, documents, first start.
        module(
            "IdentityProvider", "Primitives", "JOSE", "Storage", "OAuth", "PIN", "SingleSignOn",
            "Attestation", "ProviderCore", "ProviderTokens", "ProviderInstallations",
            "ProviderDevices"),
        module(
            "WebPages", "Primitives", "JOSE", "OAuth", "WebAuthn", "Storage", "ProviderCore",
            "ProviderSettings", "ProviderPeople", "ProviderUpstream", "ProviderTokens",
            "ProviderInstallations", "HTTPServer", crypto, httpTypes,
            .product(name: "Mustache", package: "swift-mustache"), resources: [.copy("Web")]),
        // Layer 10
        module(
            "AdminEndpoints", "Primitives", "JOSE", "AppRegistration", "WebAuthn", "Storage",
            "ProviderCore", "ProviderSettings", "ProviderPeople", "ProviderInstallations",
            "ProviderDevices", "ProviderAdministration", "HTTPServer", httpTypes),
        module(
            "ProtocolEndpoints", "Primitives", "JOSE", "OAuth", "AppRegistration", "PIN",
            "WebAuthn", "Storage", "ProviderCore", "ProviderPeople", "ProviderUpstream",
            "ProviderTokens", "ProviderInstallations", "ProviderDevices", "IdentityProvider",
            "HTTPServer", "WebPages", log, httpTypes),
        module(
            "SampleApps", "Primitives", "JOSE", "OAuth", "ProviderCore", "HTTPServer", "WebPages",
            httpTypes),
        // The agent of a Linux device. It links no provider, no server and no database.
        .executableTarget(
            name: "gatehouse-agent",
            dependencies: [
                "Primitives", "Platform", "JOSE", "CTAP", "PKCS11", "SingleSignOn",
                "SSOExtensions", "UserClient", "AgentClient", "Agent", "CommandLineSupport", log,
                argumentParser, signals, nioCore, nioPosix,
            ],
            swiftSettings: strict, linkerSettings: [compact]
        ),
        // Layer 11
        module(
            "AdminConsole", "Primitives", "JOSE", "AppRegistration", "Documents", "Storage",
            "ProviderCore", "ProviderSettings", "ProviderPeople", "ProviderInstallations",
            "ProviderAdministration", "HTTPServer", "WebPages", "AdminEndpoints", crypto,
            httpTypes),
        module(
            "GatehouseTesting", "Primitives", "JOSE", "OAuth", "Storage", "StorageSQLite", "Mail",
            "PasswordHashing", "AppRegistration", "ProviderCore", "ProviderTokens",
            "ProviderInstallations", "IdentityProvider", "HTTPServer", "WebPages",
            "ProtocolEndpoints", "PIN", "GatehouseClient", crypto, log),
        // Layer 12
        module(
            "Server", "ProviderCore", "ProviderAdministration", "HTTPServer", "WebPages",
            "AdminEndpoints", "ProtocolEndpoints", "AdminConsole"),
        // Layer 13
        // The provider and its command line.
        .executableTarget(
            name: "gatehouse",
            dependencies: [
                "Primitives", "Platform", "CBOR", "JOSE", "WebAuthn", "OAuth", "Storage",
                "StorageSQL", "StorageSQLite", "StoragePostgreSQL", "PasswordHashing", "Mail",
                "Attestation", "CTAP", "PKCS11", "PlatformSSO", "SingleSignOn",
                "TerminalDialog", "ProviderCore", "ProviderSettings", "ProviderPeople",
                "ProviderAdministration", "IdentityProvider", "UserClient", "GatehouseClient",
                "AgentClient", "HTTPServer", "WebPages", "AdminEndpoints", "SampleApps", "Server",
                "Documents", "MasterKeyFormat", "CommandLineSupport", "CEmptyICUData", crypto, log,
                argumentParser, lifecycle, signals,
            ] + nio,
            swiftSettings: strict, linkerSettings: [compact, withoutUnwinding]),
        // Measured by Benchmarks/run.
        tool("webauthn-speed", path: "Benchmarks/WebAuthnSpeed", "Primitives", "WebAuthn", "JOSE"),
        tool(
            "app-speed", path: "Benchmarks/AppSpeed", "Primitives", "Attestation",
            "AttestationSupport", "GatehouseClient", "GatehouseTesting", "WebAuthn", crypto, x509,
            asn1),
        .executableTarget(
            name: "notes",
            dependencies: [
                "GatehouseClient", "GatehouseTesting", "GatehousePasskeys", crypto,
                systemAuthenticationServices, nioCore, nioHTTP1, nioPosix,
            ],
            path: "Examples/notes", exclude: ["README.md"], swiftSettings: strict),
        // Run by tests, by Scripts/hardware and by Benchmarks/run.
        tool(
            "security-key-check", path: "Tests/SecurityKeyCheck", "Primitives", "CTAP", "WebAuthn",
            "JOSE", "AuthenticatorSupport"),
        // An extension with every fault that one can have, for tests of the host.
        tool(
            "faulty-extension", path: "Tests/FaultyExtension", "Primitives", "SingleSignOn",
            "SSOExtensions"),
        // One of several processes with one store of the app SDK.
        tool("store-process", path: "Tests/StoreProcess", "GatehouseClient", "GatehouseTesting"),
        // System libraries
        library("CArgon2", "libargon2", apt: "libargon2-dev", brew: "argon2"),
        library("CPCSC", "libpcsclite", apt: "libpcsclite-dev", brew: "pcsc-lite"),
        .systemLibrary(name: "CSandbox"),
        .systemLibrary(name: "CWaiting"),
        // Our own header: modules of PKCS#11 come by dlopen, and nothing has to be installed.
        .systemLibrary(name: "CPKCS11"),
        library("CZlib", "zlib", apt: "zlib1g-dev", brew: "zlib"),
        library("COpenSSL", "libcrypto", apt: "libssl-dev", brew: "openssl"),
        library("CLibXML2", "libxml-2.0", apt: "libxml2-dev", brew: "libxml2"),
        // On Apple's systems Foundation has the forms.
        .systemLibrary(
            name: "CUniString", providers: [.apt(["libunistring-dev"]), .brew(["libunistring"])]),
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        library("CPostgreSQL", "libpq", apt: "libpq-dev", brew: "libpq"),
        library("CQREncode", "libqrencode", apt: "libqrencode-dev", brew: "qrencode"),
        // Tests
        support(
            "Support", "AllocationCounter", "Platform", "Primitives", "Storage", "Mail",
            "TerminalDialog", crypto),
        // Attesting keys and metadata publishers, for the tests of several modules.
        support(
            "AttestationSupport", "Primitives", "Attestation", "CBOR", "JOSE", "WebAuthn", crypto,
            cryptoExtras, x509, asn1),
        // Client and software key over a socket, for tests and measurements.
        support("AuthenticatorSupport", "Primitives", "Platform", "CTAP"),
        // Apps with version 1 of the PIN protocol, and quick seals.
        support(
            "PINSupport", "Primitives", "JOSE", "PIN", "PasswordHashing", crypto, cryptoExtras),
        .target(name: "AllocationCounter", path: "Tests/AllocationCounter"),
        support(
            "ProviderSupport", "Primitives", "Storage", "StorageSQLite", "PasswordHashing", "Mail",
            "ProviderCore", "IdentityProvider", "WebAuthn", log),
        tests(of: "Primitives"),
        tests(of: "UnicodeNormalization"),
        tests(of: "Platform"),
        tests(of: "CBOR"),
        tests(of: "JOSE", crypto),
        tests(of: "PasswordHashing"),
        tests(of: "PKCS11", "Primitives", crypto),
        tests(of: "PublicSuffix"),
        tests(of: "TPM", "Primitives", crypto),
        tests(of: "TerminalDialog", "Primitives"),
        tests(of: "MasterKeyFormat", "Primitives", "PKCS11", "PasswordHashing", crypto),
        tests(of: "Mail", exclude: ["peers"]),
        tests(of: "Documents", "JOSE"),
        tests(of: "OAuth", "JOSE"),
        tests(of: "PIN", "PINSupport", "PINVersion1", "JOSE", "Primitives", crypto, cryptoExtras),
        tests(of: "AppRegistration", "Primitives", "JOSE"),
        tests(
            of: "WebAuthn", "AttestationSupport", "CBOR", "JOSE", "Primitives", "COpenSSL", crypto,
            cryptoExtras, x509, asn1),
        tests(
            of: "CTAP", "AuthenticatorSupport", "CBOR", "JOSE", "PasswordHashing", "Platform",
            "Primitives", "WebAuthn", "security-key-check", crypto,
            exclude: ["fido2_client", "authenticator", "card"].map { "Peers/python_\($0).py" }),
        tests(of: "SingleSignOn", "Primitives", "JOSE"),
        tests(of: "PlatformSSO", "JOSE", "OAuth", "Primitives", crypto),
        tests(of: "SAML", "AttestationSupport", "JOSE", "Primitives", crypto),
        tests(
            of: "Attestation", "AttestationSupport", "Primitives", "CBOR", "JOSE", "TPM",
            "WebAuthn", crypto, cryptoExtras, x509, asn1, exclude: ["tpm"]),
        tests(of: "StorageSQLite", "Storage", "StorageSQL", "CSQLite"),
        tests(of: "StoragePostgreSQL", "Storage", "StorageSQL", "StorageSQLite"),
        tests(
            of: "IdentityProvider", "ProviderCore", "ProviderSettings", "ProviderPeople",
            "ProviderUpstream", "ProviderTokens", "ProviderInstallations", "ProviderDevices",
            "ProviderAdministration", "ProviderSupport", "AttestationSupport", "Storage", "OAuth",
            "AppRegistration", "JOSE", "WebAuthn", "StorageSQL", "StorageSQLite", "Mail",
            "PasswordHashing", crypto),
        tests(
            of: "Server", "ProviderSupport", "AttestationSupport", "HTTPServer", "WebPages",
            "AdminEndpoints", "ProtocolEndpoints", "AdminConsole", "SampleApps", "ProviderCore",
            "ProviderSettings", "ProviderPeople", "ProviderUpstream", "ProviderTokens",
            "ProviderInstallations", "ProviderDevices", "ProviderAdministration",
            "IdentityProvider", "Storage", "StorageSQL", "StorageSQLite", "JOSE", "OAuth",
            "AppRegistration", "Attestation", "CBOR", "PIN", "PINSupport", "Platform",
            "PlatformSSO", "WebAuthn",
            "PasswordHashing", "Mail", "UserClient", crypto, log, httpTypes, nioEmbedded, lifecycle,
            plus: nio, exclude: ["BrowserClient/types"]),
        tests(of: "UserClient", "JOSE", "OAuth", "Platform", crypto),
        tests(
            of: "SSOExtensions", "Primitives", "Platform", "JOSE", "SingleSignOn", "CSandbox",
            "faulty-extension"),
        tests(
            of: "Agent", "AgentClient", "Platform", "Primitives", "JOSE", "OAuth", "PlatformSSO",
            "SingleSignOn", "SSOExtensions", "SAML", "CTAP", "TPM", "PKCS11", "UserClient",
            "WebAuthn", "faulty-extension", "AttestationSupport", crypto, nioCore, nioEmbedded,
            x509, asn1),
        tests(
            of: "GatehouseClient", "GatehouseTesting", "Platform", "Primitives", "JOSE", "OAuth",
            "AppRegistration", "PIN", "PINSupport", "PINVersion1", "UserClient", "ProviderCore",
            "ProviderTokens", "ProviderInstallations", "ProviderAdministration", "Storage",
            "store-process", "TPM", "AttestationSupport", "CBOR", crypto),
        tests(
            of: "gatehouse", "AttestationSupport", "Platform", "Primitives", "JOSE", "Storage",
            "StorageSQLite", "ProviderCore", "ProviderSettings", "ProviderPeople",
            "ProviderAdministration", "IdentityProvider", "HTTPServer", "WebPages",
            "AdminEndpoints", "Documents", "SingleSignOn", "WebAuthn", "Mail", "ProviderSupport",
            "PKCS11", "TerminalDialog", "UserClient", "CommandLineSupport", "MasterKeyFormat", log,
            argumentParser, lifecycle, plus: nio),
        tests(
            of: "CommandLineSupport", "AgentClient", "Primitives", "JOSE", "TerminalDialog", log,
            argumentParser),
        tests(
            of: "gatehouse-agent", "CommandLineSupport", "AgentClient", "Agent", "Platform",
            "Primitives", "JOSE", "SSOExtensions", argumentParser),
        .testTarget(
            name: "EndToEnd",
            dependencies: [
                "Support", "AttestationSupport", "Primitives", "JOSE", "WebAuthn", "CTAP",
                "UserClient", "GatehouseClient", "GatehouseTesting",
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
        // Layer 6
        module(
            "AuthenticationServices", "Primitives", "SingleSignOn", "SSOExtensions", "PlatformSSO",
            "CTAP", "WebAuthn", "JOSE", "UserClient", "TerminalDialog", "Platform", crypto),
        // Tests and examples
        .executableTarget(
            name: "SecurityKeyApp", dependencies: ["AuthenticationServices"],
            path: "Examples/SecurityKeyApp", exclude: ["README.md"], swiftSettings: strict),
        .executableTarget(
            name: "SSOExtension", dependencies: ["AuthenticationServices", crypto],
            path: "Examples/SSOExtension", exclude: ["README.md", "provider.py", "macOS"],
            swiftSettings: strict),
        tests(
            of: "AuthenticationServices", "CTAP", "WebAuthn", "JOSE", "Platform", "Primitives",
            "TerminalDialog", "UserClient", "PlatformSSO", "SingleSignOn", "SSOExtensions",
            "SSOExtension", crypto, plus: nio),
        tests(
            of: "GatehousePasskeys", "GatehouseClient", "GatehouseTesting",
            "AuthenticationServices", "CTAP", "Primitives", "Storage"),
    ]
#endif

if fuzzing {
    package.targets.append(
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "Primitives", "CBOR", "JOSE", "OAuth", "AppRegistration", "PIN", "WebAuthn", "CTAP",
                "Attestation", "PlatformSSO", "SAML", "SingleSignOn", "SSOExtensions", "Documents",
                "MasterKeyFormat", "PasswordHashing", "ProviderCore", "ProviderUpstream",
                "ProviderInstallations", "ProviderDevices", "ProviderAdministration", "HTTPServer",
                "Agent", "AgentClient", "GatehouseClient", "TPM",
            ],
            path: "Fuzz/Targets",
            swiftSettings: strict,
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]
        )
    )
}

// Limits the package to some targets, the targets that they import, and their tests.
// `Scripts/module NAME` sets the variable.
if let modules = Context.environment["GATEHOUSE_MODULES"]?.split(separator: ",").map(String.init) {
    func imports(of target: Target) -> [String] {
        target.dependencies.compactMap { dependency in
            switch dependency {
            case .byNameItem(let name, _), .targetItem(let name, _): name
            default: nil
            }
        }
    }
    var wanted = Set(modules + modules.map { "\($0)Tests" })
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
