// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// What a profile or a declaration configures, what is wrong with it, and where.
package struct ProfileInspection: Sendable {
    /// What is known beside the bytes.
    package struct Context: Sendable, Equatable {
        /// Over which channel it comes; else its `PayloadScope` says so.
        package var channel: ProfileChannel?
        /// The macOS that it is for.
        package var target: SystemVersion?
        /// For dates of removal.
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
    /// The signed message around it; its signature has not been verified.
    package let signature: SignedProfile?
    /// In the order in which they stand.
    package let findings: [ProfileIssue]
    /// The oldest macOS that knows everything that is said, and what needs it.
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

    /// The worst that was found; `nil` when there was nothing.
    package var worst: ProfileIssue.Severity? { findings.map(\.severity).max() }

    /// What extensions are configured.
    package var singleSignOn: [SSOConfiguration] {
        switch subject {
        case .profile(let profile): profile.singleSignOn
        case .declaration(let declaration): [declaration.configuration]
        }
    }
}
