// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Storage

/// The names of levels.
enum LogLevel: String, CaseIterable, Sendable { case trace, debug, info, notice, warning, error }

/// The settings of `serve`. A property is a flag, an environment variable and a key of the
/// configuration file; its type is the form of the value.
///
/// The help of a setting ends with its default in parentheses. It is also a row of the table in
/// `docs/operating.md`, which `Scripts/manual` draws.
struct ServeOptions: SettingOptions {
    @Option(help: ArgumentHelp("Configuration file, YAML or JSON.", valueName: "file"))
    var config: String?
    @Option(help: ArgumentHelp("Data directory (gatehouse-data).", valueName: "dir"))
    var dataDir: PathSetting?
    @Option(
        help: ArgumentHelp(
            "Address and port to listen on (127.0.0.1:8080).", valueName: "host:port"))
    var listen: TextSetting?
    @Option(
        help: ArgumentHelp(
            "URL of the provider for browsers, with or without a path (http://localhost:PORT).",
            valueName: "url"))
    var issuer: TextSetting?
    @Option(
        help: ArgumentHelp(
            "sqlite:PATH or postgres://… (sqlite:DATA_DIR/gatehouse.sqlite).", valueName: "url"))
    var database: URLSetting?
    @Option(
        help: ArgumentHelp(
            "Connections of this process to PostgreSQL (16).", valueName: "number"))
    var databaseConnections: NumberSetting<2, 1_000>?
    @Option(help: ArgumentHelp("Certificate chain of HTTPS, PEM.", valueName: "file"))
    var tlsCertificate: PathSetting?
    @Option(help: ArgumentHelp("Private key, PEM.", valueName: "file"))
    var tlsKey: PathSetting?
    @Option(help: ArgumentHelp("Certificate chain that signs profiles, PEM.", valueName: "file"))
    var profileCertificate: PathSetting?
    @Option(help: ArgumentHelp("Private key of the profile certificate, PEM.", valueName: "file"))
    var profileKey: PathSetting?
    @Option(
        help: ArgumentHelp(
            "Environment of new projects: development or production (depends on the issuer).",
            valueName: "environment"))
    var environment: ChoiceSetting<Project.Environment>?
    @Flag(help: "Serve plain HTTP on an address that other hosts can reach.")
    var insecureHttp = false
    @Flag(help: "Also run two sample apps, Shop and Wiki, on the next two ports.")
    var demo = false
    @Option(
        help: ArgumentHelp("A separate listener for health and metrics.", valueName: "host:port"))
    var managementListen: TextSetting?
    @Option(
        help: ArgumentHelp(
            "trace, debug, info, notice, warning or error (info).", valueName: "level"))
    var logLevel: ChoiceSetting<LogLevel>?
    @Option(
        help: ArgumentHelp(
            "json, text, or auto: text on a terminal, otherwise json (auto).", valueName: "format"))
    var logFormat: ChoiceSetting<ServeConfiguration.LogFormat>?
    @Option(help: ArgumentHelp("Mail server: smtp://host:port or smtps://…", valueName: "url"))
    var smtp: URLSetting?
    @Option(help: ArgumentHelp("Sender of mail, with or without a name.", valueName: "address"))
    var smtpFrom: TextSetting?
    @Option(help: ArgumentHelp("Memory of one password hash, KiB (19456).", valueName: "number"))
    var argon2Memory: NumberSetting<8, 262_144>?
    @Option(help: ArgumentHelp("Iterations of one password hash (2).", valueName: "number"))
    var argon2Iterations: NumberSetting<1, 32>?
    @Option(help: ArgumentHelp("Lanes of one password hash (1).", valueName: "number"))
    var argon2Lanes: NumberSetting<1, 16>?
    @Option(
        help: ArgumentHelp(
            "Passwords hashed at the same time, at low priority (one per core).",
            valueName: "number"))
    var hashThreads: NumberSetting<1, 256>?
    @Option(
        help: ArgumentHelp(
            "Sign-ins that may wait for a hash; further ones get status 503 (500).",
            valueName: "number"
        ))
    var passwordQueue: NumberSetting<0, 100_000>?
    @Option(
        help: ArgumentHelp(
            "Failed sign-ins for one account within the window (10).", valueName: "number"))
    var attemptsPerAccount: NumberSetting<1, 100_000>?
    @Option(
        help: ArgumentHelp(
            "Failed sign-ins from one IP address within the window (100).", valueName: "number"))
    var attemptsPerAddress: NumberSetting<1, 10_000_000>?
    @Option(
        help: ArgumentHelp(
            "Length of the window, from the first failed sign-in (900).", valueName: "seconds"))
    var attemptsWindow: NumberSetting<10, 86_400>?
    @Option(help: ArgumentHelp("Retention of audit events (400).", valueName: "days"))
    var auditRetentionDays: NumberSetting<1, 36_500>?
    @Option(
        help: ArgumentHelp("Open connections of the main listener (10000).", valueName: "number")
    )
    var connections: NumberSetting<16, 1_000_000>?
    @Option(
        help: ArgumentHelp(
            "Open connections from one IP address, except trusted-proxies (1000).",
            valueName: "number"))
    var connectionsPerAddress: NumberSetting<1, 1_000_000>?
    @Option(
        help: ArgumentHelp(
            "Proxy whose X-Forwarded-For is read; repeatable.", valueName: "address or network"))
    var trustedProxies: [String] = []
    @Flag(help: "Serve /metrics on the main listener too, without authentication.")
    var publicMetrics = false
    @Option(
        help: ArgumentHelp(
            "A host in a private network to which administrators may send requests; repeatable.",
            valueName: "address, range or host"))
    var outgoingAllow: [String] = []
    @Option(
        help: ArgumentHelp(
            "State file to apply at start and at SIGHUP; repeatable.", valueName: "file"))
    var apply: [String] = []
    @OptionGroup var masterKey: MasterKeySettings
    @Option(
        help: ArgumentHelp(
            "Age at which signing keys are rotated; 0 for never (90).", valueName: "days"))
    var keyRotationDays: NumberSetting<0, 3650>?
    @Option(
        help: ArgumentHelp(
            "Metadata of authenticators (FIDO MDS3): a file or an https URL.",
            valueName: "file or url"))
    var metadata: TextSetting?
    @Option(
        help: ArgumentHelp("Trusted root certificates of the metadata, PEM.", valueName: "file"))
    var metadataRoot: PathSetting?
    @Option(
        help: ArgumentHelp(
            "Name in the certificate that signs the metadata, or anyone (mds.fidoalliance.org).",
            valueName: "name"))
    var metadataSigner: TextSetting?
    @Option(
        help: ArgumentHelp(
            "Revocation list of those certificates, DER or PEM; repeatable.", valueName: "file"))
    var metadataCrl: [String] = []
    @Flag(help: "Refuse metadata if no current revocation list covers its certificates.")
    var metadataCrlRequired = false
    @Option(
        help: ArgumentHelp(
            "How long metadata is accepted after its next update was due (30).", valueName: "days"))
    var metadataGraceDays: NumberSetting<0, 3650>?
    @Option(
        help: ArgumentHelp("Interval at which metadata is fetched (360).", valueName: "minutes"))
    var metadataRefreshMinutes: NumberSetting<1, 10_080>?
    @Flag(help: "Answer the FIDO conformance tools; development projects only.")
    var fidoConformance = false
    @Option(
        help: ArgumentHelp(
            "Time for open requests to finish at shutdown (30).", valueName: "seconds"))
    var drainSeconds: NumberSetting<0, 600>?
}

extension ServeOptions: Equatable {
    /// All settings, in the order of the properties.
    static let settings: [Setting] = ServeOptions().wrappers(isParsed: false).map {
        name, wrapper in type(of: wrapper).setting(named: name)
    }

    /// The options as if all values were flags.
    static func of(_ values: SettingValues) throws(ConfigurationError) -> ServeOptions {
        do {
            return try parse(values.arguments)
        } catch {
            throw ConfigurationError(nil, message(for: error))
        }
    }

    static func == (left: ServeOptions, right: ServeOptions) -> Bool { left.flags == right.flags }
}
