// SPDX-License-Identifier: Apache-2.0
import Primitives

/// The validation of a signed assertion: issuer, times, audience, subject.
struct SAMLStatement {
    let root: SAMLXMLElement
    let version: SAMLVersion
    let verifier: SAMLAssertionVerifier
    let now: Timestamp

    private var namespace: String { version.namespace }

    static func issuer(of root: SAMLXMLElement, _ version: SAMLVersion) -> String? {
        version == .v2
            ? root.only("Issuer", in: version.namespace)?.trimmedText : root[attribute: "Issuer"]
    }

    func verified() throws(SAMLRefusal) -> VerifiedSAMLAssertion {
        try requireVersion()
        let end = try times()
        try requireAudience()
        let subject = try subject()
        guard let identifier = root[attribute: version.identifierName],
            let issuer = Self.issuer(of: root, version)
        else { throw SAMLRefusal(.identifierMissing, "no identifier, or no issuer") }
        return VerifiedSAMLAssertion(
            identifier: identifier, issuer: issuer, subject: subject, attributes: attributes,
            authenticatedAt: try authenticationTime(), expiresAt: end)
    }

    private func requireVersion() throws(SAMLRefusal) {
        let isRight =
            version == .v2
            ? root[attribute: "Version"] == "2.0"
            : root[attribute: "MajorVersion"] == "1" && root[attribute: "MinorVersion"] == "1"
        guard isRight else { throw SAMLRefusal(.versionMismatch, "not of that version of SAML") }
    }

    // MARK: Times

    private func time(_ name: String, of element: SAMLXMLElement) throws(SAMLRefusal) -> Timestamp?
    {
        guard let text = element[attribute: name] else { return nil }
        guard let time = XMLDateTime.read(text) else {
            throw SAMLRefusal(.timeMalformed, "\(name) is \(text)")
        }
        return time
    }

    private func conditions() throws(SAMLRefusal) -> SAMLXMLElement {
        guard let conditions = root.only("Conditions", in: namespace) else {
            throw SAMLRefusal(.timeMissing, "not exactly one Conditions")
        }
        return conditions
    }

    /// When it ends.
    private func times() throws(SAMLRefusal) -> Timestamp {
        let conditions = try conditions()
        guard let issued = try time("IssueInstant", of: root),
            let end = try time("NotOnOrAfter", of: conditions)
        else { throw SAMLRefusal(.timeMissing, "no IssueInstant, or no NotOnOrAfter") }
        let begin = max(issued, try time("NotBefore", of: conditions) ?? issued)
        guard begin <= now + verifier.leeway else {
            throw SAMLRefusal(.notYetValid, "it begins later")
        }
        guard now < end + verifier.leeway else { throw SAMLRefusal(.expired, "it is expired") }
        guard end - issued <= verifier.maximumLifetime else {
            throw SAMLRefusal(.lifetimeTooLong, "its lifetime is longer than a day")
        }
        return end
    }

    private func authenticationTime() throws(SAMLRefusal) -> Timestamp? {
        let (statement, name) =
            version == .v2
            ? ("AuthnStatement", "AuthnInstant")
            : ("AuthenticationStatement", "AuthenticationInstant")
        var latest: Timestamp?
        for element in root.children(statement, in: namespace) {
            guard let time = try time(name, of: element) else { continue }
            guard time <= now + verifier.leeway else {
                throw SAMLRefusal(.notYetValid, "the authentication time is in the future")
            }
            latest = max(latest ?? time, time)
        }
        return latest
    }

    // MARK: Audience

    /// Checks the audience. Every restriction must be met, and there must be one. Unknown
    /// conditions are not met (SAML 2.0 Core section 2.5.1); one-time use and proxy restriction
    /// always are.
    private func requireAudience() throws(SAMLRefusal) {
        let name = version == .v2 ? "AudienceRestriction" : "AudienceRestrictionCondition"
        var isRestricted = false
        for condition in try conditions().children {
            guard condition.namespace == namespace else { throw unknown(condition) }
            switch condition.name {
            case name:
                isRestricted = true
                let named = condition.children("Audience", in: namespace).map(\.trimmedText)
                guard named.contains(where: verifier.audiences.contains) else {
                    throw SAMLRefusal(.audienceMismatch, "it is for \(named)")
                }
            case "OneTimeUse", "ProxyRestriction", "DoNotCacheCondition": continue
            default: throw unknown(condition)
            }
        }
        guard isRestricted else {
            throw SAMLRefusal(.audienceMismatch, "it has no audience restriction")
        }
    }

    private func unknown(_ condition: SAMLXMLElement) -> SAMLRefusal {
        SAMLRefusal(.conditionUnknown, "condition \(condition.name)")
    }

    // MARK: Subject

    private func subject() throws(SAMLRefusal) -> String {
        let subjects =
            version == .v2
            ? [root.only("Subject", in: namespace)].compactMap { $0 }
            : root.children.flatMap { $0.children("Subject", in: namespace) }
        let name = version == .v2 ? "NameID" : "NameIdentifier"
        var found: Set<String> = []
        for subject in subjects {
            guard let identifier = subject.only(name, in: namespace),
                identifier.children.isEmpty, !identifier.trimmedText.isEmpty
            else { throw SAMLRefusal(.subjectMissing, "a subject without a name") }
            try requireConfirmation(of: subject)
            found.insert(identifier.trimmedText)
        }
        guard let only = found.first, found.count == 1 else {
            throw SAMLRefusal(.subjectMissing, "\(found.count) subjects")
        }
        return only
    }

    /// One way to confirm that the bearer is the subject, which is to have it.
    private func requireConfirmation(of subject: SAMLXMLElement) throws(SAMLRefusal) {
        for confirmation in subject.children("SubjectConfirmation", in: namespace) {
            if try version == .v2 ? isBearer(confirmation) : isOldBearer(confirmation) { return }
        }
        throw SAMLRefusal(.confirmationRefused, "no confirmation by bearing it")
    }

    private func isOldBearer(_ confirmation: SAMLXMLElement) -> Bool {
        confirmation.children("ConfirmationMethod", in: namespace)
            .contains { $0.trimmedText == version.bearer }
    }

    private func isBearer(_ confirmation: SAMLXMLElement) throws(SAMLRefusal) -> Bool {
        guard confirmation[attribute: "Method"] == version.bearer else { return false }
        guard let data = confirmation.only("SubjectConfirmationData", in: namespace) else {
            return confirmation.children("SubjectConfirmationData", in: namespace).isEmpty
        }
        if let recipient = data[attribute: "Recipient"],
            !verifier.recipients.contains(recipient)
        {
            return false
        }
        if let begin = try time("NotBefore", of: data), begin > now + verifier.leeway {
            return false
        }
        guard let end = try time("NotOnOrAfter", of: data) else { return true }
        return now < end + verifier.leeway
    }

    private var attributes: [String: [String]] {
        var values: [String: [String]] = [:]
        for statement in root.children("AttributeStatement", in: namespace) {
            for attribute in statement.children("Attribute", in: namespace) {
                let name =
                    version == .v2
                    ? attribute[attribute: "Name"]
                    : attribute[attribute: "AttributeNamespace"].flatMap { space in
                        attribute[attribute: "AttributeName"].map { "\(space)/\($0)" }
                    }
                guard let name else { continue }
                values[name, default: []] +=
                    attribute.children("AttributeValue", in: namespace)
                    .filter(\.children.isEmpty).map(\.trimmedText)
            }
        }
        return values
    }
}
