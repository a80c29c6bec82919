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
        if key.kinds == ["object"], !key.members.isEmpty { return mapping(key.members) }
        var schema = JSONObject()
        if key.kinds.count == 1 {
            schema["type"] = .string(key.kinds[0])
        } else if !key.kinds.isEmpty {
            schema["type"] = .array(key.kinds.map(JSONValue.string))
        }
        if let range = key.range {
            schema["minimum"] = .integer(range.lowerBound)
            schema["maximum"] = .integer(range.upperBound)
        }
        describe(key, in: &schema)
        if let usual = key.usual { schema["default"] = usual }
        if !key.note.isEmpty { schema["description"] = .string("Without it: \(key.note).") }
        return schema
    }

    /// What is in a list or a mapping, and which texts there can be.
    private static func describe(_ key: StateKey, in schema: inout JSONObject) {
        let words = key.choices.map(JSONValue.string)
        if !key.members.isEmpty, key.kinds.contains("array") {
            schema["items"] = .object(mapping(key.members))
        } else if !key.members.isEmpty {
            // A word or a mapping.
            var word = JSONObject()
            word["type"] = "string"
            if !words.isEmpty { word["enum"] = .array(words) }
            schema["type"] = nil
            schema["oneOf"] = [.object(word), .object(mapping(key.members))]
        } else if key.kinds.contains("array") || key.kinds.contains("object") {
            let name = key.kinds.contains("array") ? "items" : "additionalProperties"
            if let element = element(key, words) { schema[name] = .object(element) }
        } else if !words.isEmpty {
            schema["enum"] = .array(words)
        }
    }

    private static func element(_ key: StateKey, _ words: [JSONValue]) -> JSONObject? {
        var element = JSONObject()
        if key.elements.count == 1 { element["type"] = .string(key.elements[0]) }
        if key.elements.count > 1 { element["type"] = .array(key.elements.map(JSONValue.string)) }
        if !words.isEmpty { element["enum"] = .array(words) }
        return element.members.isEmpty ? nil : element
    }

    /// A table with a row for each key: its path, its form, and the default.
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
                if !key.choices.isEmpty {
                    row["choices"] = .array(key.choices.map(JSONValue.string))
                }
                if let usual = key.usual { row["default"] = usual }
                if !key.note.isEmpty { row["without_it"] = .string(key.note) }
                return .object(row)
            })
    }

    private static func line(_ place: String, _ key: StateKey) -> String {
        let usual =
            key.isNeeded
            ? "needed" : key.note.isEmpty ? key.usual.map { "`\($0.text)`" } ?? "" : key.note
        let words = key.choices.map { "`\($0)`" }.joined(separator: ", ")
        let form = key.kinds.joined(separator: " or ") + (words.isEmpty ? "" : ": \(words)")
        return "| `\(place)` | \(form) | \(usual) |\n"
    }

    private static func rows(_ keys: [StateKey], below path: String) -> [(String, StateKey)] {
        keys.flatMap { key -> [(String, StateKey)] in
            let isList = !key.members.isEmpty && key.kinds.contains("array")
            let place = path + key.name + (isList ? "[]" : "")
            return [(place, key)] + rows(key.members, below: place + ".")
        }
    }
}
