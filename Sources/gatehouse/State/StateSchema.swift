// SPDX-License-Identifier: Apache-2.0
import IdentityProvider
import JOSE

/// State files for editors, JSON Schema 2020-12, and for the documentation, a table.
enum StateSchema {
    static var document: JSONValue {
        var schema = JSONObject()
        schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
        schema["title"] = "State of Gatehouse, as gatehouse apply reads it"
        for member in mapping(StateKey.document).members { schema[member.name] = member.value }
        return .object(schema)
    }

    private static func mapping(_ keys: [StateKey]) -> JSONObject {
        var (schema, properties) = (JSONObject(), JSONObject())
        for key in keys { properties[key.name] = .object(value(key)) }
        schema["type"] = "object"
        schema["additionalProperties"] = false
        schema["properties"] = .object(properties)
        let needed = keys.filter(\.isNeeded).map(\.name)
        if !needed.isEmpty { schema["required"] = .array(needed.map(JSONValue.string)) }
        return schema
    }

    private static func value(_ key: StateKey) -> JSONObject {
        if !key.members.isEmpty, key.kinds == ["object"] { return mapping(key.members) }
        var schema = JSONObject()
        if key.kinds.count == 1 {
            schema["type"] = .string(key.kinds[0])
        } else if !key.kinds.isEmpty {
            schema["type"] = .array(key.kinds.map(JSONValue.string))
        }
        if !key.members.isEmpty { schema["items"] = .object(mapping(key.members)) }
        if let usual = key.usual { schema["default"] = usual }
        return schema
    }

    /// A row for each key: where it stands, what it is, what holds without it.
    static var table: String {
        """
        # Keys of state files

        Drawn by `gatehouse state keys` from the tables that read them. [state.example.yaml](state.example.yaml) is a
        file that uses them, [state.schema.json](state.schema.json) the schema for editors. A list has `[]` behind its name.

        | key | form | without it |
        |---|---|---|

        """ + rows(StateKey.document, below: "").map(line).joined()
    }

    /// The same for programs.
    static var list: JSONValue {
        .array(
            rows(StateKey.document, below: "").map { place, key in
                var row = JSONObject()
                row["key"] = .string(place)
                row["form"] = .array(key.kinds.map(JSONValue.string))
                row["needed"] = .bool(key.isNeeded)
                if let usual = key.usual { row["default"] = usual }
                return .object(row)
            })
    }

    private static func line(_ place: String, _ key: StateKey) -> String {
        let usual = key.isNeeded ? "needed" : key.usual.map { "`\($0.text)`" } ?? ""
        return "| `\(place)` | \(key.kinds.joined(separator: " or ")) | \(usual) |\n"
    }

    private static func rows(_ keys: [StateKey], below path: String) -> [(String, StateKey)] {
        keys.flatMap { key -> [(String, StateKey)] in
            let isList = !key.members.isEmpty && key.kinds != ["object"]
            let place = path + key.name + (isList ? "[]" : "")
            return [(place, key)] + rows(key.members, below: place + ".")
        }
    }
}
