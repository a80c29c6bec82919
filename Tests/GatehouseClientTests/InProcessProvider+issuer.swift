// SPDX-License-Identifier: Apache-2.0
import GatehouseClient
import GatehouseTesting
import JOSE
import Primitives
import ProviderCore
import ProviderInstallations
import ProviderTokens
import Storage
import Support
import Testing

extension InProcessProvider {
    /// Registers an issuer's key, and gives who signs with it.
    func addIssuer() async throws -> Issued {
        let tenant = try #require(try await provider.tenant(named: "default"))
        let pair = try PrivateJWK.generate(for: .es256)
        let key = IssuerKey(
            id: Identifier(now: provider.clock.now, random: provider.random),
            project: tenant.project.id, kind: .federation, issuer: "https://idp.example",
            kid: "k1", algorithm: "ES256",
            publicJWK: try pair.publicKey.with(KeyParameters()).json.text,
            createdAt: provider.clock.now)
        #expect(try await provider.store.issuerKeys.save(key))
        provider.issuerKeys.invalidate()
        return Issued(pem: try pair.pem().revealText(), clock: clock)
    }

    /// The actions of an administrator on a person.
    func revokeGrants(of userID: String) async throws {
        let person = try #require(Identifier<Person>(userID))
        for grant in try await provider.store.grants.grants(of: person, now: provider.clock.now) {
            try await provider.store.grants.revoke(grant: grant.id, now: provider.clock.now)
        }
    }

    /// Lets the app under test ask for tokens for other services.
    func letAppExchange(for audiences: [String]) async throws {
        let tenant = try #require(try await provider.tenant(named: "default"))
        var client = try #require(
            try await provider.store.clients.client(clientID: Self.clientID, in: tenant.project.id))
        client.metadata.grantTypes.append("urn:ietf:params:oauth:grant-type:token-exchange")
        client.metadata.exchangeAudiences = audiences
        #expect(try await provider.store.clients.save(client, now: provider.clock.now))
        provider.clients.invalidate()
    }

    /// Registers where the app under test may have people signed in to a browser.
    func letAppHandOff(to targets: [String]) async throws {
        let tenant = try #require(try await provider.tenant(named: "default"))
        var client = try #require(
            try await provider.store.clients.client(clientID: Self.clientID, in: tenant.project.id))
        client.metadata.webHandoffURIs = targets
        #expect(try await provider.store.clients.save(client, now: provider.clock.now))
        provider.clients.invalidate()
    }

    /// What installations may have for themselves, and the app under test may ask for.
    func letDevices(have scopes: [String]) async throws {
        try await change { $0.policy.registration.deviceScopes = scopes }
        let tenant = try #require(try await provider.tenant(named: "default"))
        var client = try #require(
            try await provider.store.clients.client(clientID: Self.clientID, in: tenant.project.id))
        client.metadata.scope += " " + scopes.joined(separator: " ")
        #expect(try await provider.store.clients.save(client, now: provider.clock.now))
        provider.clients.invalidate()
    }

    /// The number of the person's authenticators at the provider.
    func authenticators(of userID: String) async throws -> Int {
        let person = try #require(Identifier<Person>(userID))
        return try await provider.store.credentials.credentials(of: person)
            .count { $0.installation != nil }
    }

    func removeAllInstallations(of userID: String) async throws {
        let tenant = try #require(try await provider.tenant(named: "default"))
        let person = try #require(Identifier<Person>(userID))
        let facts = RequestMetadata(
            now: provider.clock.now, requestID: "test", address: "192.0.2.1")
        for installation in try await provider.store.installations.installations(of: person) {
            let event = provider.audit.prepare(
                AuditEventDraft("test", in: tenant.project.id, facts: facts))
            #expect(
                try await provider.store.installations.remove(
                    installation: installation.id, of: person, now: provider.clock.now,
                    recording: event))
        }
    }

    /// Rotates the key to which PIN proofs are sealed, and retires the one before.
    func replacePINProofKey() async throws {
        let tenant = try #require(try await provider.tenant(named: "default"))
        #expect(try await provider.encryptionKeys.rotate(of: tenant))
        let stored = try await provider.store.encryptionKeys.encryptionKeys(of: tenant.project.id)
        for key in stored where key.state == .retiring {
            #expect(try await provider.encryptionKeys.retire(key.id, of: tenant))
        }
    }

    /// Signs tokens as that issuer, for any person.
    struct Issued: Sendable {
        let pem: String
        let clock: VirtualClock

        func callAsFunction(
            _ subject: String, _ time: VirtualClock? = nil
        ) throws -> SignedJWTCredentialProvider {
            try SignedJWTCredentialProvider(
                issuer: "https://idp.example", keyID: "k1", privateKeyPEM: pem, subject: subject,
                attributes: ["sub": "somebody-else", "plan": "gold"], time: time ?? clock)
        }
    }
}
