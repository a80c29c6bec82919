// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Storage

/// A part of a project's rules that is shown and changed by itself: the Admin API and the console
/// change it without having to know the rest, and two people who change two parts at the same
/// moment both get what they wanted.
///
/// Reading, checking and comparing use the tables of ``RecordField``, as state documents do.
package struct ProjectSettingsGroup: Sendable {
    /// What is wrong with a value, or nothing.
    typealias Write = @Sendable (JSONValue, inout Project) -> LocatedValidationIssue?

    /// Where it stands in a state document: `registration.pin`.
    package let name: String
    package let read: @Sendable (Project) -> JSONObject
    let write: Write

    /// What is not mentioned stays as it is.
    ///
    /// - Parameter complaint: what single keys cannot tell: do they go together?
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
    /// How long codes, tokens and sessions live, and who may make an account.
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

    /// What clients may ask people to approve in an app.
    package static let approvals = ProjectSettingsGroup(
        "registration.approvals", \.policy.registration.approvals, fields: ApprovalFields.rules)

    /// What Apple's systems read in the association file.
    package static let associatedApps = ProjectSettingsGroup(
        "associated_apps", \.policy.associatedApps, fields: AssociatedAppFields.apps)

    /// What pages look like.
    package static let theme = ProjectSettingsGroup("theme", \.theme, fields: ProjectFields.theme)

    /// By which methods apps register, and a few switches.
    package static let registration = ProjectSettingsGroup(
        "registration", \.policy.registration, fields: RegistrationFields.methodsAndSwitches)

    /// Whether only listed apps may register.
    package static let versions = ProjectSettingsGroup(
        "registration", \.policy.registration, fields: [RegistrationFields.listedOnly])

    /// What is believed of apps on Apple's systems, but for the keys.
    package static let apple = ProjectSettingsGroup(
        "registration.apple", \.policy.registration.apple, fields: AttestedAppFields.apple)

    /// Likewise on Android, but for the apps themselves: see ``ProjectList/fingerprints``.
    package static let android = ProjectSettingsGroup(
        "registration.android", \.policy.registration.android,
        fields: AttestedAppFields.androidRules)
}
