// SPDX-License-Identifier: Apache-2.0

/// A setting: a flag, an environment variable and a key of the configuration file with the same
/// name.
struct Setting: Sendable {
    enum Form: Sendable, Equatable {
        case text
        case path
        case flag
        case integer(ClosedRange<Int64>)
        case choice([String])
        case list
    }

    /// `management-listen`: with `--` the flag, bare the key in the file.
    let name: String
    let form: Form
    /// Whether a value on the command line, where other users of the machine see it, may hold a
    /// secret.
    let mayHoldSecret: @Sendable (String) -> Bool

    init(
        _ name: String, _ form: Form, secret: @escaping @Sendable (String) -> Bool = { _ in false }
    ) {
        self.name = name
        self.form = form
        mayHoldSecret = secret
    }

    /// `GATEHOUSE_MANAGEMENT_LISTEN`.
    var variable: String {
        "GATEHOUSE_" + name.uppercased().replacing("-", with: "_")
    }

    /// All settings of `gatehouse serve`.
    static let all: [Setting] = [
        Setting("data-dir", .path),
        Setting("listen", .text),
        Setting("issuer", .text),
        Setting("database", .text, secret: holdsPassword),
        Setting("tls-certificate", .path),
        Setting("tls-key", .path),
        Setting("profile-certificate", .path),
        Setting("profile-key", .path),
        Setting("environment", .choice(["development", "production"])),
        Setting("insecure-http", .flag),
        Setting("demo", .flag),
        Setting("management-listen", .text),
        Setting("log-level", .choice(["trace", "debug", "info", "notice", "warning", "error"])),
        Setting("log-format", .choice(["auto", "json", "text"])),
        Setting("smtp", .text, secret: holdsPassword),
        Setting("smtp-from", .text),
        Setting("argon2-memory", .integer(8...262_144)),
        Setting("argon2-iterations", .integer(1...32)),
        Setting("argon2-lanes", .integer(1...16)),
        Setting("hash-threads", .integer(1...256)),
        Setting("password-queue", .integer(0...100_000)),
        Setting("attempts-per-account", .integer(1...100_000)),
        Setting("attempts-per-address", .integer(1...10_000_000)),
        Setting("attempts-window", .integer(10...86_400)),
        Setting("audit-retention-days", .integer(1...36_500)),
        Setting("connections", .integer(16...1_000_000)),
        Setting("connections-per-address", .integer(1...1_000_000)),
        Setting("trusted-proxies", .list),
        Setting("public-metrics", .flag),
        Setting("outgoing-allow", .list),
        Setting("apply", .list),
        Setting("master-key-file", .path),
        Setting("metadata", .text),
        Setting("metadata-root", .path),
        Setting("metadata-signer", .text),
        Setting("metadata-crl", .list),
        Setting("metadata-crl-required", .flag),
        Setting("metadata-grace-days", .integer(0...3650)),
        Setting("metadata-refresh-minutes", .integer(1...10_080)),
        Setting("fido-conformance", .flag),
        Setting("drain-seconds", .integer(0...600)),
    ]

    static func named(_ name: String) -> Setting? { all.first { $0.name == name } }

    /// `scheme://user:password@host`.
    private static let holdsPassword: @Sendable (String) -> Bool = { url in
        guard let start = url.firstRange(of: "://")?.upperBound else { return false }
        let authority = url[start...].prefix { $0 != "/" }
        guard let at = authority.lastIndex(of: "@") else { return false }
        return authority[..<at].contains(":")
    }
}
