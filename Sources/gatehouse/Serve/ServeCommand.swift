// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the provider.",
        discussion: """
            Examples:

              gatehouse serve --demo
              gatehouse serve --config /etc/gatehouse.yaml
              gatehouse serve --issuer https://login.example.com --listen 0.0.0.0:443 \\
                --tls-certificate cert.pem --tls-key key.pem

            Every flag is also an environment variable (--data-dir is GATEHOUSE_DATA_DIR) and a \
            key of the configuration file (data-dir). Flags win over the environment, the \
            environment over the file.

            The server is ready when GET /health/ready answers 200. SIGTERM drains and exits 0; \
            SIGHUP reloads certificates, log level and the state files to apply.
            """)

    @OptionGroup var options: ServeOptions

    func run() async throws {
        let loader = ConfigurationLoader(flags: options.flags, path: options.config)
        let (configuration, values) = try loader.load()
        for name in values.exposedSecrets {
            StandardError.print(
                "gatehouse: warning: --\(name) shows a password to everyone who can list "
                    + "processes; use \(Setting.named(name)?.variable ?? "") or the file instead")
        }
        try await ProviderProcess(configuration, loader: loader).run()
    }
}

/// The flags of `serve`. Their values are validated together with those of the environment and the
/// file, so that all sources have the same error messages.
struct ServeOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Configuration file, YAML or JSON.", valueName: "file"))
    var config: String?
    @Option(help: ArgumentHelp("Where everything is kept (gatehouse-data).", valueName: "dir"))
    var dataDir: String?
    @Option(help: ArgumentHelp("Where to listen (127.0.0.1:8080).", valueName: "host:port"))
    var listen: String?
    @Option(
        help: ArgumentHelp(
            "The address people see, with or without a path (http://localhost:PORT).",
            valueName: "url"))
    var issuer: String?
    @Option(
        help: ArgumentHelp(
            "sqlite:PATH (default: in the data directory) or postgres://…", valueName: "url"))
    var database: String?
    @Option(help: ArgumentHelp("Certificate chain, PEM.", valueName: "file"))
    var tlsCertificate: String?
    @Option(help: ArgumentHelp("Private key, PEM.", valueName: "file"))
    var tlsKey: String?
    @Option(help: ArgumentHelp("Certificate chain that signs profiles, PEM.", valueName: "file"))
    var profileCertificate: String?
    @Option(help: ArgumentHelp("Its private key, PEM.", valueName: "file"))
    var profileKey: String?
    @Option(
        help: ArgumentHelp(
            "What a new project is: development or production (by the issuer).",
            valueName: "environment"))
    var environment: String?
    @Flag(help: "Serve plain HTTP on an address that other machines reach.")
    var insecureHttp = false
    @Flag(help: "Also run two sample apps, Shop and Wiki, on the next two ports.")
    var demo = false
    @Option(
        help: ArgumentHelp("A listener of its own for health and metrics.", valueName: "host:port"))
    var managementListen: String?
    @Option(help: ArgumentHelp("trace, debug, info, notice, warning or error.", valueName: "level"))
    var logLevel: String?
    @Option(help: ArgumentHelp("auto, json or text.", valueName: "format"))
    var logFormat: String?
    @Option(help: ArgumentHelp("Mail server: smtp://host:port or smtps://…", valueName: "url"))
    var smtp: String?
    @Option(help: ArgumentHelp("Sender of mail.", valueName: "address"))
    var smtpFrom: String?
    @Option(help: ArgumentHelp("Memory of one password hash, KiB (19456).", valueName: "number"))
    var argon2Memory: String?
    @Option(help: ArgumentHelp("Passes of one password hash (2).", valueName: "number"))
    var argon2Iterations: String?
    @Option(help: ArgumentHelp("Lanes of one password hash (1).", valueName: "number"))
    var argon2Lanes: String?
    @Option(help: ArgumentHelp("Passwords hashed at once (one each core).", valueName: "number"))
    var hashThreads: String?
    @Option(
        help: ArgumentHelp(
            "Passwords that may wait to be hashed (500).", valueName: "number"))
    var passwordQueue: String?
    @Option(
        help: ArgumentHelp(
            "Wrong guesses at one account within the window (10).", valueName: "number"))
    var attemptsPerAccount: String?
    @Option(
        help: ArgumentHelp(
            "Wrong guesses from one address within the window (100).", valueName: "number"))
    var attemptsPerAddress: String?
    @Option(
        help: ArgumentHelp("How long guesses count (900).", valueName: "seconds"))
    var attemptsWindow: String?
    @Option(help: ArgumentHelp("How long audit events are kept (400).", valueName: "days"))
    var auditRetentionDays: String?
    @Option(help: ArgumentHelp("Connections held open at once (10000).", valueName: "number"))
    var connections: String?
    @Option(
        help: ArgumentHelp(
            "Of one address, listed proxies aside (1000).", valueName: "number"))
    var connectionsPerAddress: String?
    @Option(
        help: ArgumentHelp(
            "Proxy whose X-Forwarded-For counts; repeatable.", valueName: "address or network"))
    var trustedProxies: [String] = []
    @Flag(help: "Serve /metrics on the main listener too, without authentication.")
    var publicMetrics = false
    @Option(
        help: ArgumentHelp(
            "A private machine that administrators may have asked; repeatable.",
            valueName: "address, range or host"))
    var outgoingAllow: [String] = []
    @Option(help: ArgumentHelp("State file to apply at start; repeatable.", valueName: "file"))
    var apply: [String] = []
    @Option(help: ArgumentHelp("Master key (DATA_DIR/master.key).", valueName: "file"))
    var masterKeyFile: String?
    @Option(
        help: ArgumentHelp(
            "Metadata of authenticators (FIDO MDS3): a file or an https URL.",
            valueName: "file or url"))
    var metadata: String?
    @Option(help: ArgumentHelp("Certificates that vouch for them, PEM.", valueName: "file"))
    var metadataRoot: String?
    @Option(
        help: ArgumentHelp(
            "Name in the certificate that signs them (mds.fidoalliance.org), or anyone.",
            valueName: "name"))
    var metadataSigner: String?
    @Option(
        help: ArgumentHelp(
            "Revocation list of those certificates, DER or PEM; repeatable.", valueName: "file"))
    var metadataCrl: [String] = []
    @Flag(help: "Refuse metadata if no current revocation list covers its certificates.")
    var metadataCrlRequired = false
    @Option(
        help: ArgumentHelp(
            "How long metadata count after the next ones were due (30).", valueName: "days"))
    var metadataGraceDays: String?
    @Option(help: ArgumentHelp("How often metadata are fetched (360).", valueName: "minutes"))
    var metadataRefreshMinutes: String?
    @Flag(help: "Answer the FIDO conformance tools; development projects only.")
    var fidoConformance = false
    @Option(
        help: ArgumentHelp("How long requests may finish at the end (30).", valueName: "seconds"))
    var drainSeconds: String?

    /// What was given, by the names of ``Setting``.
    var flags: [String: [String]] {
        let single: [(String, String?)] = [
            ("data-dir", dataDir), ("listen", listen), ("issuer", issuer), ("database", database),
            ("tls-certificate", tlsCertificate), ("tls-key", tlsKey),
            ("profile-certificate", profileCertificate), ("profile-key", profileKey),
            ("environment", environment), ("insecure-http", insecureHttp ? "true" : nil),
            ("demo", demo ? "true" : nil), ("management-listen", managementListen),
            ("log-level", logLevel), ("log-format", logFormat), ("smtp", smtp),
            ("smtp-from", smtpFrom), ("argon2-memory", argon2Memory),
            ("argon2-iterations", argon2Iterations), ("argon2-lanes", argon2Lanes),
            ("hash-threads", hashThreads), ("password-queue", passwordQueue),
            ("audit-retention-days", auditRetentionDays),
            ("attempts-per-account", attemptsPerAccount),
            ("attempts-per-address", attemptsPerAddress), ("attempts-window", attemptsWindow),
            ("connections", connections), ("connections-per-address", connectionsPerAddress),
            ("public-metrics", publicMetrics ? "true" : nil), ("master-key-file", masterKeyFile),
            ("metadata", metadata), ("metadata-root", metadataRoot),
            ("metadata-signer", metadataSigner),
            ("metadata-crl-required", metadataCrlRequired ? "true" : nil),
            ("metadata-grace-days", metadataGraceDays),
            ("metadata-refresh-minutes", metadataRefreshMinutes),
            ("fido-conformance", fidoConformance ? "true" : nil),
            ("drain-seconds", drainSeconds),
        ]
        var flags = [
            "trusted-proxies": trustedProxies, "outgoing-allow": outgoingAllow, "apply": apply,
            "metadata-crl": metadataCrl,
        ]
        for case (let name, let value?) in single { flags[name] = [value] }
        return flags
    }
}
