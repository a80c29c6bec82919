// SPDX-License-Identifier: Apache-2.0
import JOSE

/// Finds unknown members in the bodies of calls. An unknown member is usually misspelt, and a call
/// that ignores it would do something other than intended.
enum AdminBodies {
    /// Schemas whose endpoints report unknown members themselves, with more detail.
    private static let ownWords: Set<String> = ["State", "ManyPeople"]

    /// The member names of each schema whose `additionalProperties` is `false`.
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
