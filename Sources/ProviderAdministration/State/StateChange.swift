// SPDX-License-Identifier: Apache-2.0
package import JOSE
import ProviderSettings

/// The change of one resource by a state document.
package struct StateChange: Sendable, Equatable {
    package enum Kind: String, Sendable {
        case project, client, person, administrator
        case issuerKey = "issuer-key"
        case entitlementSet = "entitlement-set"
        case entitlementSequence = "entitlement-sequence"
        case upstreamProvider = "identity-provider"
    }
    package enum Action: String, Sendable { case create, update, unchanged }

    /// A changed key. Secrets have only a name.
    package struct Field: Sendable, Equatable {
        package var name: String
        package var from: JSONValue?
        package var to: JSONValue?
    }

    package var kind: Kind
    package var action: Action
    package var project: String
    /// The name of the project, the `client_id`, issuer and `kid`, or the username.
    package var name: String
    package var fields: [Field]
    /// Messages about further consequences, for people.
    package var warnings: [String] = []

    package init(kind: Kind, action: Action, project: String, name: String, fields: [Field] = []) {
        self.kind = kind
        self.action = action
        self.project = project
        self.name = name
        self.fields = fields
    }

    package var json: JSONValue {
        var object = JSONObject()
        object["kind"] = .string(kind.rawValue)
        object["action"] = .string(action.rawValue)
        object["project"] = .string(project)
        object["name"] = .string(name)
        object["fields"] = .array(fields.map(\.json))
        if !warnings.isEmpty { object["warnings"] = .array(warnings.map(JSONValue.string)) }
        return .object(object)
    }
}

extension StateChange.Field {
    fileprivate var json: JSONValue {
        var object = JSONObject()
        object["name"] = .string(name)
        object["from"] = from
        object["to"] = to
        return .object(object)
    }
}

extension RecordField {
    /// The keys in which two records differ.
    static func differences(
        _ fields: [RecordField], from old: Record, to new: Record
    ) -> [StateChange.Field] {
        fields.compactMap { field in
            let (before, after) = (field.read(old), field.read(new))
            guard before != after else { return nil }
            return StateChange.Field(name: field.name, from: before, to: after)
        }
    }

    /// Writes validated members to a record.
    static func apply(_ members: JSONObject, to record: inout Record, fields: [RecordField]) {
        for member in members.members {
            _ = fields.first { $0.name == member.name }?.write(member.value, &record)
        }
    }
}
