// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// JSON Schema 2020-12 of state files and of the bodies of the Admin API.
extension StateKey {
    /// The schema of an object with these keys.
    ///
    /// - Parameter isDocument: whether the object is a part of a state file: absent keys take their
    ///   defaults, and other keys are refused. The Admin API accepts null to remove a value.
    package static func schema(of keys: [StateKey], isDocument: Bool) -> JSONObject {
        var (schema, properties) = (JSONObject(), JSONObject())
        for key in keys {
            properties[key.name] = .object(key.schema(isDocument: isDocument))
        }
        schema["type"] = "object"
        if isDocument { schema["additionalProperties"] = false }
        schema["properties"] = .object(properties)
        let needed = keys.filter(\.isNeeded).map(\.name)
        if !needed.isEmpty { schema["required"] = .array(needed.map(JSONValue.string)) }
        return schema
    }

    package func schema(isDocument: Bool) -> JSONObject {
        if kinds == ["object"], !members.isEmpty {
            return described(Self.schema(of: members, isDocument: isDocument), isDocument)
        }
        var schema = JSONObject()
        let types = kinds.isEmpty || isDocument || !isClearable ? kinds : kinds + ["null"]
        schema["type"] = Self.types(types)
        if let range {
            schema["minimum"] = .integer(range.lowerBound)
            schema["maximum"] = .integer(range.upperBound)
        }
        if let pattern { schema["pattern"] = .string(pattern) }
        if isNeeded, kinds == ["array"] { schema["minItems"] = 1 }
        if let maximumCount { schema["maxItems"] = .integer(Int64(maximumCount)) }
        addContent(to: &schema, isDocument: isDocument)
        if isDocument, let usual { schema["default"] = usual }
        return described(schema, isDocument)
    }

    private func described(_ schema: JSONObject, _ isDocument: Bool) -> JSONObject {
        let absence = isDocument && !note.isEmpty ? "Without it: \(note)." : ""
        let sentences = [summary, absence].filter { !$0.isEmpty }
        guard !sentences.isEmpty else { return schema }
        var schema = schema
        schema["description"] = .string(sentences.joined(separator: " "))
        return schema
    }

    private static func types(_ names: [String]) -> JSONValue? {
        names.count > 1 ? .array(names.map(JSONValue.string)) : names.first.map(JSONValue.string)
    }

    /// The elements of a list, the values of an object, and the accepted strings.
    private func addContent(to schema: inout JSONObject, isDocument: Bool) {
        let words = choices.map(JSONValue.string)
        if !members.isEmpty {
            let object = JSONValue.object(Self.schema(of: members, isDocument: isDocument))
            if kinds.contains("array") { return schema["items"] = object }
            // A word or an object.
            var word = JSONObject([.init(name: "type", value: "string")])
            if !words.isEmpty { word["enum"] = .array(words) }
            schema["type"] = nil
            let null: [JSONValue] = isDocument || !isClearable ? [] : [["type": "null"]]
            schema["oneOf"] = .array([.object(word), object] + null)
        } else if kinds.contains("array") || kinds.contains("object") {
            var element = JSONObject()
            element["type"] = Self.types(elements)
            if !words.isEmpty { element["enum"] = .array(words) }
            if element.isEmpty { return }
            schema[kinds.contains("array") ? "items" : "additionalProperties"] = .object(element)
        } else if !words.isEmpty {
            schema["enum"] = .array(words + (isDocument || !isClearable ? [] : [.null]))
        }
    }
}

/// Texts of settings, which are those of the console.
extension StateKey {
    /// The name of the text for a setting, such as `policy.refresh_grace`. With `.hint`, that of its
    /// explanation.
    package static func text(_ path: String) -> String { "consoleSetting.\(path)" }

    /// The key with texts as the descriptions of it and its members.
    package func described(by texts: [String: String], below path: String) -> StateKey {
        var key = self
        let text = Self.text(path + name)
        let sentences = [
            texts[text].map { "\($0)." }, isSeconds ? "In seconds." : nil, texts[text + ".hint"],
        ].compactMap(\.self)
        if !sentences.isEmpty { key.summary = sentences.joined(separator: " ") }
        key.members = members.map { $0.described(by: texts, below: "\(path)\(name).") }
        return key
    }
}
