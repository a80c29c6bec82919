// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import IdentityProvider
import Mail
import PasswordHashing
import Platform
import Primitives
import Storage
import UserClient

/// Everything that `gatehouse serve` is told, checked, with defaults in place.
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

    enum LogFormat: String, Sendable { case auto, json, text }

    /// Everywhere the process will listen.
    var addresses: [Address] {
        let apps = demo ? DemoApps.ports(self).map { Address(host: listen.host, port: $0) } : []
        return [listen] + apps + (management.map { [$0] } ?? [])
    }

    var dataDirectory: String
    var listen: Address
    var issuer: String
    /// Of the project default, when it is made; by the issuer when absent.
    var environment: Project.Environment?
    var database: Database
    var tls: CertificateFiles?
    /// What signs the profiles that Macs load here.
    var profileSigning: CertificateFiles?
    var demo: Bool
    var management: Address?
    var logLevel: String
    var logFormat: LogFormat
    var mail: Mail?
    var argon2: Argon2Parameters
    var hashThreads: Int?
    /// How many passwords may wait for a thread.
    var passwordQueue: Int
    /// How long audit events are kept.
    var auditRetention: TimeSpan
    var attempts: AttemptLimits
    /// Of the main listener.
    var connections: ConnectionLimits
    var trustedProxies: [NetworkRange]
    /// Whether the main listener serves metrics, to all clients that can reach it.
    var publicMetrics: Bool
    /// The hosts to which the provider may connect.
    var outgoing: OutgoingRequestPolicy
    var apply: [String]
    var masterKeyFile: String?
    var metadata: Metadata?
    /// Whether the endpoints of the FIDO conformance tools exist.
    var fidoConformance: Bool
    /// How long requests under way may take to finish when the server stops.
    var drainSeconds: Int64

    static let usualAuditRetention = TimeSpan.days(400)

    /// Where what is set was set.
    let origins: SettingOrigins

    init(_ values: SettingValues) throws(ConfigurationError) {
        let reader = SettingReader(values)
        dataDirectory = reader.text("data-dir") ?? "gatehouse-data"
        listen = try reader.address("listen") ?? Address(host: "127.0.0.1", port: 8080)
        tls = try reader.certificate("tls")
        profileSigning = try reader.certificate("profile")
        let scheme = tls == nil ? "http" : "https"
        issuer = try reader.issuer() ?? "\(scheme)://localhost:\(listen.port)"
        environment = reader.text("environment").flatMap(Project.Environment.init)
        try reader.refusePlainHTTP(issuer: issuer, listen: listen, hasTLS: tls != nil)
        database = try reader.database(in: dataDirectory)
        demo = reader.flag("demo")
        management = try reader.address("management-listen")
        logLevel = reader.text("log-level") ?? "info"
        logFormat = reader.text("log-format").flatMap(LogFormat.init) ?? .auto
        mail = try reader.mail()
        argon2 = try reader.argon2()
        hashThreads = reader.number("hash-threads").map(Int.init)
        passwordQueue = reader.number("password-queue").map(Int.init) ?? HashingPool.usualCapacity
        auditRetention =
            reader.number("audit-retention-days").map(TimeSpan.days) ?? Self.usualAuditRetention
        attempts = reader.attempts()
        connections = reader.connections()
        trustedProxies = try reader.proxies()
        publicMetrics = reader.flag("public-metrics")
        outgoing = try reader.outgoing(issuer: issuer)
        apply = reader.list("apply")
        masterKeyFile = reader.text("master-key-file")
        metadata = try reader.metadata()
        fidoConformance = reader.flag("fido-conformance")
        origins = SettingOrigins(values)
        drainSeconds = reader.number("drain-seconds") ?? 30
    }
}
