// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// The groups that a device asks about in a login request: those that its profile names, so that the
/// answer says of which the person is a member.
package enum GroupRequest {
    /// Three lists of the profile of at most 100 names each.
    package static let maximumGroups = 300

    /// The claim that asks; `nil` for no groups.
    ///
    /// - Parameter name: `groupRequestClaimName`; without it `claims.id_token.groups.values`.
    package static func member(_ groups: [String], name: String?) -> JSONObject.Member? {
        guard !groups.isEmpty else { return nil }
        let names = JSONValue.array(groups.map(JSONValue.string))
        if let name { return .init(name: name, value: names) }
        return .init(name: "claims", value: ["id_token": ["groups": ["values": names]]])
    }

    /// The groups that were asked about, each once.
    ///
    /// - Throws: `groupsMalformed`.
    package static func read(
        _ claims: JSONObject, name: String?
    ) throws(PlatformSSORefusal) -> [String] {
        guard let value = requested(claims, name) else { return [] }
        guard let names = (value["values"] ?? value).strings, names.count <= maximumGroups,
            names.allSatisfy({ 1...512 ~= $0.utf8.count })
        else { throw PlatformSSORefusal(.groupsMalformed, "the groups are no list of names") }
        var distinct: [String] = []
        var seen: Set<String> = []
        for name in names where seen.insert(name).inserted { distinct.append(name) }
        return distinct
    }

    private static func requested(_ claims: JSONObject, _ name: String?) -> JSONValue? {
        if let name { return claims[name] }
        return claims["claims"]?["id_token"]?["groups"]
    }

    /// Of the groups in an answer, those that were asked about: a device ignores the others, and
    /// takes away the membership in those that are missing.
    package static func granted(_ answered: [String], of requested: [String]) -> [String] {
        let answered = Set(answered)
        return requested.filter(answered.contains)
    }
}
