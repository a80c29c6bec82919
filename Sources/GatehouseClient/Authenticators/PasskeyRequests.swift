// SPDX-License-Identifier: Apache-2.0
import JOSE
import OAuth
import Primitives

/// The requests for passkeys (`docs/registration.md`, "Passkeys"), in the JSON of WebAuthn Level 3
/// section 5.1.
struct PasskeyRequests: Sendable {
    let connection: ProviderConnection
    let passkeys: any PasskeyAuthenticator

    private static let name = "passkeys"

    // MARK: Adding and removing

    /// Creates a passkey, and registers it for the session's person.
    ///
    /// - Parameters:
    ///   - unfinished: An earlier passkey whose registration had no response. If the provider has
    ///     it, it is returned, because the system would not create a second one.
    ///   - note: Receives the credential ID before the request to the provider.
    func add(
        by session: UserSession, unlessDone unfinished: String?,
        _ note: (_ credentialID: String) async throws -> Void
    ) async throws -> StoredAuthenticator {
        let asked = try await session.object(
            "POST", "passkey_options", in: .authenticatorRegistration)
        guard let ceremony = asked["ceremony"]?.string, let creation = Self.creation(asked) else {
            throw ProviderConnection.invalid("the options for a passkey are incomplete")
        }
        if let unfinished, let id = Base64URL.decode(unfinished), creation.excluded.contains(id) {
            return try await registered(unfinished, session)
        }
        let made = try await passkeys.makePasskey(creation)
        try await note(Base64URL.encode(made.credentialID))
        return try await register(made, ceremony, session)
    }

    private static func creation(_ options: JSONObject) -> PasskeyCreationOptions? {
        let key = options["publicKey"]
        guard let relyingParty = key?["rp"]?["id"]?.string,
            let challenge = bytes(key?["challenge"]), let user = key?["user"],
            let userID = bytes(user["id"]), let username = user["name"]?.string
        else { return nil }
        return PasskeyCreationOptions(
            relyingParty: relyingParty, challenge: challenge, userID: userID, username: username,
            displayName: user["displayName"]?.string ?? username,
            excluded: identifiers(key?["excludeCredentials"]))
    }

    private func register(
        _ made: NewPasskey, _ ceremony: String, _ session: UserSession
    ) async throws -> StoredAuthenticator {
        let response: JSONValue = [
            "clientDataJSON": .string(Base64URL.encode(made.clientDataJSON)),
            "attestationObject": .string(Base64URL.encode(made.attestationObject)),
            "transports": .array(made.transports.map(JSONValue.string)),
        ]
        let isHere = made.transports.contains("internal")
        let answer = try await session.object(
            "POST", Self.name,
            [
                "ceremony": .string(ceremony),
                "name": .string(connection.configuration.installationName),
                "credential": Self.credential(
                    made.credentialID, response, isHere ? "platform" : "cross-platform"),
            ], in: .authenticatorRegistration)
        guard let known = Self.authenticator(.object(answer)) else {
            throw IdentityError(
                .authenticatorRegistration, .invalidAnswer,
                "the response about a passkey is incomplete")
        }
        return known
    }

    /// The passkey of that name as the provider knows it.
    private func registered(
        _ credentialID: String, _ session: UserSession
    ) async throws -> StoredAuthenticator {
        let domain = IdentityError.Domain.authenticatorRegistration
        guard
            let found = try await session.items(Self.name, in: domain)
                .compactMap(Self.authenticator).first(where: { $0.keyID == credentialID })
        else {
            throw IdentityError(
                domain, .invalidAnswer, "the provider does not list the new passkey")
        }
        return found
    }

    private static func authenticator(_ passkey: JSONValue) -> StoredAuthenticator? {
        guard let id = passkey["id"]?.string, let credentialID = passkey["credential_id"]?.string
        else { return nil }
        return StoredAuthenticator(
            kind: Authenticator.passkeyKind, id: id, key: RecordName("passkey"),
            keyID: credentialID)
    }

    /// Removes a passkey at the provider. The system retains its copy.
    static func remove(_ id: String, by session: UserSession) async throws {
        do {
            _ = try await session.object(
                "DELETE", name, below: "/" + id, in: .authenticatorDeregistration)
            // It does not exist, so the removal is complete.
        } catch let error as IdentityError where error.serverCode == "unknown_credential" {}
    }

    // MARK: Signing in

    /// Returns the form for the token endpoint.
    ///
    /// - Parameter allowed: Credential IDs in Base64url; empty for all of the person on this
    ///   device.
    func signInForm(
        allowing allowed: [String], scopes: [String]
    ) async throws
        -> [(String, String)]
    {
        let asked = try await connection.post("passkey_sign_in", nil, in: .authentication)
        let key = asked["publicKey"]
        guard let ceremony = asked["ceremony"]?.string,
            let relyingParty = key?["rpId"]?.string,
            let challenge = Self.bytes(key?["challenge"])
        else { throw ProviderConnection.invalid("the options for a passkey are incomplete") }
        let signed = try await passkeys.signature(
            for: PasskeyAssertionOptions(
                relyingParty: relyingParty, challenge: challenge,
                allowed: allowed.compactMap { Base64URL.decode($0) }))
        let response: JSONValue = [
            "clientDataJSON": .string(Base64URL.encode(signed.clientDataJSON)),
            "authenticatorData": .string(Base64URL.encode(signed.authenticatorData)),
            "signature": .string(Base64URL.encode(signed.signature)),
            "userHandle": .string(Base64URL.encode(signed.userID)),
        ]
        let answer: JSONValue = [
            "ceremony": .string(ceremony),
            "credential": Self.credential(signed.credentialID, response),
        ]
        return [
            ("grant_type", TokenRequest.passkeyGrantType), ("passkey", answer.text),
            ("scope", scopes.joined(separator: " ")),
        ]
    }

    // MARK: JSON

    private static func credential(
        _ id: [UInt8], _ response: JSONValue, _ attachment: String? = nil
    ) -> JSONValue {
        let id = JSONValue.string(Base64URL.encode(id))
        var credential = JSONObject([
            .init(name: "id", value: id), .init(name: "rawId", value: id),
            .init(name: "type", value: "public-key"),
            .init(name: "clientExtensionResults", value: .object(JSONObject())),
            .init(name: "response", value: response),
        ])
        credential["authenticatorAttachment"] = attachment.map(JSONValue.string)
        return .object(credential)
    }

    private static func bytes(_ value: JSONValue?) -> [UInt8]? {
        value?.string.flatMap { Base64URL.decode($0) }
    }

    private static func identifiers(_ value: JSONValue?) -> [[UInt8]] {
        (value?.array ?? []).compactMap { bytes($0["id"]) }
    }
}
