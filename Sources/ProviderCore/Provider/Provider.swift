// SPDX-License-Identifier: Apache-2.0
package import Logging
package import Mail
package import PasswordHashing
package import Primitives
package import Storage
package import WebAuthn

/// The identity provider: the shared dependencies of its endpoints and ceremonies. It contains no
/// HTTP and no SQL.
///
/// Endpoints and ceremonies are small values with a reference to it, one file each. They access the
/// store through ``store`` and record audit events through ``audit``.
///
/// It is immutable and shared, so that each of these values copies only a reference.
package final class Provider: Sendable {
    /// The issuer of the installation, without a trailing slash: `https://login.example.com`.
    package let issuer: String
    package let store: any ProviderStore
    package let secrets: DerivedKeys
    package let clock: any WallClock
    package let random: any RandomSource
    package let passwords: PasswordHasher
    /// `nil` if no SMTP server is configured. Then methods that need email are not offered.
    package let mail: (any MailTransport)?
    /// The sender of emails. The default is `no-reply` at the host of the issuer.
    package let mailSender: MailAddress?
    /// The metadata of authenticator models, or `nil` if no metadata service is configured.
    package let metadata: MetadataRefresh?
    /// The client for requests to other services. The default refuses all requests.
    package let http: any OutgoingHTTP
    /// The sender of push notifications for approval requests. `nil` sends them to the URL in the
    /// settings of the project.
    package let push: (any PushSender)?
    package let log: Logger
    package let audit: AuditLog
    package let availability: StoreAvailability
    package let tenants: ExpiringCache<String, Tenant>
    package let keys: KeyRing
    package let encryptionKeys: EncryptionKeyRing
    /// Upstream providers by project.
    package let upstream: ExpiringCache<Identifier<Project>, [UpstreamProvider]>
    let components = ProviderComponents()

    package init(
        issuer: String, store: any ProviderStore, secrets: DerivedKeys, clock: any WallClock,
        random: any RandomSource, passwords: PasswordHasher, mail: (any MailTransport)?,
        log: Logger, mailSender: MailAddress? = nil, metadata: MetadataRefresh? = nil,
        http: any OutgoingHTTP = NoOutgoingHTTP(), push: (any PushSender)? = nil
    ) {
        self.issuer = issuer
        self.store = store
        self.secrets = secrets
        self.clock = clock
        self.random = random
        self.passwords = passwords
        self.mail = mail
        self.mailSender = mailSender
        self.metadata = metadata
        self.http = http
        self.push = push
        self.log = log
        availability = StoreAvailability(store.maintenance, log: log)
        audit = AuditLog(store: store.auditLog, random: random)
        tenants = ExpiringCache(capacity: 20_000)
        upstream = ExpiringCache(capacity: 20_000)
        keys = KeyRing(
            store: store.signingKeys, secrets: secrets, clock: clock, random: random)
        encryptionKeys = EncryptionKeyRing(
            store: store.encryptionKeys, secrets: secrets, clock: clock, random: random)
    }

    /// The project with this name, or `nil`.
    package func tenant(named name: String) async throws -> Tenant? {
        try await tenants.value(for: name, now: clock.now) {
            try await store.projects.project(named: name).map {
                Tenant(project: $0, issuer: issuer)
            }
        }
    }

    /// An unguessable secret of 256 bits, as base64url.
    package func newSecret() -> String { Base64URL.encode(random.bytes(32)) }
}
