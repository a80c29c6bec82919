// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import JOSE

/// What an installation asks of the provider about its authenticators (`docs/registration.md`,
/// "Authenticators").
struct AuthenticatorRequests: Sendable {
    let connection: ProviderConnection
    let session: Session

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
        let answer: ResourceResponse
        do { answer = try await post(body) } catch let error as IdentityError {
            guard error.code == .notReachable else { throw error }
            answer = try await post(body)
        }
        guard (200...201).contains(answer.status) else {
            throw ProviderRefusal.error(answer, in: domain)
        }
        let made = try ProviderConnection.object(answer)
        guard let id = made["id"]?.string, let keyID = made["key_id"]?.string else {
            throw ProviderConnection.invalid("the answer about the authenticator is incomplete")
        }
        return StoredAuthenticator(kind: kind, id: id, key: key.name, keyID: keyID)
    }

    private func post(_ body: JSONValue) async throws -> ResourceResponse {
        let url = try await connection.address(Self.name, in: .authenticatorRegistration)
        var request = ResourceRequest(url, method: "POST", body: body.bytes)
        request.set("content-type", "application/json")
        return try await session.data(for: request)
    }

    /// Removes what the provider has and this installation does not know: an authenticator whose
    /// registration was cut off.
    func removeStrays(besides known: [StoredAuthenticator]) async throws {
        let domain = IdentityError.Domain.authenticatorRegistration
        let url = try await connection.address(Self.name, in: domain)
        let answer = try await session.data(for: ResourceRequest(url))
        guard answer.status == 200 else { throw ProviderRefusal.error(answer, in: domain) }
        let items = try ProviderConnection.object(answer)["items"]?.array ?? []
        for id in items.compactMap({ $0["id"]?.string })
        where !known.contains(where: { $0.id == id }) {
            try await remove(id)
        }
    }

    func remove(_ id: String) async throws {
        let domain = IdentityError.Domain.authenticatorDeregistration
        let url = try await connection.address(Self.name, in: domain) + "/" + id
        let answer = try await session.data(for: ResourceRequest(url, method: "DELETE"))
        // Gone already is gone.
        guard [200, 204, 404].contains(answer.status) else {
            throw ProviderRefusal.error(answer, in: domain)
        }
    }
}
