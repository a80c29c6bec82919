// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import Storage

/// A project with one client and one person, and makers of everything else.
package struct StoreFixture: Sendable {
    package let store: any ProviderStore
    package let now = Timestamp(seconds: 1_800_000_000)
    package let project: Project
    package let client: Client
    package let person: Person
    private let random = SystemRandomSource()

    package init(_ store: any ProviderStore) async throws {
        self.store = store
        let random = SystemRandomSource()
        let projectID = Identifier<Project>(now: now, random: random)
        project = Project(
            id: projectID, name: "p-\(projectID)", environment: .development, createdAt: now)
        client = Client(
            id: Identifier(now: now, random: random), project: projectID, clientID: "shop",
            metadata: ClientMetadata(), createdAt: now)
        person = Person(
            id: Identifier(now: now, random: random), project: projectID, username: "anna",
            createdAt: now)
        guard try await store.projects.save(project),
            try await store.clients.save(client, now: now),
            try await store.people.create(person, with: []) == .created
        else { throw ConformanceFailure(description: "the fixture could not be made") }
    }

    package func bytes(_ count: Int = 32) -> [UInt8] { random.bytes(count) }

    package func identifier<R>(at time: Timestamp? = nil) -> Identifier<R> {
        Identifier(now: time ?? now, random: random)
    }

    package func makePerson(_ username: String, email: String? = nil) -> Person {
        var claims = PersonClaims()
        claims.email = email
        claims.emailVerified = email == nil ? nil : true
        return Person(
            id: identifier(), project: project.id, username: username, claims: claims,
            createdAt: now)
    }

    package func makeClient(_ clientID: String) -> Client {
        var metadata = ClientMetadata()
        metadata.redirectURIs = ["https://\(clientID).example/callback"]
        return Client(
            id: identifier(), project: project.id, clientID: clientID, metadata: metadata,
            secretHash: bytes(), createdAt: now)
    }

    package func makeCredential(
        _ kind: Credential.Kind = .publicKey, createdAt: Timestamp? = nil
    ) -> Credential {
        Credential(
            id: identifier(), project: project.id, person: person.id, kind: kind,
            externalID: kind == .password ? person.id.bytes : bytes(), publicPart: bytes(77),
            details: #"{"transports":["usb"]}"#, label: "key",
            assurance: kind == .publicKey ? "security_key" : "", createdAt: createdAt ?? now)
    }

    /// Returns one factor.
    package func factor(
        _ methods: String..., at time: Timestamp? = nil, with key: Credential? = nil
    ) -> AuthenticationFactor {
        AuthenticationFactor(
            at: time ?? now, methods: methods, contextClass: "phr", credential: key?.id)
    }

    package func makeSession(
        lastSeenAt: Timestamp? = nil, factors: [AuthenticationFactor] = []
    ) -> Session {
        Session(
            id: identifier(), project: project.id, person: person.id, secretHash: bytes(),
            authenticationMethods: "pwd", factors: factors, authenticatedAt: now,
            lastSeenAt: lastSeenAt ?? now, expiresAt: now + .hours(12), device: "Firefox on Linux",
            address: "192.0.2.1")
    }

    package func makeGrant(session: Identifier<Session>? = nil) -> Grant {
        Grant(
            id: identifier(), project: project.id, client: client.id, person: person.id,
            session: session, scope: "openid profile",
            claims: #"{"id_token":{"email":null},"userinfo":{}}"#, nonce: "n-0S6_WzA2Mj",
            authenticationMethods: "pwd", authenticatedAt: now, contextClass: "phr", rotatedAt: now,
            createdAt: now,
            expiresAt: now + .days(365))
    }

    package func makeCode(
        _ grant: Grant? = nil, session: Identifier<Session>? = nil
    ) -> AuthorizationCode {
        AuthorizationCode(
            hash: bytes(), grant: grant ?? makeGrant(session: session),
            redirectURI: "https://shop.example/callback", redirectURIWasSent: true,
            codeChallenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
            expiresAt: now + .minutes(1))
    }

    package func makeDevice() -> DeviceAuthorization {
        DeviceAuthorization(
            deviceCodeHash: bytes(), userCodeHash: bytes(), project: project.id,
            client: client.id, scope: "openid", interval: 5, expiresAt: now + .minutes(10),
            device: "laptop-7, ThinkPad")
    }

    package func makeChallenge(_ purpose: Challenge.Purpose = .passkeySignIn) -> Challenge {
        Challenge(
            hash: bytes(), purpose: purpose, project: project.id, payload: #"{"step":1}"#,
            expiresAt: now + .minutes(5))
    }

    package func makeKey(_ state: SigningKey.State, _ algorithm: String = "ES256") -> SigningKey {
        SigningKey(
            id: identifier(), project: project.id, kid: "k-\(identifier() as Identifier<Client>)",
            algorithm: algorithm, state: state, publicJWK: #"{"kty":"EC"}"#,
            sealedPrivateKey: bytes(64), createdAt: now, changedAt: now)
    }

    package func makeEvent(_ action: String, at time: Timestamp? = nil) -> AuditEvent {
        AuditEvent(
            id: identifier(at: time), project: project.id, at: time ?? now, action: action,
            outcome: .accepted, person: person.id, clientID: "shop", address: "192.0.2.1",
            requestID: "r1", details: #"{"a":1}"#)
    }

    /// Returns a new person with a federated identity and a key of their installation.
    package func makeRegistration(
        _ username: String = "carla", realm: String = "https://idp.example"
    ) -> NewRegistration {
        var person = makePerson(username)
        person.realm = realm
        person.origin = "signedJWT"
        person.attributes = #"{"plan":"gold"}"#
        func credential(_ kind: Credential.Kind) -> Credential {
            Credential(
                id: identifier(), project: project.id, person: person.id, kind: kind,
                externalID: bytes(), publicPart: bytes(77), createdAt: now)
        }
        let key = credential(.signInKey)
        let installation = Installation(
            id: identifier(), project: project.id, person: person.id, registrationID: bytes(16),
            method: "signedJWT", binding: bytes(), credential: key.id, name: "Notes",
            details: #"{"a":1}"#, createdAt: now)
        return NewRegistration(
            installation: installation, person: person,
            credentials: [key, credential(.federatedIdentity)],
            uses: [
                OneTimeUse(OneTimeIdentifier(.nonce, key: bytes()), until: now + .minutes(5)),
                OneTimeUse(OneTimeIdentifier(.issuedToken, key: bytes()), until: now + .hours(1)),
            ])
    }

    package func makeIssuerKey(_ issuer: String = "idp", kid: String = "k1") -> IssuerKey {
        var settings = IssuerKeySettings()
        settings.attributes = ["plan"]
        settings.owner = "olga"
        return IssuerKey(
            id: identifier(), project: project.id, kind: .federation, issuer: issuer, kid: kid,
            algorithm: "ES256", publicJWK: #"{"kty":"EC"}"#, settings: settings, createdAt: now)
    }

    package func makeEntitlementSet(_ name: String = "gold") -> EntitlementSet {
        EntitlementSet(
            project: project.id, name: name, entitlements: #"{"export":true,"vaults":10}"#,
            createdAt: now)
    }

    /// A grant whose refresh family is at its first generation.
    package func redeemedGrant(session: Identifier<Session>? = nil) async throws -> Grant {
        let code = makeCode(session: session)
        try await store.grants.save(code)
        let outcome = try await store.grants.redeemCode(hash: code.hash, generation: 1, now: now)
        guard case .redeemed(let grant) = outcome else {
            throw ConformanceFailure(description: "a fresh code was \(outcome)")
        }
        return grant
    }

    package func rotate(
        _ grant: Identifier<Grant>, _ generation: Int64, grace: TimeSpan = .seconds(10),
        at time: Timestamp? = nil, recording event: AuditEvent? = nil
    ) async throws -> RotateOutcome {
        try await store.grants.rotateRefreshToken(
            grant: grant, generation: generation, idleLifetime: .days(30), grace: grace,
            now: time ?? now, recording: event)
    }
}
