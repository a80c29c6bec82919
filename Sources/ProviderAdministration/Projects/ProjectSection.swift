// SPDX-License-Identifier: Apache-2.0
import JOSE
import ProviderDevices
import ProviderInstallations
import ProviderPeople
import ProviderSettings
import Storage

/// A section of a project in a state document: `policy`, `webauthn` and the others.
///
/// Validation, application, comparison and export use ``all``, so a section cannot be missing in
/// one of them.
struct ProjectSection: Sendable {
    let name: String
    /// Validates the members of the section and collects the issues.
    let check: @Sendable (JSONObject, _ path: String, inout StateCursor) -> Void
    /// Replaces the section by validated members; other keys get their defaults.
    let apply: @Sendable (JSONObject, inout Project) -> Void
    /// The keys in which two projects differ, with the names of the document.
    let differences: @Sendable (_ old: Project, _ new: Project) -> [StateChange.Field]
    /// The changed settings that can enable impersonation.
    let impersonating: @Sendable (_ old: Project, _ new: Project) -> [String]
    let effects: [SettingEffect.OfKey]
    let object: @Sendable (Project) -> JSONObject
    let keys: [StateKey]

    /// Creates a section. The last closure checks conditions across keys.
    ///
    /// - Parameter blank: the defaults, with the stored values that are not part of the section.
    private init<Part>(
        _ name: String, _ path: any (WritableKeyPath<Project, Part> & Sendable),
        fields: [RecordField<Part>], blank: @escaping @Sendable (_ kept: Part) -> Part,
        complaint: @escaping @Sendable (Part) -> CrossFieldRule? = { _ in nil }
    ) {
        self.name = name
        check = { members, place, cursor in
            var part = blank(Project.blank[keyPath: path])
            cursor.read(members, at: place, into: &part, fields: fields)
            if let (key, complaint) = complaint(part) {
                cursor.refuse("\(place).\(key)", complaint)
            }
        }
        apply = { members, project in
            var part = blank(project[keyPath: path])
            RecordField.apply(members, to: &part, fields: fields)
            project[keyPath: path] = part
        }
        differences = { old, new in
            RecordField.differences(fields, from: old[keyPath: path], to: new[keyPath: path])
                .map { .init(name: "\(name).\($0.name)", from: $0.from, to: $0.to) }
        }
        impersonating = { old, new in
            RecordField.impersonating(fields, from: old[keyPath: path], to: new[keyPath: path])
                .map { "\(name).\($0)" }
        }
        effects = fields.flatMap(\.effects).map { $0.within(name) }
        object = { RecordField.object(fields, of: $0[keyPath: path]) }
        keys = StateKey.keys(fields, of: blank(Project.blank[keyPath: path]))
    }
}

extension ProjectSection {
    /// The order of comparison and export.
    static let all = [
        ProjectSection("theme", \.theme, fields: ProjectFields.theme, blank: { _ in Theme() }),
        ProjectSection(
            "policy", \.policy, fields: ProjectFields.policy,
            blank: { kept in
                var policy = ProjectPolicy()
                // A document without this key leaves self-registration unchanged.
                policy.selfRegistration = kept.selfRegistration
                policy.webauthn = kept.webauthn
                policy.associatedApps = kept.associatedApps
                policy.registration = kept.registration
                policy.platformSSO = kept.platformSSO
                return policy
            }),
        ProjectSection(
            "webauthn", \.policy.webauthn, fields: WebAuthnFields.policy,
            blank: { _ in WebAuthnPolicy() }, complaint: WebAuthnFields.complaint),
        ProjectSection(
            "associated_apps", \.policy.associatedApps, fields: AssociatedAppFields.apps,
            blank: { _ in AssociatedApps() }),
        ProjectSection(
            "registration", \.policy.registration, fields: RegistrationFields.policy,
            blank: { kept in
                var policy = RegistrationPolicy()
                policy.secrets = kept.secrets
                return policy
            }, complaint: AttestedAppFields.complaint),
        ProjectSection(
            "platform_sso", \.policy.platformSSO, fields: PlatformSSOFields.policy,
            blank: { _ in PlatformSSOPolicy() }, complaint: PlatformSSOFields.complaint),
    ]

    static func differences(from old: Project, to new: Project) -> [StateChange.Field] {
        all.flatMap { $0.differences(old, new) }
    }

    /// Includes the project's own keys.
    static func impersonating(from old: Project, to new: Project) -> [String] {
        RecordField.impersonating(ProjectFields.project, from: old, to: new)
            + all.flatMap { $0.impersonating(old, new) }
    }
}
