// SPDX-License-Identifier: Apache-2.0
import Primitives
package import Storage

/// Fills a store with a little of everything, and reads it back to compare it with another.
package struct StoreContent: Equatable, Sendable {
    private var words: [String]

    /// What the verbs say of the fixture's project.
    package init(of store: any ProviderStore, for f: StoreFixture) async throws {
        var filter = AuditFilter()
        filter.project = f.project.id
        words = try await [
            "\(String(describing: store.projects.project(f.project.id)))",
            "\(store.people.people(of: f.project.id, after: nil, limit: 10))",
            "\(store.groups.groups(of: f.project.id, after: nil, limit: 10))",
            "\(store.groups.members(of: "staff", in: f.project.id, after: nil, limit: 10))",
            "\(store.clients.clients(of: f.project.id, after: nil, limit: 10))",
            "\(store.credentials.credentials(of: f.person.id))",
            "\(store.sessions.sessions(of: f.person.id, now: f.now))",
            "\(store.grants.grants(of: f.person.id, now: f.now))",
            "\(store.consents.consents(of: f.person.id))",
            "\(store.signingKeys.signingKeys(of: f.project.id))",
            "\(store.entitlements.entitlementSets(of: f.project.id))",
            "\(store.issuerKeys.issuerKeys(of: f.project.id, kind: .federation))",
            "\(store.entitlements.entitlementSequences(of: f.project.id))",
            "\(store.upstreamProviders.upstreamProviders(of: f.project.id))",
            "\(store.administrators.administration(of: f.person.id))",
            "\(store.devices.devices(of: f.project.id, after: nil, limit: 10))",
            "\(store.devices.deviceTokens(of: f.project.id, after: nil, limit: 10))",
            "\(store.apiTokens.apiTokens(of: f.project.id, after: nil, limit: 10))",
            "\(store.encryptionKeys.encryptionKeys(of: f.project.id))",
            "\(store.auditLog.auditEvents(filter, before: nil, limit: 100))",
            "\(store.people.isHeld(name: "gone", in: f.project.id, now: f.now))",
            "\(store.maintenance.status().rows.sorted { $0.key < $1.key })",
        ]
        for person in try await store.people.people(of: f.project.id, after: nil, limit: 10) {
            words.append("\(try await store.installations.installations(of: person.id))")
            words.append(
                String(
                    describing: try await store.entitlements.entitlements(of: person.id, now: f.now)
                ))
            words.append(
                "\(try await store.entitlements.expendables(of: person.id).sorted { $0.key < $1.key })"
            )
        }
    }

    package static func fill(_ store: any ProviderStore) async throws -> StoreFixture {
        let f = try await StoreFixture(store)
        let session = f.makeSession()
        var bea = f.makePerson("bea", email: "bea@example.com")
        bea.claims.groups = ["staff", "admins"]
        _ = try await store.people.create(bea, with: [])
        let gone = f.makePerson("gone")
        _ = try await store.people.create(gone, with: [])
        try await store.people.remove(person: gone.id, now: f.now)
        for kind in Credential.Kind.allCases {
            _ = try await store.credentials.add(f.makeCredential(kind))
        }
        try await store.sessions.create(session, replacing: nil, now: f.now)
        for _ in 0..<3 { _ = try await f.redeemedGrant(session: session.id) }
        try await store.grants.save(f.makeCode())
        try await store.grants.save(f.makeDevice())
        for purpose in Challenge.Purpose.allCases {
            try await store.challenges.issue(f.makeChallenge(purpose))
        }
        _ = try await store.challenges.markUsed(
            OneTimeIdentifier(.clientAssertion, key: f.bytes()), expiresAt: f.now + .hours(1))
        _ = try await store.attempts.recordAttempt(
            bucket: f.bytes(), limit: 3, window: .hours(1), now: f.now)
        try await store.consents.save(
            Consent(
                project: f.project.id, person: f.person.id, client: f.client.id, scope: "openid",
                givenAt: f.now))
        try await store.signingKeys.addSigningKeys([f.makeKey(.active), f.makeKey(.next)])
        let new = f.makeRegistration()
        _ = try await store.installations.register(new, recording: f.makeEvent("registration"))
        _ = try await store.installations.register(
            f.makePINRegistration(), recording: f.makeEvent("registration"))
        _ = try await store.issuerKeys.save(f.makeIssuerKey())
        try await store.entitlements.save(f.makeEntitlementSet())
        _ = try await store.entitlements.setEntitlements(
            of: new.person.id, set: "gold", explicit: #"{"vaults":25}"#)
        try await f.fillEntitlements()
        let (machine, _) = try await f.registeredMachine(serial: "C02")
        _ = try await f.signIn(on: machine)
        _ = try await store.devices.register(
            f.makeUser(on: machine), key: f.makeUserKey(on: machine), now: f.now)
        _ = try await store.unlockKeys.provision(f.makeUnlockKey(on: machine), now: f.now)
        try await store.encryptionKeys.addEncryptionKey(
            EncryptionKey(
                id: f.identifier(), project: f.project.id, publicJWK: #"{"kty":"EC"}"#,
                sealedPrivateKey: f.bytes(60), createdAt: f.now))
        _ = try await store.administrators.assign(
            Administrator(
                id: f.identifier(), person: f.person.id, project: f.project.id, role: .support,
                createdAt: f.now))
        _ = try await store.apiTokens.add(
            f.makeAPIToken(), recording: f.makeEvent("admin.api-token.create"))
        // More than one page of a copy.
        try await store.auditLog.append(
            (0..<1200).map { f.makeEvent("token.refresh", at: f.now + .seconds(Int64($0))) })
        return f
    }
}
