// SPDX-License-Identifier: Apache-2.0
import JOSE
import ProviderInstallations
import ProviderSettings
import ProviderUpstream
import Storage

/// Parses entitlements and upstream providers of a project.
extension StateParser {
    /// The names of the lists in a project.
    static let lists = ["entitlement_sets", "entitlement_sequences", "identity_providers"]

    mutating func readLists(
        _ object: JSONObject, at path: String, into project: inout DesiredProject
    ) {
        project.entitlementSets = all("entitlement_sets", of: object, at: path, key: \.name) {
            $0.entry($1, at: $2, EntitlementSet.blank, EntitlementFields.set)
        }
        project.entitlementSequences = all(
            "entitlement_sequences", of: object, at: path, key: \.name
        ) {
            $0.entry($1, at: $2, EntitlementSequence.blank, EntitlementFields.sequence)
        }
        project.upstreamProviders = all(
            "identity_providers", of: object, at: path, key: \.identifier
        ) {
            $0.upstreamProvider($1, at: $2)
        }
    }

    /// Parses a named entry that must contain all keys.
    private mutating func entry<Record>(
        _ value: JSONValue, at path: String, _ blank: Record, _ fields: [RecordField<Record>]
    ) -> DesiredEntry? {
        guard let object = cursor.object(value, at: path),
            let name = name(object, "name", at: path, rule: EntitlementFields.name)
        else { return nil }
        var record = blank
        cursor.read(object, at: path, into: &record, fields: fields, others: ["name"])
        for field in fields where object[field.name] == nil {
            cursor.refuse("\(path).\(field.name)", ValidationIssue(.missing))
        }
        return DesiredEntry(name: name, members: object.without(["name"]))
    }

    mutating func upstreamProvider(
        _ value: JSONValue, at path: String
    ) -> DesiredUpstreamProvider? {
        guard let object = cursor.object(value, at: path),
            let identifier = name(object, "identifier", at: path, rule: TextRules.projectName),
            let kindName = name(
                object, "kind", at: path,
                rule: TextRules.oneOf(UpstreamProvider.Kind.allCases.map(\.rawValue))),
            let kind = UpstreamProvider.Kind(rawValue: kindName)
        else { return nil }
        var record = UpstreamProvider.blank
        record.kind = kind
        let others = [
            "identifier", "kind", "client_secret", "client_secret_file", "client_secret_env",
        ]
        cursor.read(
            object, at: path, into: &record, fields: UpstreamFields.provider, others: others)
        let secret = secret("client_secret", of: object, at: path)
        if let (key, complaint) = UpstreamFields.complaint(record) {
            cursor.refuse(path.isEmpty ? key : "\(path).\(key)", complaint)
        }
        return DesiredUpstreamProvider(
            identifier: identifier, kind: kind, members: object.without(others), secret: secret)
    }
}
