// SPDX-License-Identifier: Apache-2.0
package import JOSE
import ProviderDevices
import ProviderInstallations
import ProviderPeople
package import ProviderSettings
package import Storage

/// A part of a project's settings that is read and changed separately. The Admin API and the
/// console change it without the rest, so that concurrent changes of two parts both succeed.
///
/// Reading, validation and comparison use the tables of ``RecordField``, like state documents.
package struct ProjectSettingsGroup: Sendable {
    /// Writes a value, or returns its issue.
    typealias Write = @Sendable (JSONValue, inout Project) -> LocatedValidationIssue?

    /// Fields that belong together, as a form of the console.
    package struct Section: Sendable {
        package let name: String
        package let keys: [StateKey]
    }

    /// The path in a state document: `registration.pin`.
    package let name: String
    /// The schema in the Admin API.
    package let schema: String
    package let show: AdministrativeOperation
    package let put: AdministrativeOperation
    package let summary: String
    package let sections: [Section]
    /// Values that are accepted and never displayed, see ``RegistrationSecrets``.
    package let secrets: [StateKey]
    package let read: @Sendable (Project) -> JSONObject
    let write: Write

    package var keys: [StateKey] { sections.flatMap(\.keys) }

    /// Creates a group. Keys that are not in a value are unchanged. The last closure checks
    /// conditions across keys.
    init<Part>(
        _ name: String, _ path: any (WritableKeyPath<Project, Part> & Sendable),
        schema: String, show: AdministrativeOperation, put: AdministrativeOperation,
        _ summary: String,
        sections: [(name: String, fields: [RecordField<Part>])],
        complaint: @escaping @Sendable (Part) -> CrossFieldRule? = { _ in nil }
    ) {
        let fields = sections.flatMap(\.fields)
        self.name = name
        self.schema = schema
        self.show = show
        self.put = put
        self.summary = summary
        self.sections = sections.map { section in
            let blank = Project.blank[keyPath: path]
            return Section(name: section.name, keys: StateKey.keys(section.fields, of: blank))
        }
        secrets = RegistrationSecrets.Name.allCases.filter { "registration.\($0.part)" == name }
            .map(\.key)
        read = { RecordField.object(fields, of: $0[keyPath: path]) }
        write = { value, project in
            var cursor = StateCursor()
            var part = project[keyPath: path]
            guard let object = cursor.object(value, at: "") else { return cursor.problems.first }
            cursor.read(object, at: "", into: &part, fields: fields)
            if let problem = cursor.problems.first { return problem }
            if let (key, complaint) = complaint(part) {
                return LocatedValidationIssue(path: key, complaint)
            }
            project[keyPath: path] = part
            return nil
        }
    }
}

extension ProjectSettingsGroup {
    /// The order of the Admin API's documentation.
    package static let all = [
        tokens, webauthn, platformSSO, pin, approvals, associatedApps, theme, registration,
        versions, apple, android,
    ]

    package static let tokens = ProjectSettingsGroup(
        "policy", \.policy, schema: "TokenPolicy", show: .showTokenPolicy, put: .putTokenPolicy,
        "Lifetimes of codes, tokens and sessions, and who may create an account.",
        sections: ProjectFields.sections)

    package static let webauthn = ProjectSettingsGroup(
        "webauthn", \.policy.webauthn, schema: "WebAuthnPolicy", show: .showWebAuthnPolicy,
        put: .putWebAuthnPolicy,
        "Policy for passkeys and security keys.",
        sections: [("webauthn", WebAuthnFields.policy)], complaint: WebAuthnFields.complaint)

    package static let platformSSO = ProjectSettingsGroup(
        "platform_sso", \.policy.platformSSO, schema: "PlatformSSOPolicy",
        show: .showPlatformSSOPolicy, put: .putPlatformSSOPolicy,
        "Policy for devices that people sign in on.",
        sections: PlatformSSOFields.sections, complaint: PlatformSSOFields.complaint)

    package static let pin = ProjectSettingsGroup(
        "registration.pin", \.policy.registration.pin, schema: "PINPolicy", show: .showPINPolicy,
        put: .putPINPolicy,
        "Policy for PINs of app installations.", sections: [("pin", PINFields.rules)],
        complaint: PINFields.complaint)

    package static let approvals = ProjectSettingsGroup(
        "registration.approvals", \.policy.registration.approvals, schema: "ApprovalPolicy",
        show: .showApprovalPolicy, put: .putApprovalPolicy,
        "Policy for approval requests of clients.",
        sections: [("approvals", ApprovalFields.rules)])

    package static let associatedApps = ProjectSettingsGroup(
        "associated_apps", \.policy.associatedApps, schema: "AssociatedApps",
        show: .showAssociatedApps, put: .putAssociatedApps,
        "Apps of Apple's systems that belong to the issuer, by service.",
        sections: [("associated-apps", AssociatedAppFields.apps)])

    package static let theme = ProjectSettingsGroup(
        "theme", \.theme, schema: "Theme", show: .showTheme, put: .putTheme,
        "Design of the pages; null for the default theme.",
        sections: [("theme", ProjectFields.theme)])

    package static let registration = ProjectSettingsGroup(
        "registration", \.policy.registration, schema: "RegistrationPolicy",
        show: .showRegistrationPolicy, put: .putRegistrationPolicy,
        "Registration methods of apps, and their conditions.",
        sections: [("methods", RegistrationFields.methodsAndSwitches)])

    package static let versions = ProjectSettingsGroup(
        "registration", \.policy.registration, schema: "VersionPolicy", show: .showVersionPolicy,
        put: .putVersionPolicy,
        "Whether apps that are not listed may register.",
        sections: [("unlisted", [RegistrationFields.listedOnly])])

    package static let apple = ProjectSettingsGroup(
        "registration.apple", \.policy.registration.apple, schema: "AppleAttestation",
        show: .showAppleAttestation, put: .putAppleAttestation,
        "Required evidence of App Attest and DeviceCheck.",
        sections: [("apple", AttestedAppFields.apple)])

    /// Except the list of apps: see ``ProjectList/fingerprints``.
    package static let android = ProjectSettingsGroup(
        "registration.android", \.policy.registration.android, schema: "AndroidAttestation",
        show: .showAndroidAttestation, put: .putAndroidAttestation,
        "Required evidence of Play Integrity and Android's keystore.",
        sections: [("android", AttestedAppFields.androidRules)])
}
