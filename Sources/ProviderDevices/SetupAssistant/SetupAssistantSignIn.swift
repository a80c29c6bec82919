// SPDX-License-Identifier: Apache-2.0
package import OAuth
import Primitives
package import ProviderCore
package import ProviderTokens
import Storage

/// The sign-in during the setup of a Mac: an authorization request of this provider, at whose end
/// the Mac is redirected to a URL of its system, with an access token for its device management.
///
/// It is bound to the web view that started it: `state` and the code verifier are derived from a
/// secret in its cookie, so that a code of another person cannot be injected.
package struct SetupAssistantSignIn: Sendable {
    private let context: CeremonyContext
    private let place: PlatformSSOEndpointInfo

    package static let action = "device.setup-assistant"
    /// The URL at which the system continues.
    package static let address = "apple-remotemanagement-user-login://authentication-results"
    /// The scheme of the URL, for `form-action`.
    package static let scheme = "apple-remotemanagement-user-login:"
    /// The origins of all redirects after an authorization request, for `form-action`. Browsers
    /// check each redirect, and the callback of this provider redirects to the system.
    package static func origins(behind redirect: RedirectURI) -> String {
        let isOurs = redirect.rest.hasSuffix(SetupAssistant.callbackPath)
        return isOurs ? "\(redirect.origin) \(scheme)" : redirect.origin
    }

    /// The scopes that the management server may request.
    private static let scope = ScopeSet(["openid", "profile", "email"])

    package init(_ context: CeremonyContext) {
        self.context = context
        place = PlatformSSOEndpointInfo(context.tenant)
    }

    private var callback: String { place.issuer + SetupAssistant.callbackPath }

    /// - Parameter secret: For the cookie of the web view.
    package func begin(secret: String) async throws -> AuthorizationStep {
        let client = try await PlatformSSOClient(
            provider: context.provider, tenant: context.tenant
        ).find()
        guard let client else { return .page(refusal("the client is disabled")) }
        let parameters = [
            "client_id": place.policy.clientID, "redirect_uri": callback,
            "response_type": "code", "scope": Self.scope.intersection(client.scope).text,
            "state": word("state", secret),
            "prompt": "login", "code_challenge_method": "S256",
            "code_challenge": CodeChallenge.s256(of: word("verifier", secret)),
        ]
        return try await AuthorizationEndpoint(context.provider).begin(
            parameters: parameters, tenant: context.tenant, facts: context.facts, signedIn: nil)
    }

    /// - Parameter secret: From the cookie of the web view.
    /// - Returns: the URL to redirect the Mac to.
    package func finish(
        code: String, state: String, secret: String
    ) async throws -> Result<String, Refusal> {
        let outcome = try await redeem(code, state, secret)
        return try await context.finish(Self.action, outcome) { $0.person }
            .map { Self.address + "?" + FormEncoding.encode([("access-token", $0.token)]) }
    }

    private struct Finished {
        let person: Identifier<Person>
        let token: String
    }

    private func redeem(
        _ code: String, _ state: String, _ secret: String
    ) async throws -> Result<Finished, CeremonyRefusal> {
        guard ConstantTime.equal(Array(state.utf8), Array(word("state", secret).utf8)) else {
            return stranger("state is of another web view")
        }
        let client = try await PlatformSSOClient(
            provider: context.provider, tenant: context.tenant
        ).find()
        let hash = context.provider.secrets.hash(code.utf8, for: .authorizationCode)
        guard let client, let found = try await context.store.grants.code(hash: hash),
            isOurs(found, client, secret)
        else { return stranger("no code of this sign-in") }
        if let declined = try await declined(found.grant, client) { return .failure(declined) }
        guard
            case .redeemed(let grant) = try await context.store.grants.redeemCode(
                hash: hash, generation: 0, now: context.now)
        else { return stranger("the code is not active") }
        guard let person = try await context.store.people.person(grant.person) else {
            return stranger("the person does not exist")
        }
        let token = try await PersonalAccessToken(
            provider: context.provider, tenant: context.tenant, client: client,
            facts: context.facts
        ).make(for: grant, of: person, scope: Self.scope.intersection(client.scope))
        return .success(Finished(person: grant.person, token: token))
    }

    /// Evaluates the policy of the client for this grant.
    private func declined(
        _ grant: Grant, _ client: RegisteredClient
    ) async throws -> CeremonyRefusal? {
        let person = try await context.store.people.person(grant.person)
        guard let person, !person.disabled else {
            return CeremonyRefusal(refusal("the person is disabled or gone"), person: grant.person)
        }
        return client.policy.refusal(
            of: person, contextClass: GrantedContext(grant).contextClass
        ).map { CeremonyRefusal($0, person: person.id, clientID: client.clientID) }
    }

    private func isOurs(
        _ code: AuthorizationCode, _ client: RegisteredClient, _ secret: String
    ) -> Bool {
        let challenge = code.codeChallenge.flatMap { CodeChallenge($0) }
        return code.grant.project == context.project && code.grant.client == client.client.id
            && code.redirectURI == callback
            && challenge?.isMet(by: word("verifier", secret)) == true
    }

    /// 43 characters that only this installation can derive from the secret.
    private func word(_ purpose: String, _ secret: String) -> String {
        let content = Array("setup-assistant/\(purpose)/\(context.project)/\(secret)".utf8)
        return Base64URL.encode(context.provider.secrets.hash(content, for: .webLogin))
    }

    private func stranger<Value>(_ reason: String) -> Result<Value, CeremonyRefusal> {
        .failure(CeremonyRefusal(refusal(reason), isStranger: true))
    }

    private func refusal(_ reason: String) -> Refusal {
        Refusal(
            "setup_refused", "This sign-in is expired. Start again on the Mac.", reason: reason)
    }
}
