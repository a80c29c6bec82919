// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import JOSE
import OAuth
import Primitives
import ProviderCore
import ProviderTokens
import Storage

/// Verifies a ``SignInToken``: the key of an installation has signed a nonce of the provider (RFC
/// 7523 section 3).
struct SignInTokenCheck: Sendable {
    let call: TokenRequestContext

    init(_ call: TokenRequestContext) { self.call = call }

    /// Allowed clock skew in seconds.
    private static let clockSkew: Int64 = 60

    /// - Parameters:
    ///   - person: the unverified subject of the token.
    ///   - scope: the requested scopes; `nil` for all.
    func prove(
        _ person: Identifier<Person>, by jws: UnverifiedJWS, _ app: AppAssertion?,
        for scope: ScopeSet?
    ) async throws -> Result<VerifiedGrantAssertion, Refusal> {
        guard let signer = try await signer(of: jws, person) else {
            return .failure(.invalidGrant("no such sign-in key of that person"))
        }
        let token: SignInToken
        switch verify(jws, by: signer.key) {
        case .success(let verified): token = verified
        case .failure(let refusal): return .failure(refusal)
        }
        return try await complete(token, signer, person, app, scope).mapError(\.matched)
    }

    /// Verifies the claims after the signature.
    private func complete(
        _ token: SignInToken, _ signer: Signer, _ person: Identifier<Person>,
        _ app: AppAssertion?, _ scope: ScopeSet?
    ) async throws -> Result<VerifiedGrantAssertion, Refusal> {
        if let refusal = refusal(of: token, by: signer, person, scope) { return .failure(refusal) }
        guard let nonce = call.nonces(for: .signIn).check(token.nonce) else {
            return .failure(.invalidGrant("the nonce is not ours, or expired"))
        }
        // An authenticator belongs to the app of the installation key, whose attestation applies.
        if let refusal = try await AppAssertionCheck(call).refusal(
            app, of: signer.first.credential, signer.first.details)
        {
            return .failure(refusal)
        }
        return standing(of: signer).map { standing in
            VerifiedGrantAssertion(
                person: person, methods: standing.methods, uses: [nonce.use],
                credential: isNoted(signer) ? nil : signer.credential.id,
                installation: signer.details.installation,
                contextClass: standing.contextClass)
        }
    }

    private func refusal(
        of token: SignInToken, by signer: Signer, _ person: Identifier<Person>,
        _ scope: ScopeSet?
    ) -> Refusal? {
        guard !signer.details.hasPIN || isImplicit(scope) else {
            return Refusal(
                ErrorCode.invalidGrant, "This installation signs in with its PIN.",
                reason: "the key alone, where there is a PIN")
        }
        guard Identifier<Person>(token.userID) == person else {
            return .invalidGrant("the token names another person")
        }
        return nil
    }

    /// Whether the stored last use is at most one minute old, so that it need not be saved.
    private func isNoted(_ signer: Signer) -> Bool {
        signer.credential.lastUsedAt.map { call.facts.now - $0 < .minutes(1) } ?? false
    }

    /// Whether the key alone is sufficient for these scopes if the installation has a PIN.
    private func isImplicit(_ scope: ScopeSet?) -> Bool {
        guard let scope, !scope.isEmpty else { return false }
        let rules = call.tenant.project.policy.registration.pin
        return scope.isSubset(of: ScopeSet(rules.implicitScopes))
    }

    /// The methods and class of the key. An authenticator is refused if the project does not offer
    /// its kind.
    private func standing(
        of signer: Signer
    ) -> Result<(methods: [String], contextClass: ContextClass), Refusal> {
        guard let kind = signer.details.authenticator else {
            return .success(([signer.details.isInHardware ? "hwk" : "swk"], .password))
        }
        guard call.tenant.project.policy.registration.authenticators.contains(kind),
            let authenticator = InstallationAuthenticator(signer.credential)
        else {
            return .failure(.invalidGrant("an authenticator that is not offered any more"))
        }
        return .success(authenticator.standing())
    }

    private struct Signer {
        let credential: Credential
        let details: SignInKeyDetails
        let key: InstallationKey
        /// The installation key: the key itself, unless it belongs to an authenticator.
        let first: (credential: Credential, details: SignInKeyDetails)
    }

    /// Maximum number of keys with the same `kid` whose signatures are verified.
    private static let maximumKeysOfOneID = 128

    /// The key with the `kid` of the token, or the only key if it has none. Apps choose `kid`
    /// values, and some use the same for all keys: then the key that verifies the signature is
    /// returned.
    private func signer(
        of jws: UnverifiedJWS, _ person: Identifier<Person>
    ) async throws -> Signer? {
        let kid = jws.header.keyID
        let known = try await call.provider.store.credentials.credentials(of: person).compactMap {
            credential -> (credential: Credential, details: SignInKeyDetails)? in
            guard credential.kind == .signInKey, credential.project == call.tenant.project.id,
                let details = SignInKeyDetails(credential.details)
            else { return nil }
            return (credential, details)
        }
        let keys = known.compactMap { credential, details -> Signer? in
            guard let jwk = try? JSONWebKey(bytes: credential.publicPart).publicKey,
                let key = try? InstallationKey(jwk, keyID: details.keyID),
                let first = known.first(where: {
                    $0.details.installation == details.installation
                        && $0.details.authenticator == nil
                })
            else { return nil }
            return Signer(credential: credential, details: details, key: key, first: first)
        }
        guard let kid else { return keys.count == 1 ? keys.first : nil }
        let named = keys.filter {
            $0.details.keyID.hasSameBytes(as: kid)
                || $0.key.jwk.thumbprintText.hasSameBytes(as: kid)
        }
        guard named.count > 1 else { return named.first }
        // The newest key is most likely in use.
        return named.suffix(Self.maximumKeysOfOneID).reversed().first { signer in
            let verifier = JWSVerifier(
                key: .publicKey(signer.key.jwk), algorithms: [signer.key.algorithm])
            return (try? verifier.verify(jws)) != nil
        }
    }

    private func verify(
        _ jws: UnverifiedJWS, by key: InstallationKey
    ) -> Result<SignInToken, Refusal> {
        let verifier = JWSVerifier(key: .publicKey(key.jwk), algorithms: [key.algorithm])
        guard let verified = try? verifier.verify(jws),
            verified.header.type == nil || verified.header.isType("JWT"),
            let claims = try? JSONParser.parseObject(
                verified.payload, maximumBytes: 16_384, maximumDepth: 8),
            let token = SignInToken(claims)
        else { return .failure(.invalidGrant("not a sign-in token signed by the key")) }
        guard token.audience.hasSameBytes(as: call.tenant.issuer) else {
            return .failure(.invalidGrant("a sign-in token for another audience"))
        }
        let now = call.facts.now.seconds
        guard token.expiresAt > now - Self.clockSkew,
            token.expiresAt <= now + SignInToken.maximumLifetime + Self.clockSkew
        else {
            return .failure(
                .invalidGrant("a sign-in token that is expired or whose lifetime is too long"))
        }
        return .success(token)
    }
}
