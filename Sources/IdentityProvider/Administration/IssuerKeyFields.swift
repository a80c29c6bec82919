// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import JOSE
import OAuth
import Primitives
import Storage

/// The keys of an entry in `issuer_keys`, beside `issuer` and `kid`.
enum IssuerKeyFields {
    static let algorithms = ["RS256", "ES256", "EdDSA", "PS256"]

    static let key: [RecordField<IssuerKey>] = [
        .text("alg", .impersonating, \.algorithm, rule: TextRules.oneOf(algorithms)),
        publicKey,
        .text("audience", .impersonating, \.settings.audience, rule: name),
        .flag("milliseconds", .ordinary, \.settings.milliseconds),
        .list("attributes", .impersonating, \.settings.attributes, rule: attribute),
        .text("name", .ordinary, \.settings.name),
        .text("owner", .ordinary, \.settings.owner),
    ]

    /// Issuers and `kid`s are compared by their bytes: what can be seen is what counts.
    static let name: TextRule = { text in
        (1...255).contains(text.utf8.count) && UserName.display(text, upTo: 255) == text
            ? nil : ValidationIssue(.notVisible, ["most": "255"])
    }

    /// Names that mean something else in an assertion cannot be an issuer's.
    static let issuer: TextRule = { text in
        if let complaint = name(text) { return complaint }
        if text == IssuedToken.testIssuer { return ValidationIssue(.testIssuer) }
        if let prefix = ownPrefixes.first(where: text.lowercased().hasPrefix) {
            return ValidationIssue(.ownPrefix, ["prefix": .text(prefix)])
        }
        return Identifier<Person>(text.lowercased()) == nil
            ? nil : ValidationIssue(.personsIdentifier)
    }

    /// How people of an operator's own service and of upstream providers are told from all others: a
    /// key of that name would speak for them.
    private static let ownPrefixes = ["urn:gatehouse:", "upstream-provider ", "idp:"]

    /// Whether the key goes together with the rest.
    static func complaint(_ key: IssuerKey) -> CrossFieldRule? {
        guard !key.publicJWK.isEmpty else { return ("public_key", ValidationIssue(.missing)) }
        guard !key.algorithm.isEmpty else { return ("alg", ValidationIssue(.missing)) }
        guard TrustedIssuerKey(key) != nil,
            let algorithm = JWSAlgorithm(exactly: key.algorithm),
            let jwk = try? JSONWebKey(bytes: Array(key.publicJWK.utf8)).publicKey,
            (try? jwk.with(KeyParameters(algorithm: algorithm.rawValue))) != nil
        else { return ("alg", ValidationIssue(.otherAlgorithm)) }
        return nil
    }

    /// A public JWK, or PEM; kept as the former, bare.
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

    /// A name of an attribute of a person.
    static let attribute: TextRule = { text in
        if IssuedToken.registeredClaims.contains(text) || ProviderMetadata.claims.contains(text) {
            return ValidationIssue(.claimOfItsOwn)
        }
        return name(text)
    }
}
