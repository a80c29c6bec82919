// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// What happens to one thing when a state document is applied.
package struct StateChange: Sendable, Equatable {
    package enum Kind: String, Sendable {
        case project, client, person, administrator
        case issuerKey = "issuer-key"
        case entitlementSet = "entitlement-set"
        case entitlementSequence = "entitlement-sequence"
        case upstreamProvider = "identity-provider"
    }
    package enum Action: String, Sendable { case create, update, unchanged }

    /// One key that changes. Of secrets only the name is known.
    package struct Field: Sendable, Equatable {
        package var name: String
        package var from: JSONValue?
        package var to: JSONValue?

        package init(name: String, from: JSONValue? = nil, to: JSONValue? = nil) {
            self.name = name
            self.from = from
            self.to = to
        }
    }

    package var kind: Kind
    package var action: Action
    package var project: String
    /// The project's name, the `client_id`, issuer and `kid`, or the user name.
    package var name: String
    package var fields: [Field]
    /// What follows from it that the document does not say, for people.
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
    /// The keys by which two records differ.
    static func differences(
        _ fields: [RecordField], from old: Record, to new: Record
    ) -> [StateChange.Field] {
        fields.compactMap { field in
            let (before, after) = (field.read(old), field.read(new))
            guard before != after else { return nil }
            return StateChange.Field(name: field.name, from: before, to: after)
        }
    }

    /// Puts members that have been checked into a record.
    static func apply(_ members: JSONObject, to record: inout Record, fields: [RecordField]) {
        for member in members.members {
            _ = fields.first { $0.name == member.name }?.write(member.value, &record)
        }
    }

    /// Every key that has something to say.
    static func object(_ fields: [RecordField], of record: Record) -> JSONObject {
        JSONObject(
            fields.compactMap { field in
                field.read(record).map { JSONObject.Member(name: field.name, value: $0) }
            })
    }
}
