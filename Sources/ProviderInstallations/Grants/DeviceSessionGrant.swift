// SPDX-License-Identifier: Apache-2.0
import AppRegistration
package import JOSE
import OAuth
import Primitives
package import ProviderCore
package import ProviderTokens
import Storage

/// `grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer` with an assertion of the type
/// ``SignInToken/deviceType``: an installation authenticates itself and not a person. The project
/// determines the scopes (`registration.device_scopes`).
///
/// The grant belongs to the installation and its person, so that it ends with either. The subject
/// of the token is the installation, so the token gives no access to data of the person.
package struct DeviceSessionGrant: TokenGrant {
    let assertion: UnverifiedJWS
    let scope: String?
    let app: AppAssertion?

    package static let grantType = TokenRequest.assertionGrantType
    package static let action = "token.device"

    private static let maximumBytes = 16_384
    /// Allowed clock skew in seconds.
    private static let clockSkew: Int64 = 60

    /// Returns `nil` for assertions of other types.
    package init?(_ assertion: UnverifiedJWS, scope: String?, app: AppAssertion?) {
        guard assertion.header.isType(SignInToken.deviceType) else { return nil }
        self.assertion = assertion
        self.scope = scope
        self.app = app
    }

    package struct Message: Sendable {
        let installation: Installation
        let proof: VerifiedGrantAssertion
        let scope: ScopeSet
    }

    package func verify(_ call: TokenRequestContext) async throws -> Result<Message, Refusal> {
        guard let scope = scope(call) else {
            return .failure(
                Refusal(
                    ErrorCode.invalidScope, "The project gives none of that to a device alone.",
                    reason: "device scopes"))
        }
        guard let (installation, signer, token) = try await proven(call) else {
            return .failure(.invalidGrant("not signed by an active installation"))
        }
        guard token.audience.hasSameBytes(as: call.tenant.issuer), isTimely(token, call),
            let nonce = call.nonces(for: .signIn).check(token.nonce)
        else { return .failure(.invalidGrant("audience, time or nonce").matched) }
        if let refusal = try await AppAssertionCheck(call).refusal(
            app, of: signer.credential, signer.details)
        {
            return .failure(refusal.matched)
        }
        let proof = VerifiedGrantAssertion(
            person: installation.person, methods: [signer.details.isInHardware ? "hwk" : "swk"],
            uses: [nonce.use], credential: signer.credential.id, installation: installation.id)
        return .success(Message(installation: installation, proof: proof, scope: scope))
    }

    /// The requested scopes, or all that are offered; `nil` if there are none or the request
    /// exceeds them.
    private func scope(_ call: TokenRequestContext) -> ScopeSet? {
        let offered = ScopeSet(call.tenant.project.policy.registration.deviceScopes)
            .intersection(call.client.machineScope)
        guard let text = scope else { return offered.isEmpty ? nil : offered }
        guard let asked = ScopeSet(text), !asked.isEmpty, asked.isSubset(of: offered) else {
            return nil
        }
        return asked
    }

    /// The installation whose key has signed the assertion.
    private func proven(
        _ call: TokenRequestContext
    ) async throws -> (Installation, InstallationSigner, SignInToken)? {
        let store = call.provider.store
        guard
            let unproven = try? JSONParser.parseObject(
                assertion.payload, maximumBytes: Self.maximumBytes, maximumDepth: 4),
            let id = unproven["iss"]?.string.flatMap({ Identifier<Installation>($0) }),
            let installation = try await store.installations.installation(id),
            installation.project == call.tenant.project.id,
            let signer = try await InstallationSigner.find(
                id, of: installation.person, in: store),
            let token = signer.token(of: assertion),
            Identifier<Installation>(token.userID) == id
        else { return nil }
        return (installation, signer, token)
    }

    private func isTimely(_ token: SignInToken, _ call: TokenRequestContext) -> Bool {
        let now = call.facts.now.seconds
        return token.expiresAt > now - Self.clockSkew
            && token.expiresAt <= now + SignInToken.maximumLifetime + Self.clockSkew
    }

    /// Consumes the nonce and saves the grant and the audit event in one transaction, if the
    /// installation and the person are active.
    package func consume(
        _ message: Message, _ call: TokenRequestContext
    ) async throws -> Result<TokenIssuance, Refusal> {
        try await call.issueGrant(
            message.proof, message.scope, Self.action, ofPerson: false
        ).map { given in
            var entitlement = given
            entitlement.subject = message.installation.id.description
            return entitlement
        }
    }
}

extension InstallationSigner {
    /// The claims of the assertion, if the key of the installation has signed it.
    fileprivate func token(of jws: UnverifiedJWS) -> SignInToken? {
        let verifier = JWSVerifier(key: .publicKey(key.jwk), algorithms: [key.algorithm])
        guard let verified = try? verifier.verify(jws),
            verified.header.isType(SignInToken.deviceType)
        else { return nil }
        let claims = try? JSONParser.parseObject(
            verified.payload, maximumBytes: 16_384, maximumDepth: 4)
        return claims.flatMap { SignInToken($0) }
    }
}
