// SPDX-License-Identifier: Apache-2.0
import JOSE

/// What the bodies of calls may have. A member that nobody reads is most often a misspelt one, and
/// the call would do something else than was meant: sweep everybody, rotate the other key.
enum AdminBodies {
    /// These say themselves what they do not know, with more words.
    private static let ownWords: Set<String> = ["State", "ManyPeople"]

    /// By schema, of those that take no others: `additionalProperties` is false.
    private static let closed: [String: [String]] = {
        let schemas = try? JSONParser.parseObject(
            Array(AdminSchemas.all.utf8), maximumBytes: 65_536)
        var closed: [String: [String]] = [:]
        for schema in schemas?.members ?? []
        where schema.value["additionalProperties"] == false && !ownWords.contains(schema.name) {
            closed[schema.name] = schema.value["properties"]?.object?.names ?? []
        }
        return closed
    }()

    /// The member of `body` that the schema does not have, and those that it has; `nil` when there
    /// is none, or the schema takes others as well.
    static func stranger(
        in body: JSONValue, of schema: String
    ) -> (name: String, known: [String])? {
        guard let known = closed[schema],
            let name = body.object?.names.first(where: { !known.contains($0) })
        else { return nil }
        return (name, known)
    }
}
