// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// The configuration in a profile or a declaration, and its findings.
package struct ProfileInspection: Sendable {
    /// The context that the bytes do not contain.
    package struct Context: Sendable, Equatable {
        /// The channel of the profile; if `nil`, its `PayloadScope` determines it.
        package var channel: ProfileChannel?
        /// The target macOS.
        package var target: SystemVersion?
        /// The time for the evaluation of removal dates.
        package var now: Timestamp?

        package init(
            channel: ProfileChannel? = nil, target: SystemVersion? = nil, now: Timestamp? = nil
        ) {
            self.channel = channel
            self.target = target
            self.now = now
        }
    }

    package enum Subject: Sendable, Equatable {
        case profile(ConfigurationProfile)
        case declaration(SSODeclaration)
    }

    package let document: PropertyListDocument
    package let subject: Subject
    /// The signed message that contains it; its signature is not verified.
    package let signature: SignedProfile?
    /// In the order of the document.
    package let findings: [ProfileIssue]
    /// The oldest macOS that supports all settings, and the settings that require it.
    package let needs: (system: SystemVersion, paths: [String])?

    package init(_ bytes: [UInt8], context: Context = Context()) throws(ProfileParseError) {
        signature = try Self.unwrapped(bytes)
        let content = signature?.content ?? bytes
        do throws(PropertyListError) {
            document = try PropertyListDocument(content)
        } catch {
            throw ProfileParseError(error, in: content)
        }
        let isDeclaration =
            document.root.member("Payload") != nil
            || document.root.member(DeclarationKeys.composedIdentifier) != nil
        let (subject, findings, needs) =
            isDeclaration
            ? DeclarationReview(document, context: context).result()
            : ProfileReview(document, context: context).result()
        self.subject = subject
        self.findings = (Self.found(signature) + findings).enumerated()
            .sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
            .map(\.element)
        let system = needs.map(\.system).max()
        self.needs = system.map { system in
            (system: system, paths: needs.filter { $0.system == system }.map(\.path))
        }
    }

    private static func unwrapped(_ bytes: [UInt8]) throws(ProfileParseError) -> SignedProfile? {
        guard SignedProfile.isLikely(bytes) else { return nil }
        do throws(SignedProfileError) { return try SignedProfile(bytes) } catch {
            throw ProfileParseError(error)
        }
    }

    private static func found(_ signature: SignedProfile?) -> [ProfileIssue] {
        guard let signature else { return [] }
        let names = signature.certificateNames.map { "\"\($0)\"" }.joined(separator: ", ")
        return [
            ProfileIssue(
                .note, .signedProfile, path: "", offset: 0,
                "signed by \(names.isEmpty ? "an unnamed certificate" : names); "
                    + "the signature has not been verified")
        ]
    }

    /// The highest severity; `nil` without findings.
    package var worst: ProfileIssue.Severity? { findings.map(\.severity).max() }

    /// The configured extensions.
    package var singleSignOn: [SSOConfiguration] {
        switch subject {
        case .profile(let profile): profile.singleSignOn
        case .declaration(let declaration): [declaration.configuration]
        }
    }
}
