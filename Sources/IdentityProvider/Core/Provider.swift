// SPDX-License-Identifier: Apache-2.0
import Attestation
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
    /// The sender of push notifications for approval requests.
    package let push: any PushSender
    /// The revocation status of Android's attestation keys, as Google publishes it.
    let revocations: RevocationStatusCache
    package let log: Logger
    package let audit: AuditLog
    package let tenants: ExpiringCache<String, Tenant>
    package let clients: ExpiringCache<ClientCacheKey, RegisteredClient>
    /// Names of known scopes by project.
    let scopes: ExpiringCache<Identifier<Project>, Set<String>>
    package let issuerKeys: ExpiringCache<IssuerKeyName, TrustedIssuerKey>
    package let keys: KeyRing
    package let encryptionKeys: EncryptionKeyRing
    /// Upstream providers by project.
    package let upstream: ExpiringCache<Identifier<Project>, [UpstreamProvider]>
    package let upstreamDirectory: UpstreamMetadataCache
    package let verifiedTokens = VerifiedTokenCache()
    package let documents = DocumentCache()
    let certificateStatus = CertificateStatusSource.Cache(capacity: 256, freshness: .minutes(5))
    /// Unsealed unlock keys. A device unlocks often, and unsealing a key each time is expensive.
    let unlockKeys = UnlockKeys.Cache(capacity: 2048, freshness: .minutes(5))

    package init(
        issuer: String, store: any ProviderStore, secrets: DerivedKeys, clock: any WallClock,
        random: any RandomSource, passwords: PasswordHasher, mail: (any MailTransport)?,
        log: Logger, mailSender: MailAddress? = nil, metadata: MetadataRefresh? = nil,
        http: any OutgoingHTTP = NoOutgoingHTTP(), push: any PushSender = WebhookPushSender()
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
        revocations = RevocationStatusCache(
            client: VendorHTTP(
                http: http, maximumResponseLength: RevocationStatusList.maximumBytes),
            clock: clock, report: { $0.logUnreadable(to: log) })
        self.log = log
        audit = AuditLog(store: store.auditLog, random: random)
        tenants = ExpiringCache(capacity: 20_000)
        clients = ExpiringCache(capacity: 20_000)
        scopes = ExpiringCache(capacity: 1_000, freshness: .minutes(1))
        issuerKeys = ExpiringCache(capacity: 20_000)
        upstream = ExpiringCache(capacity: 20_000)
        upstreamDirectory = UpstreamMetadataCache(http: http)
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

    /// The client with this `client_id`, or `nil`. At most one second old; see ``ExpiringCache``.
    package func client(_ clientID: String, of tenant: Tenant) async throws -> Client? {
        try await registeredClient(clientID, of: tenant)?.client
    }

    /// Like ``client(_:of:)``, with parsed metadata.
    package func registeredClient(
        _ clientID: String, of tenant: Tenant
    ) async throws -> RegisteredClient? {
        let key = ClientCacheKey(project: tenant.project.id, clientID: clientID)
        return try await clients.value(for: key, now: clock.now) {
            try await store.clients.client(clientID: clientID, in: tenant.project.id)
                .map(RegisteredClient.init)
        }
    }

    /// An unguessable secret of 256 bits, as base64url.
    package func newSecret() -> String { Base64URL.encode(random.bytes(32)) }
}

package struct ClientCacheKey: Sendable, Hashable {
    package let project: Identifier<Project>
    package let clientID: String

    package init(project: Identifier<Project>, clientID: String) {
        self.project = project
        self.clientID = clientID
    }
}
