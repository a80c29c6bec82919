// SPDX-License-Identifier: Apache-2.0
import AgentClient
import JOSE
import Primitives

/// Seals secrets of people so that the disk alone does not open them, and opens them with the provider.
@AgentActor
struct SecretSealing {
    let records: RecordStore
    let clients: LoginClients
    let unlockKeys: PersonUnlockKeys
    let grace: GracePeriods
    let renewals: Renewals
    let random: any RandomSource
    let events: any AgentEvents

    func seal(_ secret: Secret, of person: String) async throws -> JSONObject {
        guard secret.withBytes({ 1...SealedSecret.greatestSecret ~= $0.count }) else {
            throw AgentRefusal.cannotSeal
        }
        let record = records.record
        guard record.people[person] != nil else { throw AgentRefusal.notRegistered }
        if record.registrations.plan?.usesKeyService == false { throw AgentRefusal.noUnlockKeys }
        guard unlockKeys.mayHaveKey(person) else { throw AgentRefusal.notRegistered }
        let (unlock, certificate) = try await unlockKeys.validKey(of: person)
        let (sealed, agreed) = try SealedSecret.seal(
            secret, for: person, recipient: certificate.key, context: unlock.context,
            random: random)
        await grace.store(agreed, for: sealed, of: person)
        return sealed.json
    }

    /// Opens a sealed secret. Each call sends a request to the provider; while the provider cannot be
    /// reached, an earlier agreement is used within the grace period.
    func unseal(_ object: JSONObject, of person: String) async throws -> Secret {
        let sealed = try SealedSecret(object)
        guard sealed.account == person else { throw AgentRefusal.sealedElsewhere }
        if let secret = try await open(sealed, of: person) { return secret }
        // A renewal shows whether the token was revoked, and ends such a session; another token opens it.
        try await renewals.refresh(person)
        guard let secret = try await open(sealed, of: person) else {
            await grace.end(of: person)
            throw AgentRefusal.signedOut
        }
        return secret
    }

    /// - Returns: `nil` if the provider refuses the token.
    private func open(_ sealed: SealedSecret, of person: String) async throws -> Secret? {
        guard let (client, user) = clients.client(for: person),
            let origin = records.origin(of: person)
        else { throw AgentRefusal.notRegistered }
        guard let token = records.record.people[person]?.session?.refreshToken else {
            throw AgentRefusal.signedOut
        }
        let agreed: Secret
        do throws(ProviderError) {
            agreed = try await client.agree(
                user, token: token, with: sealed.ephemeral, context: sealed.context)
        } catch {
            switch error {
            case .wrongCredential: return nil
            case .deviceUnknown: await events.deviceUnknown(error, origin)
            default: break
            }
            guard error.isUnreachable,
                let agreed = try await grace.agreement(for: sealed, of: person)
            else { throw AgentRefusal.provider(error) }
            return try sealed.open(agreed)
        }
        let secret = try sealed.open(agreed)
        if records.isCurrent(origin) { await grace.store(agreed, for: sealed, of: person) }
        return secret
    }
}
