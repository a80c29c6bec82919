// SPDX-License-Identifier: Apache-2.0
package import JOSE
import ProviderInstallations
package import ProviderSettings
package import Storage

/// A list in a project's settings whose entries are read, replaced and removed individually.
package struct ProjectList: Sendable {
    /// The path in a state document: `registration.systems`.
    package let name: String
    /// The key that names an entry.
    package let key: String
    /// The schema of an entry in the Admin API.
    package let schema: String
    package let operations: EntryOperations
    package let summary: String
    package let keys: [StateKey]
    package let read: @Sendable (Project) -> [JSONObject]
    let put: @Sendable (_ name: String, JSONObject, inout Project) -> LocatedValidationIssue?
    let remove: @Sendable (_ name: String, inout Project) -> Bool

    /// - Parameters:
    ///   - key: the field that names an entry.
    ///   - named: the same in the record.
    init<Entry>(
        _ name: String, _ path: any (WritableKeyPath<Project, [Entry]> & Sendable),
        key: String, named: any (KeyPath<Entry, String> & Sendable),
        schema: String, operations: EntryOperations, _ summary: String,
        fields: [RecordField<Entry>],
        blank: @escaping @Sendable () -> Entry,
        complaint: @escaping @Sendable (Entry) -> CrossFieldRule?
    ) {
        self.name = name
        self.key = key
        self.schema = schema
        self.operations = operations
        self.summary = summary
        keys = StateKey.keys(fields, of: blank())
        read = { $0[keyPath: path].map { RecordField.object(fields, of: $0) } }
        put = { name, object, project in
            var cursor = StateCursor()
            var entry = blank()
            guard object[key] == nil || object[key]?.string == name else {
                return LocatedValidationIssue(
                    path: key, ValidationIssue(.otherName, ["name": .text(name)]))
            }
            let members = object.members.filter { $0.name != key }
            cursor.read(
                JSONObject([.init(name: key, value: .string(name))] + members), at: "",
                into: &entry, fields: fields)
            if let problem = cursor.problems.first { return problem }
            if let (key, complaint) = complaint(entry) {
                return LocatedValidationIssue(path: key, complaint)
            }
            var entries = project[keyPath: path]
            if let place = entries.firstIndex(where: { $0[keyPath: named] == name }) {
                entries[place] = entry
            } else if entries.count < TextRules.maximumElements {
                entries.append(entry)
            } else {
                return LocatedValidationIssue(
                    path: "",
                    ValidationIssue(.listFull, ["most": "\(TextRules.maximumElements)"]))
            }
            project[keyPath: path] = entries
            return nil
        }
        remove = { name, project in
            let before = project[keyPath: path].count
            project[keyPath: path].removeAll { $0[keyPath: named] == name }
            return project[keyPath: path].count < before
        }
    }

    /// The entry of that name; `nil` when there is none.
    package func entry(_ name: String, of project: Project) -> JSONObject? {
        read(project).first { $0[key]?.string == name }
    }
}

/// The operations on a list of entries and on one of them.
package typealias EntryOperations = (
    list: AdministrativeOperation, show: AdministrativeOperation, put: AdministrativeOperation,
    remove: AdministrativeOperation
)

extension ProjectList {
    package static let all = [customProviders, fingerprints, applications, systems]

    /// The operator's own identity providers.
    package static let customProviders = ProjectList(
        "registration.identity_providers", \.policy.registration.identityProviders,
        key: "id", named: \.id, schema: "CustomIdentityProvider",
        operations: (
            list: .listCustomIdentityProviders, show: .showCustomIdentityProvider,
            put: .putCustomIdentityProvider, remove: .removeCustomIdentityProvider
        ),
        "The operator's own identity providers, which apps register by.",
        fields: CustomProviderFields.rules, blank: { CustomProviderSettings() },
        complaint: CustomProviderFields.complaint)

    /// Apps on Android, and the certificates that they are signed with.
    package static let fingerprints = ProjectList(
        "registration.android.applications", \.policy.registration.android.applications,
        key: "package", named: \.name, schema: "SigningFingerprint",
        operations: (
            list: .listSigningFingerprints, show: .showSigningFingerprint,
            put: .putSigningFingerprint, remove: .removeSigningFingerprint
        ),
        "Apps on Android, with SHA-256 of what they are signed with.",
        fields: AttestedAppFields.application, blank: { AndroidAppPolicy.Application() },
        complaint: AttestedAppFields.applicationComplaint)

    package static let applications = ProjectList(
        "registration.applications", \.policy.registration.applications, key: "id",
        named: \.id, schema: "ApplicationRule",
        operations: (
            list: .listApplicationRules, show: .showApplicationRule, put: .putApplicationRule,
            remove: .removeApplicationRule
        ),
        "Manage the allowed versions of apps.", fields: VersionFields.application,
        blank: { AppVersionPolicy() }, complaint: VersionFields.applicationComplaint)

    package static let systems = ProjectList(
        "registration.systems", \.policy.registration.systems, key: "name", named: \.name,
        schema: "SystemRule",
        operations: (
            list: .listSystemRules, show: .showSystemRule, put: .putSystemRule,
            remove: .removeSystemRule
        ),
        "Manage the allowed versions of operating systems.",
        fields: VersionFields.system, blank: { SystemVersionPolicy() },
        complaint: VersionFields.systemComplaint)
}
