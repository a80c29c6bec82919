// SPDX-License-Identifier: Apache-2.0
import JOSE
import OAuth
import Primitives
import Storage

/// `grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer`, RFC 7523 section 2.1: an app signs
/// somebody in with a token that their installation's key has signed, or with one by which a
/// registered issuer vouches for them.
struct AssertionGrant: TokenGrant {
    let assertion: String
    let scope: String?

    static let grantType = TokenRequest.assertionGrantType
    static let action = "token.assertion"
    static let concernsPerson = true

    private static let maximumBytes = 16_384

    struct Message: Sendable {
        let proof: ProvenAssertion
        let scope: ScopeSet
    }

    func verify(_ call: TokenCall) async throws -> Result<Message, Refusal> {
        guard let scope = scope.map({ ScopeSet($0) }) ?? call.client.scope,
            scope.isSubset(of: call.client.scope)
        else {
            return .failure(
                Refusal(
                    ErrorCode.invalidScope, "Ask for scopes that the client is registered for.",
                    reason: "assertion with wider scope"))
        }
        guard let jws = try? UnverifiedJWS(compact: assertion, maximumBytes: Self.maximumBytes),
            let claims = try? JSONParser.parseObject(
                jws.payload, maximumBytes: Self.maximumBytes, maximumDepth: 8)
        else { return .failure(.invalidGrant("not a signed JWT")) }
        // An installation speaks of itself. No issuer that can be registered is called like a
        // person's identifier, so the two cannot be taken for one another.
        let proof =
            if let person = claims["iss"]?.string.flatMap({ Identifier<Person>($0) }) {
                try await SignInTokenCheck(call).prove(person, by: jws)
            } else {
                try await FederatedAssertionCheck(call).prove(assertion)
            }
        return proof.map { Message(proof: $0, scope: scope) }
    }

    /// Nonce or token, grant and audit event: one commit.
    func consume(
        _ message: Message, _ call: TokenCall
    ) async throws -> Result<Entitlement, Refusal> {
        let refreshes = call.client.getsRefreshToken(for: message.scope)
        let grant = grant(message, call, refreshes: refreshes)
        let event = call.provider.audit.prepare(call.draft(Self.action, person: grant.person))
        switch try await call.provider.store.grant(
            grant, using: message.proof.uses, credential: message.proof.credential,
            recording: event)
        {
        case .granted:
            return .success(
                Entitlement(
                    grant: grant, scope: message.scope,
                    refreshGeneration: refreshes ? grant.generation : nil, isRecorded: true))
        case .used: return .failure(.invalidGrant("the nonce or token was used before"))
        case .notStanding:
            return .failure(.invalidGrant("person, client or installation is disabled or gone"))
        }
    }

    private func grant(_ message: Message, _ call: TokenCall, refreshes: Bool) -> Grant {
        let now = call.facts.now
        return Grant(
            id: Identifier(now: now, random: call.provider.random),
            project: call.tenant.project.id, client: call.client.client.id,
            person: message.proof.person, session: nil, installation: message.proof.installation,
            scope: message.scope.text,
            authenticationMethods: message.proof.methods.joined(separator: " "),
            authenticatedAt: now,
            // A key without its owner's verification is whoever's who found the device, and
            // stands for one factor, as security keys do here.
            contextClass: ContextClass.password.rawValue, generation: refreshes ? 1 : 0,
            rotatedAt: now, createdAt: now,
            expiresAt: now + call.tenant.grantLifetime(refreshes: refreshes))
    }

    /// The verb that makes the grant asks.
    func provePerson(_ entitlement: Entitlement, _ call: TokenCall) async throws -> Refusal? {
        nil
    }

    func policy(
        _ entitlement: Entitlement, _ call: TokenCall
    ) -> Result<Entitlement, Refusal> {
        .success(entitlement)
    }
}

/// Somebody whose assertion is right. Only checks make it.
struct ProvenAssertion: Sendable {
    let person: Identifier<Person>
    /// RFC 8176.
    let methods: [String]
    let uses: [SingleUse]
    var credential: Identifier<Credential>?
    var installation: Identifier<Installation>?
}
