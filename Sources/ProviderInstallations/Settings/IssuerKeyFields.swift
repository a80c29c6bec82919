// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import JOSE
import OAuth
import Primitives
package import ProviderSettings
package import Storage

/// The keys of an entry in `issuer_keys`, except `issuer` and `kid`.
package enum IssuerKeyFields {
    static let algorithms = ["RS256", "ES256", "EdDSA", "PS256"]

    package static let key: [RecordField<IssuerKey>] = [
        .text("alg", .impersonating, \.algorithm, rule: TextRules.oneOf(algorithms))
            .with(\.isNeeded, true),
        publicKey.with(\.isNeeded, true).with(\.summary, "A JWK or PEM."),
        .text("audience", .impersonating, \.settings.audience, rule: name),
        .flag("milliseconds", .ordinary, \.settings.milliseconds),
        .list("attributes", .impersonating, \.settings.attributes, rule: attribute),
        .text("name", .ordinary, \.settings.name),
        .text("owner", .ordinary, \.settings.owner),
    ]

    /// Issuers and `kid` values are compared by bytes, so they must be visible and in normalized
    /// form.
    package static let name: TextRule = { text in
        (1...255).contains(text.utf8.count) && UserName.display(text, upTo: 255) == text
            ? nil : ValidationIssue(.notVisible, ["most": "255"])
    }

    /// An issuer. Names with another meaning in an assertion are refused.
    package static let issuer: TextRule = { text in
        if let complaint = name(text) { return complaint }
        if text == IssuedToken.testIssuer { return ValidationIssue(.testIssuer) }
        if let prefix = ownPrefixes.first(where: text.lowercased().hasPrefix) {
            return ValidationIssue(.ownPrefix, ["prefix": .text(prefix)])
        }
        return Identifier<Person>(text.lowercased()) == nil
            ? nil : ValidationIssue(.personsIdentifier)
    }

    /// The prefixes that distinguish identities of custom registration providers and upstream
    /// providers. A key of an issuer with such a name could impersonate those people.
    private static let ownPrefixes = ["urn:gatehouse:", "upstream-provider ", "idp:"]

    /// Checks conditions across keys.
    package static func complaint(_ key: IssuerKey) -> CrossFieldRule? {
        guard !key.publicJWK.isEmpty else { return ("public_key", ValidationIssue(.missing)) }
        guard !key.algorithm.isEmpty else { return ("alg", ValidationIssue(.missing)) }
        guard TrustedIssuerKey(key) != nil,
            let algorithm = JWSAlgorithm(exactly: key.algorithm),
            let jwk = try? JSONWebKey(bytes: Array(key.publicJWK.utf8)).publicKey,
            (try? jwk.with(KeyParameters(algorithm: algorithm.rawValue))) != nil
        else { return ("alg", ValidationIssue(.otherAlgorithm)) }
        return nil
    }

    /// A public key as JWK or PEM. It is stored as a JWK without parameters.
    private static let publicKey = RecordField<IssuerKey>(
        name: "public_key", .impersonating, kinds: ["string", "object"]
    ) {
        $0.publicJWK.isEmpty
            ? nil : try? JSONParser.parse(Array($0.publicJWK.utf8), maximumBytes: 16_384)
    } write: { value, key in
        do throws(JOSEError) {
            key.publicJWK = try read(value).with(KeyParameters()).json.text
            return nil
        } catch {
            return ValidationIssue(.notPublicKey, ["code": .text(error.code.rawValue)])
        }
    }

    private static func read(_ value: JSONValue) throws(JOSEError) -> PublicJWK {
        if let text = value.string { return try PublicJWK(pem: text) }
        guard let object = value.object, case .publicKey(let key) = try JSONWebKey(object) else {
            throw JOSEError(.keyUnsupported, "not a public key")
        }
        return key
    }

    /// The name of a person's attribute.
    package static let attribute: TextRule = { text in
        if IssuedToken.registeredClaims.contains(text) || ProviderMetadata.claims.contains(text) {
            return ValidationIssue(.claimOfItsOwn)
        }
        return name(text)
    }
}
