// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// The groups whose membership a device requests in a login request: those of its profile.
package enum GroupRequest {
    /// The profile has three lists of at most 100 names each.
    package static let maximumGroups = 300

    /// Returns the claim with the request; `nil` for no groups.
    ///
    /// - Parameter name: `groupRequestClaimName`; without it `claims.id_token.groups.values`.
    package static func member(_ groups: [String], name: String?) -> JSONObject.Member? {
        guard !groups.isEmpty else { return nil }
        let names = JSONValue.array(groups.map(JSONValue.string))
        if let name { return .init(name: name, value: names) }
        return .init(name: "claims", value: ["id_token": ["groups": ["values": names]]])
    }

    /// Returns the requested groups without duplicates.
    ///
    /// - Throws: `groupsMalformed`.
    package static func read(
        _ claims: JSONObject, name: String?
    ) throws(PlatformSSORefusal) -> [String] {
        guard let value = requested(claims, name) else { return [] }
        guard let names = (value["values"] ?? value).strings, names.count <= maximumGroups,
            names.allSatisfy({ 1...512 ~= $0.utf8.count })
        else { throw PlatformSSORefusal(.groupsMalformed, "the groups are not a list of names") }
        var distinct: [String] = []
        var seen: Set<String> = []
        for name in names where seen.insert(name).inserted { distinct.append(name) }
        return distinct
    }

    private static func requested(_ claims: JSONObject, _ name: String?) -> JSONValue? {
        if let name { return claims[name] }
        return claims["claims"]?["id_token"]?["groups"]
    }

    /// Returns the groups of a response that were requested. A device ignores the others, and
    /// removes the membership in missing ones.
    package static func granted(_ answered: [String], of requested: [String]) -> [String] {
        let answered = Set(answered)
        return requested.filter(answered.contains)
    }
}
