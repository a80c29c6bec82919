// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A security token service's response (WS-Trust 1.3 section 4.4) with an assertion for the
/// provider, which verifies it. Here only the response is read.
package struct SecurityTokenResponse: Sendable, Equatable {
    package let version: SAMLVersion
    /// The assertion as a separate document, in its signed form.
    package let assertion: [UInt8]

    private static let leeway = TimeSpan.minutes(5)

    /// - Parameters:
    ///   - messageID: Of the request.
    ///   - realm: The requested audience of the assertion; compared if the response contains it.
    /// - Throws: `faulted` or `authenticationFailed` with the service's reason,
    ///   `envelopeMalformed`, `contextMismatch`, `expired`, `notYetValid`, `tokenTypeUnsupported`.
    package init(
        envelope bytes: [UInt8], to messageID: String, appliesTo realm: String, now: Timestamp
    ) throws(SAMLRefusal) {
        let document: SAMLXMLDocument
        do throws(XMLError) { document = try SAMLXMLDocument(bytes) } catch {
            throw SAMLRefusal(error)
        }
        guard document.root.isNamed("Envelope", in: Namespace.soap),
            let body = document.root.only("Body", in: Namespace.soap)
        else { throw SAMLRefusal(.envelopeMalformed, "not a SOAP envelope") }
        if let fault = body.only("Fault", in: Namespace.soap) {
            throw SAMLRefusal(
                Self.isOfCredentials(fault) ? .authenticationFailed : .faulted,
                Self.reason(of: fault))
        }
        try Self.checkHeader(document.root, messageID, now)
        let token = try Self.token(in: body, for: realm)
        version = token.version
        do throws(XMLError) {
            assertion = try document.canonical(
                token.element, prefixes: Self.prefixes(of: token.element))
        } catch { throw SAMLRefusal(error) }
    }

    private static func reason(of fault: SAMLXMLElement) -> String {
        fault.all.first { $0.isNamed("Text", in: Namespace.soap) }
            .map { String($0.trimmedText.prefix(200)) } ?? "no reason"
    }

    /// `FailedAuthentication` of WS-Trust (1.3, section 12) and of WS-Security, whatever its prefix.
    private static func isOfCredentials(_ fault: SAMLXMLElement) -> Bool {
        fault.all.contains { element in
            element.isNamed("Subcode", in: Namespace.soap)
                && element.only("Value", in: Namespace.soap)?.trimmedText
                    .split(separator: ":").last == "FailedAuthentication"
        }
    }

    private static func checkHeader(
        _ root: SAMLXMLElement, _ messageID: String, _ now: Timestamp
    ) throws(SAMLRefusal) {
        guard let header = root.only("Header", in: Namespace.soap),
            header.only("RelatesTo", in: Namespace.addressing)?.trimmedText == messageID
        else { throw SAMLRefusal(.contextMismatch, "the response belongs to another request") }
        let stamp = header.only("Security", in: Namespace.securityExtension)?
            .only("Timestamp", in: Namespace.securityUtility)
        guard let stamp else { return }
        func time(_ name: String) -> Timestamp? {
            stamp.only(name, in: Namespace.securityUtility)
                .flatMap { XMLDateTime.read($0.trimmedText) }
        }
        guard let created = time("Created"), let expires = time("Expires") else {
            throw SAMLRefusal(.timeMalformed, "Created or Expires")
        }
        guard created <= now + leeway else { throw SAMLRefusal(.notYetValid, "made later") }
        guard now < expires + leeway else { throw SAMLRefusal(.expired, "the response is expired") }
    }

    private static func token(
        in body: SAMLXMLElement, for realm: String
    ) throws(SAMLRefusal) -> (version: SAMLVersion, element: SAMLXMLElement) {
        let responses = body.all.filter { element in
            element.name == "RequestSecurityTokenResponse"
                && TrustVersion.allCases.contains { $0.namespace == element.namespace }
        }
        guard let response = responses.first, responses.count == 1,
            let holder = response.only("RequestedSecurityToken", in: response.namespace),
            let element = holder.children.first, holder.children.count == 1
        else { throw SAMLRefusal(.envelopeMalformed, "not exactly one token") }
        let named = response.only("AppliesTo", in: Namespace.policy)?.all.first {
            $0.isNamed("Address", in: Namespace.addressing)
        }
        guard named.map({ $0.trimmedText == realm }) ?? true else {
            throw SAMLRefusal(.contextMismatch, "the assertion is for another realm")
        }
        let version = SAMLVersion.allCases.first { element.isNamed("Assertion", in: $0.namespace) }
        let type = response.only("TokenType", in: response.namespace)?.trimmedText
        guard let version, type.map(version.tokenTypes.contains) ?? true else {
            throw SAMLRefusal(.tokenTypeUnsupported, "TokenType \(type ?? "absent")")
        }
        return (version, element)
    }

    /// Returns the prefixes of namespaces that the signature covers although they are not visibly
    /// used.
    private static func prefixes(of assertion: SAMLXMLElement) -> [String] {
        assertion.all.filter { $0.isNamed("InclusiveNamespaces", in: Namespace.exclusive) }
            .flatMap { ($0[attribute: "PrefixList"] ?? "").split(separator: " ").map(String.init) }
    }
}

extension SAMLVersion {
    /// By the assertion's own name, and by that of WS-Security's SAML Token Profile 1.1.
    fileprivate var tokenTypes: [String] {
        let profile = "http://docs.oasis-open.org/wss/oasis-wss-saml-token-profile-1.1#SAMLV"
        return [namespace, profile + (self == .v2 ? "2.0" : "1.1")]
    }
}
