// SPDX-License-Identifier: Apache-2.0
import JOSE
import ProviderAdministration
import ProviderSettings
import WebPages

/// State files for editors, JSON Schema 2020-12, and for the documentation, a table.
enum StateSchema {
    static var document: JSONValue {
        var schema = JSONObject()
        schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
        schema["title"] = "State of Gatehouse, as gatehouse apply reads it"
        for member in StateKey.schema(of: keys, isDocument: true).members {
            schema[member.name] = member.value
        }
        return .object(schema)
    }

    /// The keys, with the English texts of the console as descriptions.
    private static var keys: [StateKey] {
        let texts = (try? WebResources())?.translations.languages[Translations.fallback]?.texts
        return StateKey.document(describedBy: texts ?? [:])
    }

    /// A table with a row for each key: its path, its form, the default, and its meaning.
    static var table: String {
        """
        # Keys of state files

        Drawn by `gatehouse state keys` from the tables that read them. [state.example.yaml](state.example.yaml) is a
        file that uses them, [state.schema.json](state.schema.json) the schema for editors. A list has `[]` behind its name.

        | key | form | without it | meaning |
        |---|---|---|---|

        """ + rows(keys, below: "").map(line).joined()
    }

    /// The same for programs.
    static var list: JSONValue {
        .array(
            rows(keys, below: "").map { place, key in
                var row = JSONObject()
                row["key"] = .string(place)
                row["form"] = .array(key.kinds.map(JSONValue.string))
                row["needed"] = .bool(key.isNeeded)
                if !key.choices.isEmpty {
                    row["choices"] = .array(key.choices.map(JSONValue.string))
                }
                if let usual = key.usual { row["default"] = usual }
                if !key.note.isEmpty { row["without_it"] = .string(key.note) }
                if !key.summary.isEmpty { row["meaning"] = .string(key.summary) }
                return .object(row)
            })
    }

    private static func line(_ place: String, _ key: StateKey) -> String {
        let usual =
            key.isNeeded
            ? "needed" : key.note.isEmpty ? key.usual.map { "`\($0.text)`" } ?? "" : key.note
        let words = key.choices.map { "`\($0)`" }.joined(separator: ", ")
        let form = key.kinds.joined(separator: " or ") + (words.isEmpty ? "" : ": \(words)")
        let meaning = key.summary.replacing("|", with: "\\|").replacing("<", with: "&lt;")
        return "| `\(place)` | \(form) | \(usual) | \(meaning) |\n"
    }

    private static func rows(_ keys: [StateKey], below path: String) -> [(String, StateKey)] {
        keys.flatMap { key -> [(String, StateKey)] in
            let isList = !key.members.isEmpty && key.kinds.contains("array")
            let place = path + key.name + (isList ? "[]" : "")
            return [(place, key)] + rows(key.members, below: place + ".")
        }
    }
}
