// SPDX-License-Identifier: Apache-2.0
package import JOSE
import PlatformSSO
package import Primitives

extension Agent {
    /// Protects a secret so that nothing on the disk opens it without the provider.
    package func seal(_ secret: Secret, of person: String) async throws -> JSONObject {
        guard secret.withBytes({ 1...SealedSecret.greatestSecret ~= $0.count }) else {
            throw AgentRefusal.cannotSeal
        }
        guard record.people[person] != nil else { throw AgentRefusal.notRegistered }
        if record.machine.plan?.usesKeyService == false { throw AgentRefusal.noUnlockKeys }
        guard mayHaveUnlockKey(person) else { throw AgentRefusal.notRegistered }
        let (unlock, certificate) = try await livingUnlockKey(of: person)
        let (sealed, agreed) = try SealedSecret.seal(
            secret, for: person, recipient: certificate.key, context: unlock.context,
            random: exchange.random)
        await keep(agreed, for: sealed, of: person)
        return sealed.json
    }

    /// Opens what ``seal(_:of:)`` made. The provider is asked each time; while it is away, what it
    /// agreed on before counts for the grace period.
    package func unseal(_ object: JSONObject, of person: String) async throws -> Secret {
        let sealed = try SealedSecret(object)
        guard sealed.account == person else { throw AgentRefusal.sealedElsewhere }
        if let secret = try await opened(sealed, of: person) { return secret }
        // A renewal tells whether the token is over, and ends a session that is; where another took its place
        // meanwhile, that one opens it.
        try await refresh(person)
        guard let secret = try await opened(sealed, of: person) else {
            await endGrace(of: person)
            throw AgentRefusal.signedOut
        }
        return secret
    }

    /// - Returns: `nil` where the provider will not have the token.
    private func opened(_ sealed: SealedSecret, of person: String) async throws -> Secret? {
        guard let (client, user) = client(for: person), let asked = origin(of: person) else {
            throw AgentRefusal.notRegistered
        }
        guard let token = record.people[person]?.session?.refreshToken else {
            throw AgentRefusal.signedOut
        }
        let agreed: Secret
        do throws(ProviderError) {
            agreed = try await client.agree(
                user, token: token, with: sealed.ephemeral, context: sealed.context)
        } catch {
            switch error {
            case .wrongCredential: return nil
            case .deviceUnknown:
                await deviceUnknown(to: error, asked: asked)
            default: break
            }
            guard error.isUnreachable,
                let agreed = try await keptAgreement(for: sealed, of: person)
            else { throw AgentRefusal.provider(error) }
            return try sealed.open(agreed)
        }
        let secret = try sealed.open(agreed)
        if isStill(asked) { await keep(agreed, for: sealed, of: person) }
        return secret
    }
}
