// SPDX-License-Identifier: Apache-2.0
import OAuth
import PlatformSSO
import ProviderCore
import ProviderTokens
import Storage

/// Redeems the code of a web login, for the device and the person of the login request.
struct WebLoginVerifier {
    let callback: WebLoginCallback
    /// The person with the username of the request.
    let person: Person?

    func redeem(
        _ call: DeviceRequestContext
    ) async throws -> Result<VerifiedPerson, CeremonyRefusal> {
        let hash = call.provider.secrets.hash(callback.code.utf8, for: .authorizationCode)
        guard let code = try await call.context.store.grants.code(hash: hash), isBound(code, call)
        else {
            return refused("no code that was given for this device and state")
        }
        let grant: Grant
        switch try await call.context.store.grants.redeemCode(
            hash: hash, generation: 0, now: call.now)
        {
        case .redeemed(let redeemed): grant = redeemed
        case .reused: return refused("the code was used before")
        case .expired, .unknown: return refused("the code is not active")
        }
        // The device receives a separate grant, so this one is revoked.
        try await call.context.store.grants.revoke(grant: grant.id, now: call.now)
        guard let person, person.id == grant.person else {
            return .refused(
                .userMismatch, because: "another person signed in", person: grant.person)
        }
        return .success(VerifiedPerson(person: person, factor: factor(of: grant)))
    }

    private func isBound(_ code: AuthorizationCode, _ call: DeviceRequestContext) -> Bool {
        guard code.grant.project == call.context.project,
            code.grant.client == call.client.client.id,
            code.redirectURI == callback.redirectURI, let nonce = code.grant.nonce,
            let challenge = code.codeChallenge.flatMap({ CodeChallenge($0) })
        else { return false }
        let binding = WebLoginBinding(device: call.device.id, state: callback.state, nonce: nonce)
        return challenge.isMet(by: binding.verifier(call.provider.secrets))
    }

    private func factor(of grant: Grant) -> AuthenticationFactor {
        AuthenticationFactor(
            at: grant.authenticatedAt,
            methods: grant.authenticationMethods.split(separator: " ").map(String.init),
            contextClass: grant.contextClass)
    }

    private func refused(_ reason: String) -> Result<VerifiedPerson, CeremonyRefusal> {
        .refused(.codeRefused, because: reason, person: person?.id)
    }
}
