// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import Mail
import PasswordHashing
import Platform
import Primitives
import ProviderCore
import Storage
import StoragePostgreSQL
import UserClient

/// The validated settings of `gatehouse serve`, with defaults.
///
/// A setting without a default and without conditions is read from ``ServeOptions`` by its name:
/// `configuration.demo`, `configuration.hashThreads`.
@dynamicMemberLookup
struct ServeConfiguration: Sendable, Equatable {
    struct Address: Sendable, Equatable {
        var host: String
        var port: Int
    }

    enum Database: Sendable, Equatable {
        case sqlite(path: String)
        case postgres(url: String)
    }

    /// A certificate chain and its key, PEM.
    struct CertificateFiles: Sendable, Equatable {
        var certificate: String
        var key: String
    }

    struct Mail: Sendable, Equatable {
        var server: SMTPServer
        var from: MailAddress
    }

    struct Metadata: Sendable, Equatable {
        /// A file, an https URL, or an http URL of this machine.
        var place: String
        /// Trusted root certificates, PEM.
        var roots: String
        /// The DNS name in the certificate of the signer, or `anyone` for all certificates below
        /// the roots.
        var signer: String
        /// Files with revocation lists for the certificates of the path.
        var revocationLists: [String] = []
        /// Whether each certificate of the path needs a current revocation list.
        var needsRevocationLists = false
        /// How long a revocation list is accepted after its `nextUpdate`.
        var grace = TimeSpan.days(30)
        /// How often the metadata is fetched.
        var interval = TimeSpan.hours(6)
    }

    enum LogFormat: String, CaseIterable, Sendable { case auto, json, text }

    /// Everywhere the process will listen.
    var addresses: [Address] {
        let apps =
            self.demo ? DemoApps.ports(self).map { Address(host: listen.host, port: $0) } : []
        return [listen] + apps + (management.map { [$0] } ?? [])
    }

    let options: ServeOptions
    var dataDirectory: String { self.dataDir ?? Self.usualDataDirectory }
    var listen: Address
    var issuer: String
    var database: Database
    var tls: CertificateFiles?
    /// What signs the profiles that Macs load here.
    var profileSigning: CertificateFiles?
    var management: Address?
    var mail: Mail?
    var argon2: Argon2Parameters
    var attempts: AttemptLimits
    /// Of the main listener.
    var connections: ConnectionLimits
    var trustedProxies: [NetworkRange]
    /// The hosts to which the provider may connect.
    var outgoing: OutgoingRequestPolicy
    var metadata: Metadata?

    static let usualDataDirectory = "gatehouse-data"
    static let usualAuditRetention = TimeSpan.days(400)

    /// Where what is set was set.
    let origins: SettingOrigins

    init(_ values: SettingValues) throws(ConfigurationError) {
        let reader = SettingReader(values)
        options = try ServeOptions.of(values)
        listen = try reader.address("listen") ?? Address(host: "127.0.0.1", port: 8080)
        tls = try reader.certificate("tls")
        profileSigning = try reader.certificate("profile")
        let scheme = tls == nil ? "http" : "https"
        issuer = try reader.issuer() ?? "\(scheme)://localhost:\(listen.port)"
        try reader.refusePlainHTTP(issuer: issuer, listen: listen, hasTLS: tls != nil)
        database = try reader.database(in: options.dataDir?.text ?? Self.usualDataDirectory)
        management = try reader.address("management-listen")
        mail = try reader.mail()
        argon2 = try reader.argon2()
        attempts = reader.attempts()
        connections = reader.connections()
        trustedProxies = try reader.proxies()
        outgoing = try reader.outgoing(issuer: issuer)
        metadata = try reader.metadata()
        origins = SettingOrigins(values)
    }
}

extension ServeConfiguration {
    subscript<Value: SettingValue>(
        dynamicMember setting: KeyPath<ServeOptions, Value?>
    ) -> Value.Meaning? { options[keyPath: setting]?.meaning }

    subscript(dynamicMember setting: KeyPath<ServeOptions, Bool>) -> Bool {
        options[keyPath: setting]
    }

    subscript(dynamicMember setting: KeyPath<ServeOptions, [String]>) -> [String] {
        options[keyPath: setting]
    }

    /// Whether other processes may serve from the database.
    var isShared: Bool {
        if case .postgres = database { true } else { false }
    }

    // MARK: Defaults

    var logLevel: String { options.logLevel?.text ?? LogLevel.info.rawValue }
    var logFormat: LogFormat { options.logFormat?.meaning ?? .auto }
    /// How many connections to PostgreSQL the process opens at most.
    var databaseConnections: Int {
        options.databaseConnections?.meaning ?? PostgreSQLStore.usualConnections
    }
    /// How many passwords may wait for a thread.
    var passwordQueue: Int { options.passwordQueue?.meaning ?? HashingPool.usualCapacity }
    /// How long audit events are stored.
    var auditRetention: TimeSpan {
        options.auditRetentionDays?.meaning.map { .days(Int64($0)) } ?? Self.usualAuditRetention
    }
    /// The age at which signing keys are rotated; `nil` for never.
    var keyRotation: TimeSpan? {
        let days = options.keyRotationDays?.meaning ?? 90
        return days == 0 ? nil : .days(Int64(days))
    }
    /// How long requests may take to finish when the server stops.
    var drainSeconds: Int { options.drainSeconds?.meaning ?? 30 }
}
