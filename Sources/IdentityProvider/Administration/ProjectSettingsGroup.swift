// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Storage

/// A part of a project's settings that is read and changed separately. The Admin API and the
/// console change it without the rest, so that concurrent changes of two parts both succeed.
///
/// Reading, validation and comparison use the tables of ``RecordField``, like state documents.
package struct ProjectSettingsGroup: Sendable {
    /// Writes a value, or returns its issue.
    typealias Write = @Sendable (JSONValue, inout Project) -> LocatedValidationIssue?

    /// The path in a state document: `registration.pin`.
    package let name: String
    package let read: @Sendable (Project) -> JSONObject
    let write: Write

    /// Creates a group. Keys that are not in a value are unchanged. The last closure checks
    /// conditions across keys.
    init<Part>(
        _ name: String, _ path: any (WritableKeyPath<Project, Part> & Sendable),
        fields: [RecordField<Part>],
        complaint: @escaping @Sendable (Part) -> CrossFieldRule? = { _ in nil }
    ) {
        self.name = name
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
    /// The lifetimes of codes, tokens and sessions, and self-registration.
    package static let tokens = ProjectSettingsGroup(
        "policy", \.policy, fields: ProjectFields.policy)

    package static let webauthn = ProjectSettingsGroup(
        "webauthn", \.policy.webauthn, fields: WebAuthnFields.policy,
        complaint: WebAuthnFields.complaint)

    package static let platformSSO = ProjectSettingsGroup(
        "platform_sso", \.policy.platformSSO, fields: PlatformSSOFields.policy,
        complaint: PlatformSSOFields.complaint)

    package static let pin = ProjectSettingsGroup(
        "registration.pin", \.policy.registration.pin, fields: PINFields.rules,
        complaint: PINFields.complaint)

    /// Approval requests of clients in apps.
    package static let approvals = ProjectSettingsGroup(
        "registration.approvals", \.policy.registration.approvals, fields: ApprovalFields.rules)

    /// The association file for Apple's systems.
    package static let associatedApps = ProjectSettingsGroup(
        "associated_apps", \.policy.associatedApps, fields: AssociatedAppFields.apps)

    /// The appearance of the pages.
    package static let theme = ProjectSettingsGroup("theme", \.theme, fields: ProjectFields.theme)

    /// The registration methods of apps, with some flags.
    package static let registration = ProjectSettingsGroup(
        "registration", \.policy.registration, fields: RegistrationFields.methodsAndSwitches)

    /// Whether only listed apps may register.
    package static let versions = ProjectSettingsGroup(
        "registration", \.policy.registration, fields: [RegistrationFields.listedOnly])

    /// The evidence of apps on Apple's systems, except secrets.
    package static let apple = ProjectSettingsGroup(
        "registration.apple", \.policy.registration.apple, fields: AttestedAppFields.apple)

    /// The same for Android, except the list of apps: see ``ProjectList/fingerprints``.
    package static let android = ProjectSettingsGroup(
        "registration.android", \.policy.registration.android,
        fields: AttestedAppFields.androidRules)
}
