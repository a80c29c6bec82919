// SPDX-License-Identifier: Apache-2.0
import JOSE
package import Primitives
package import ProviderCore

/// An ID token that a client sends as a hint. Its signature must be valid; it may be expired. It
/// identifies a person and does not authenticate them.
package struct IDTokenHint: Sendable {
    package let subject: String
    package let clientID: String
    let session: String?
    let isExpired: Bool

    /// Returns `nil` unless the text is an ID token that a published key of this issuer signed.
    /// Other tokens of the provider have another `typ`.
    package static func read(
        _ text: String, tenant: Tenant, provider: Provider, now: Timestamp
    ) async throws -> IDTokenHint? {
        guard text.utf8.count <= 8192 else { return nil }
        let parsed = try? UnverifiedJWS(compact: Array(text.utf8), maximumBytes: 8192)
        guard let parsed else { return nil }
        let keys = try await provider.keys.publishedKeys(
            of: tenant, naming: parsed.signatures.first?.keyID)
        guard
            let jws = try? JWSVerifier(keys: keys, algorithms: [.es256, .rs256]).verify(parsed),
            jws.header.isType("JWT"),
            let claims = try? JSONParser.parseObject(jws.payload, maximumBytes: 8192),
            claims["iss"]?.string == tenant.issuer, let subject = claims["sub"]?.string,
            let clientID = claims["aud"]?.string, let expires = claims["exp"]?.integer
        else { return nil }
        return IDTokenHint(
            subject: subject, clientID: clientID, session: claims["sid"]?.string,
            isExpired: expires <= now.seconds)
    }
}
