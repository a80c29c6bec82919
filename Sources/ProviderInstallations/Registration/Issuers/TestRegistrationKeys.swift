// SPDX-License-Identifier: Apache-2.0
import AppRegistration
package import JOSE
package import Primitives
package import ProviderCore
package import Storage

/// Test registration keys. A private key is returned once to its owner; its tokens are accepted
/// until it is revoked. The keys belong to the project; the owner is only a name.
package struct TestRegistrationKeys: Sendable {
    private let provider: Provider
    private let tenant: Tenant
    private let facts: RequestMetadata

    package init(_ provider: Provider, tenant: Tenant, facts: RequestMetadata) {
        self.provider = provider
        self.tenant = tenant
        self.facts = facts
    }

    /// The SDKs of the Sudo Platform support RS256.
    package static let algorithms: [JWSAlgorithm] = [.rs256, .es256]

    package func all() async throws -> [IssuerKey] {
        try await provider.store.issuerKeys.issuerKeys(of: tenant.project.id, kind: .test)
    }

    /// Creates a key. The private part is not stored.
    package func make(
        _ algorithm: JWSAlgorithm, name: String, owner: String
    ) async throws -> Result<(key: IssuerKey, pem: Secret), Refusal> {
        let project = tenant.project
        guard project.believesTestKeys else {
            return .failure(
                RegistrationErrorCode.testKeyRefused.refusal(because: "a production environment"))
        }
        let pair = try await KeyRing.generate(algorithm)
        var settings = IssuerKeySettings()
        settings.audience = IssuedToken.testAudience
        settings.name = name
        settings.owner = owner
        let key = IssuerKey(
            id: Identifier(now: facts.now, random: provider.random), project: project.id,
            kind: .test, issuer: IssuedToken.testIssuer, kid: pair.publicKey.thumbprintText,
            algorithm: algorithm.rawValue,
            publicJWK: try pair.publicKey.with(KeyParameters()).json.text, settings: settings,
            createdAt: facts.now)
        let draft = draft("admin.test-key.create", ["key_id": .string(key.kid)])
        guard try await provider.recorded(draft, { try await $0.issuerKeys.add(key) }) else {
            throw StorageError(.conflict, "a new test key is there already")
        }
        return .success((key, try pair.pem()))
    }

    /// Returns `false` if the key does not exist.
    package func revoke(kid: String) async throws -> Bool {
        let found = try await provider.store.issuerKeys.issuerKey(
            issuer: IssuedToken.testIssuer, kid: kid, in: tenant.project.id)
        guard let found, found.kind == .test else { return false }
        let draft = draft("admin.test-key.revoke", ["key_id": .string(kid)])
        let removed = try await provider.recorded(draft) {
            try await $0.issuerKeys.remove(issuerKey: found.id, of: tenant.project.id)
        }
        guard removed != nil else { return false }
        provider.issuerKeys.invalidate()
        return true
    }

    /// Deletes the people of test keys who are older than `age`, with all their records. Each batch
    /// is one transaction with its audit event. Returns their number.
    package func sweep(olderThan age: TimeSpan) async throws -> Int {
        let end = facts.now - age
        var removed = 0
        while true {
            // A sweep without people has one event; an empty last batch has none.
            let isFirst = removed == 0
            let count = try await provider.store.installations.removePeople(
                of: tenant.project.id, origin: AppRegistrationMethod.testKey.rawValue, before: end,
                limit: Self.batch, now: facts.now
            ) { isFirst || $0 > 0 ? provider.audit.prepare(swept($0)) : nil }
            if isFirst || count > 0 { provider.audit.wasRecorded(swept(count)) }
            removed += count
            if count < Self.batch { return removed }
        }
    }

    private static let batch = 500

    private func swept(_ removed: Int) -> AuditEventDraft {
        draft("admin.test-people.sweep", ["removed": .integer(Int64(removed))])
    }

    private func draft(_ action: String, _ details: JSONValue) -> AuditEventDraft {
        AuditEventDraft(action, in: tenant.project.id, facts: facts, details: details.text)
    }
}
