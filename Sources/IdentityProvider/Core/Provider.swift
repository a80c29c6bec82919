// SPDX-License-Identifier: Apache-2.0
import Attestation
package import Logging
package import Mail
package import PasswordHashing
package import Primitives
package import Storage
package import WebAuthn

/// The identity provider: everything that its endpoints and ceremonies share. No HTTP, no SQL.
///
/// Endpoints and ceremonies are small values made from it, one file each; they ask the store
/// through it and leave their audit event through ``audit``.
///
/// Immutable and shared: every one of those small values carries a reference, not a copy.
package final class Provider: Sendable {
    /// The issuer of the installation, without a trailing slash: `https://login.example.com`.
    package let issuer: String
    package let store: any ProviderStore
    package let secrets: DerivedKeys
    package let clock: any WallClock
    package let random: any RandomSource
    package let passwords: PasswordHasher
    /// `nil` when no SMTP server is configured: what needs mail says so and is not offered.
    package let mail: (any MailTransport)?
    /// Who mails come from; `no-reply` at the issuer's host when nothing is configured.
    package let mailSender: MailAddress?
    /// What is known of authenticator models; `nil` where no metadata service is configured.
    package let metadata: MetadataRefresh?
    /// Who asks other services; nobody where none is given.
    package let http: any OutgoingHTTP
    /// Who wakes apps that are asked something.
    package let push: any PushSender
    /// Which of Android's attestation keys no longer count, as Google says.
    let revocations: RevocationStatusCache
    package let log: Logger
    package let audit: AuditLog
    package let tenants: ExpiringCache<String, Tenant>
    package let clients: ExpiringCache<ClientCacheKey, RegisteredClient>
    /// Names of scopes by project.
    let scopes: ExpiringCache<Identifier<Project>, Set<String>>
    package let issuerKeys: ExpiringCache<IssuerKeyName, TrustedIssuerKey>
    package let keys: KeyRing
    package let encryptionKeys: EncryptionKeyRing
    /// Upstream providers by project, and what they publish.
    package let upstream: ExpiringCache<Identifier<Project>, [UpstreamProvider]>
    package let upstreamDirectory: UpstreamMetadataCache
    package let verifiedTokens = VerifiedTokenCache()
    package let documents = DocumentCache()
    let certificateStatus = CertificateStatusSource.Cache(capacity: 256, freshness: .minutes(5))
    /// Unsealed: a machine unlocks again and again, and its key is sealed work each time.
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
            client: VendorHTTP(http: http, longestAnswer: RevocationStatusList.maximumBytes),
            clock: clock, report: { $0.logUnreadable(to: log) })
        self.log = log
        audit = AuditLog(store: store, random: random)
        tenants = ExpiringCache(capacity: 20_000)
        clients = ExpiringCache(capacity: 20_000)
        scopes = ExpiringCache(capacity: 1_000, freshness: .minutes(1))
        issuerKeys = ExpiringCache(capacity: 20_000)
        upstream = ExpiringCache(capacity: 20_000)
        upstreamDirectory = UpstreamMetadataCache(http: http)
        keys = KeyRing(store: store, secrets: secrets, clock: clock, random: random)
        encryptionKeys = EncryptionKeyRing(
            store: store, secrets: secrets, clock: clock, random: random)
    }

    /// The project with that name, or `nil`.
    package func tenant(named name: String) async throws -> Tenant? {
        try await tenants.value(for: name, now: clock.now) {
            try await store.project(named: name).map { Tenant(project: $0, issuer: issuer) }
        }
    }

    /// The client with that `client_id`, or `nil`. At most a second old; see ``ExpiringCache``.
    package func client(_ clientID: String, of tenant: Tenant) async throws -> Client? {
        try await registeredClient(clientID, of: tenant)?.client
    }

    /// As ``client(_:of:)``, with its metadata read.
    package func registeredClient(
        _ clientID: String, of tenant: Tenant
    ) async throws -> RegisteredClient? {
        let key = ClientCacheKey(project: tenant.project.id, clientID: clientID)
        return try await clients.value(for: key, now: clock.now) {
            try await store.client(clientID: clientID, in: tenant.project.id)
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
