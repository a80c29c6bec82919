// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives

/// A verifier of assertions of security token services (SAML 2.0 Core, SAML 1.1, each with an
/// enveloped XML signature).
///
/// All values are read from the signed bytes: the canonical form of the root is hashed, and then
/// parsed again. So a wrapped, moved or duplicated assertion is not read.
package struct SAMLAssertionVerifier: Sendable {
    package struct Issuer: Sendable {
        package let name: String
        package let keys: [PublicJWK]

        package init(name: String, keys: [PublicJWK]) {
            self.name = name
            self.keys = keys
        }
    }

    package let issuers: [Issuer]
    /// The accepted audiences.
    package let audiences: [String]
    /// The accepted values of `Recipient`, if it is present.
    package let recipients: [String]
    /// The accepted clock skew.
    package var leeway = TimeSpan.seconds(60)
    /// From issuing to the end.
    package var maximumLifetime = TimeSpan.hours(24)

    package init(issuers: [Issuer], audiences: [String], recipients: [String] = []) {
        self.issuers = issuers
        self.audiences = audiences
        self.recipients = recipients
    }

    package func verify(
        _ bytes: [UInt8], as version: SAMLVersion, now: Timestamp
    ) -> Result<VerifiedSAMLAssertion, SAMLRefusal> {
        do throws(SAMLRefusal) {
            let signed = try signedBytes(bytes, version)
            let statement = SAMLStatement(
                root: try Self.document(signed).root, version: version, verifier: self, now: now)
            return .success(try statement.verified())
        } catch {
            return .failure(error)
        }
    }

    /// Returns the signed part.
    private func signedBytes(
        _ bytes: [UInt8], _ version: SAMLVersion
    ) throws(SAMLRefusal) -> [UInt8] {
        let document = try Self.document(bytes)
        let root = document.root
        guard root.isNamed("Assertion", in: version.namespace) else {
            throw SAMLRefusal(.notAnAssertion, "the root is \(root.name)")
        }
        let assertions = root.all.filter { $0.name.hasSuffix("Assertion") }
        guard assertions.count == 1 else {
            throw SAMLRefusal(.wrapped, "an assertion within the assertion")
        }
        guard let identifier = root[attribute: version.identifierName], !identifier.isEmpty else {
            throw SAMLRefusal(.identifierMissing, "the root has no identifier")
        }
        try Self.requireUniqueIdentifiers(root)
        let signature = try EnvelopedSignature(of: document)
        let name = SAMLStatement.issuer(of: root, version)
        guard let issuer = issuers.first(where: { $0.name == name }) else {
            throw SAMLRefusal(.issuerUnknown, "issuer \(name ?? "absent")")
        }
        return try signature.signedBytes(identifier: identifier, keys: issuer.keys)
    }

    /// Checks that identifiers are unique across all identifying attributes.
    private static func requireUniqueIdentifiers(_ root: SAMLXMLElement) throws(SAMLRefusal) {
        var seen: Set<String> = []
        for attribute in root.all.flatMap(\.attributes)
        where ["id", "assertionid"].contains(attribute.name.lowercased()) {
            guard seen.insert(attribute.value).inserted else {
                throw SAMLRefusal(.identifierTaken, "two elements have the same identifier")
            }
        }
    }

    private static func document(_ bytes: [UInt8]) throws(SAMLRefusal) -> SAMLXMLDocument {
        do throws(XMLError) { return try SAMLXMLDocument(bytes) } catch { throw SAMLRefusal(error) }
    }
}
