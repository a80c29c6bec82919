// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import JOSE

/// The requests of an installation about its authenticators (`docs/registration.md`,
/// "Authenticators").
struct AuthenticatorRequests: Sendable {
    let connection: ProviderConnection
    let session: UserSession

    private static let name = "authenticators"

    /// Registers the key, which signs for a nonce of the provider's. Should the answer be lost, it
    /// is asked for once more: the same key gets the same answer.
    func add(_ kind: String, _ key: VerifiedKey) async throws -> StoredAuthenticator {
        let domain = IdentityError.Domain.authenticatorRegistration
        let challenge = try await connection.post("authenticator_challenge", nil, in: domain)
        guard let nonce = ServerChallenge(challenge)?.nonce else {
            throw ProviderConnection.invalid("the challenge is incomplete")
        }
        let jwk = try key.publicKey.jwk()
        let binding = KeyBinding(nonce: nonce, key: try InstallationKey(jwk))
        let body: JSONValue = [
            "kind": .string(kind), "nonce": .string(nonce), "public_key": jwk.json,
            "key_proof": .string(
                try await KeySignature.jws(
                    payload: binding.bytes, typ: KeyBinding.proofType, by: key)),
            "name": .string(connection.configuration.installationName),
        ]
        let made = try await session.object("POST", Self.name, body, isRepeatable: true, in: domain)
        guard let id = made["id"]?.string, let keyID = made["key_id"]?.string else {
            throw ProviderConnection.invalid("the response about the authenticator is incomplete")
        }
        return StoredAuthenticator(kind: kind, id: id, key: key.name, keyID: keyID)
    }

    /// Removes what the provider has and this installation does not know: an authenticator whose
    /// registration was cut off.
    func removeStrays(except known: [StoredAuthenticator]) async throws {
        let items = try await session.items(Self.name, in: .authenticatorRegistration)
        for id in items.compactMap({ $0["id"]?.string })
        where !known.contains(where: { $0.id == id }) {
            try await remove(id)
        }
    }

    func remove(_ id: String) async throws {
        let domain = IdentityError.Domain.authenticatorDeregistration
        let answer = try await session.ask("DELETE", Self.name, below: "/" + id, in: domain)
        if [200, 204].contains(answer.status) { return }
        let refusal = ProviderErrorMapping.error(answer, in: domain)
        // The provider itself reports that it does not exist, so the removal is complete.
        guard answer.status == 404, refusal.serverCode != nil else { throw refusal }
    }
}
