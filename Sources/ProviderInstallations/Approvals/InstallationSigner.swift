// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import JOSE
import Primitives
import Storage

/// The public key of an installation, which verifies its signatures.
struct InstallationSigner: Sendable {
    let key: InstallationKey
    let credential: Credential
    let details: SignInKeyDetails

    /// Returns `nil` if the installation does not exist, belongs to another person, or has no key.
    static func find(
        _ id: Identifier<Installation>, of person: Identifier<Person>,
        in store: any ProviderStore
    ) async throws -> InstallationSigner? {
        guard let installation = try await store.installations.installation(id),
            installation.person == person,
            let name = installation.credential,
            let credential = try await store.credentials.credentials(of: person)
                .first(where: { $0.id == name }),
            let details = SignInKeyDetails(credential.details),
            let jwk = try? JSONWebKey(bytes: credential.publicPart).publicKey,
            let key = try? InstallationKey(jwk, keyID: details.keyID)
        else { return nil }
        return InstallationSigner(key: key, credential: credential, details: details)
    }

    /// Verifies a JWS with the header `typ` and returns its claims, or `nil` if it is invalid.
    func claims(of compact: String, typ: String, maximumBytes: Int) -> JSONObject? {
        guard let jws = try? UnverifiedJWS(compact: compact, maximumBytes: maximumBytes),
            let verified = try? JWSVerifier(
                key: .publicKey(key.jwk), algorithms: [key.algorithm]
            ).verify(jws), verified.header.isType(typ)
        else { return nil }
        return try? JSONParser.parseObject(
            verified.payload, maximumBytes: maximumBytes, maximumDepth: 4)
    }
}
