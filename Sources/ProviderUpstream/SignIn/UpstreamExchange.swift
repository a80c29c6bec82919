// SPDX-License-Identifier: Apache-2.0
import JOSE
import OAuth
import Primitives
import ProviderCore
import Storage

/// The identity that an upstream provider has asserted in a transaction of this browser. Only
/// ``UpstreamExchange`` creates it.
package struct VerifiedUpstreamIdentity: Sendable {
    let provider: UpstreamProvider
    let attempt: UpstreamTransaction
    let subject: String
    /// All claims that the provider has sent.
    let claims: JSONObject
    /// The authentication factor, without the linked credential.
    let factor: AuthenticationFactor
    /// The signed ID token after decryption; `nil` with plain OAuth 2.
    private let idToken: String?

    fileprivate init(
        provider: UpstreamProvider, attempt: UpstreamTransaction, subject: String,
        claims: JSONObject,
        factor: AuthenticationFactor, idToken: String? = nil
    ) {
        self.provider = provider
        self.attempt = attempt
        self.subject = subject
        self.claims = claims
        self.factor = factor
        self.idToken = idToken
    }

    /// The hint for a sign-out at the provider; `nil` if it is not configured or not supported.
    func hint(of person: Person) -> UpstreamLogoutHint? {
        guard provider.settings.signsOut, provider.kind == .oidc else { return nil }
        return UpstreamLogoutHint(provider: provider.name, person: person.id, idToken: idToken)
    }

    /// The session identifier of the provider; `nil` if it sends none.
    var session: [UInt8]? {
        claims["sid"]?.string.flatMap { UpstreamSession(provider.id, sid: $0)?.hash }
    }

    /// The realm of the provider in this project. It is distinct from the realms of token issuers.
    var realm: String { provider.realm }

    /// The external ID of the linked credential.
    var externalID: [UInt8] { provider.identity(of: subject).externalID }

    func link(of person: Identifier<Person>, in context: CeremonyContext) -> Credential {
        let details: JSONValue = [
            "iss": .string(provider.settings.issuer), "sub": .string(subject),
        ]
        let settings = provider.settings
        return Credential(
            id: context.newIdentifier(), project: context.project, person: person,
            kind: .federatedIdentity, externalID: externalID, details: details.text,
            label: settings.buttonText.isEmpty ? provider.name : settings.buttonText,
            createdAt: context.now, upstream: provider.id)
    }

    func factor(with link: Credential) -> AuthenticationFactor {
        var factor = factor
        factor.credential = link.id
        return factor
    }
}

extension UpstreamProvider {
    /// The identity of a subject of this provider.
    func identity(of subject: String) -> FederatedIdentity {
        FederatedIdentity(issuer: "upstream-provider \(id) \(settings.issuer)", subject: subject)
    }
}

/// Exchanges an authorization code for a verified identity.
struct UpstreamExchange: Sendable {
    let provider: UpstreamProvider
    let metadata: UpstreamMetadata
    let context: CeremonyContext

    func redeem(
        _ code: String, _ attempt: UpstreamTransaction, _ state: UpstreamState
    ) async throws -> Result<VerifiedUpstreamIdentity, CeremonyRefusal> {
        let request = UpstreamTokenRequest(
            provider: provider, metadata: metadata, context: context)
        let answer: UpstreamTokenRequest.Response
        switch try await request.redeem(code, state) {
        case .success(let given): answer = given
        case .failure(let failure): return .failure(failure.declined)
        }
        let outcome =
            switch provider.kind {
            case .oidc: await connect(answer, attempt, state)
            case .oauth: await plain(answer, attempt)
            }
        return outcome.mapError(\.declined)
    }

    private func connect(
        _ answer: UpstreamTokenRequest.Response, _ attempt: UpstreamTransaction,
        _ state: UpstreamState
    ) async -> Result<VerifiedUpstreamIdentity, UpstreamError> {
        let check = UpstreamIDTokenCheck(
            provider: provider, metadata: metadata, context: context)
        var opened = answer
        if let token = answer.idToken {
            let decryption = UpstreamDecryption(context: context, thing: "the ID token")
            switch await decryption.open(
                token, isDemanded: provider.settings.encryptsIDTokens,
                maximumBytes: UpstreamIDTokenCheck.maximumBytes)
            {
            case .failure(let failure): return .failure(failure)
            case .success(let plain): opened.idToken = plain
            }
        }
        switch await check.verify(opened, attempt, state) {
        case .failure(let failure): return .failure(failure)
        case .success(let verified):
            guard let subject = mapping.subject(in: verified.members) else {
                return .failure(.wrong("the ID token has no usable sub"))
            }
            return await completed(verified.members, subject, answer).map { claims in
                VerifiedUpstreamIdentity(
                    provider: provider, attempt: attempt, subject: subject, claims: claims,
                    factor: factor(verified), idToken: opened.idToken)
            }
        }
    }

    /// Adds the claims of user info, if the ID token lacks claims for a new person. User info must
    /// be of the same person (OpenID Connect Core section 5.3.2).
    private func completed(
        _ claims: JSONObject, _ subject: String, _ answer: UpstreamTokenRequest.Response
    ) async -> Result<JSONObject, UpstreamError> {
        let settings = provider.settings
        guard let address = metadata.userInfoEndpoint,
            settings.createsPeople || settings.claims["active"] != nil,
            mapping.sources.contains(where: { claims[$0] == nil })
        else { return .success(claims) }
        return await userInfo(address, answer).flatMap { more in
            guard more["sub"]?.string?.hasSameBytes(as: subject) == true else {
                return .failure(.wrong("the user info is of another person"))
            }
            var all = claims
            for member in more.members where all[member.name] == nil {
                all[member.name] = member.value
            }
            return .success(all)
        }
    }

    private func plain(
        _ answer: UpstreamTokenRequest.Response, _ attempt: UpstreamTransaction
    ) async -> Result<VerifiedUpstreamIdentity, UpstreamError> {
        guard let address = metadata.userInfoEndpoint else {
            return .failure(.wrong("the user info endpoint is missing"))
        }
        return await userInfo(address, answer).flatMap { claims in
            guard let subject = mapping.subject(in: claims) else {
                return .failure(.wrong("the user info has no usable subject"))
            }
            return .success(
                VerifiedUpstreamIdentity(
                    provider: provider, attempt: attempt, subject: subject, claims: claims,
                    factor: Self.factor(.password, at: context.now)))
        }
    }

    private func userInfo(
        _ address: OutgoingURL, _ answer: UpstreamTokenRequest.Response
    ) async -> Result<JSONObject, UpstreamError> {
        await UpstreamUserInfo(provider: provider, metadata: metadata, context: context)
            .ask(address, accessToken: answer.accessToken)
    }

    /// The factor with the provider's `auth_time`, and at most the current time.
    private func factor(_ claims: VerifiedClaims) -> AuthenticationFactor {
        let seen = claims["auth_time"].flatMap(Timestamp.init(numericDate:)) ?? context.now
        let word = claims["acr"]?.string.flatMap { provider.settings.contextClasses[$0] }
        return Self.factor(
            word.flatMap(ContextClass.init(exactly:)) ?? .password, at: min(seen, context.now))
    }

    private static func factor(_ context: ContextClass, at time: Timestamp) -> AuthenticationFactor
    {
        AuthenticationFactor(
            at: time, methods: [AuthenticationFactor.federatedMethod],
            contextClass: context.rawValue)
    }

    private var mapping: ClaimMapping { ClaimMapping(provider.settings) }
}
