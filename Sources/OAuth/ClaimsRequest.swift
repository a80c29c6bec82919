// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// The `claims` parameter: individually requested claims (OpenID Connect Core section 5.5).
///
/// Whether a claim is essential has no effect: section 5.5.1 forbids an error for a missing one,
/// and all available claims are returned. `acr` is not read here.
package struct ClaimsRequest: Sendable, Equatable {
    /// One claim and its requested values; `nil` for any value.
    package struct Member: Sendable, Equatable {
        package let name: String
        package let values: [JSONValue]?

        package init(_ name: String, values: [JSONValue]? = nil) {
            self.name = name
            self.values = values
        }

        /// Whether the claim matches with that value.
        package func accepts(_ value: JSONValue) -> Bool { values?.contains(value) ?? true }
    }

    package var idToken: [Member] = []
    package var userInfo: [Member] = []

    /// Longest text that is looked at, in bytes.
    package static let maximumBytes = 8192
    /// The maximum number of requested values of one claim.
    private static let maximumValues = 32

    package init() {}

    package var isEmpty: Bool { idToken.isEmpty && userInfo.isEmpty }

    /// Returns `nil` if the text is not a JSON object of the form of section 5.5. Unknown members
    /// are ignored, as it requires.
    package init?(_ text: String) {
        let object = try? JSONParser.parseObject(
            Array(text.utf8), maximumBytes: Self.maximumBytes, maximumDepth: 8)
        guard let object, let idToken = Self.members(object["id_token"]),
            let userInfo = Self.members(object["userinfo"])
        else { return nil }
        self.idToken = idToken
        self.userInfo = userInfo
    }

    private static func members(_ place: JSONValue?) -> [Member]? {
        guard let place, place != .null else { return [] }
        guard let object = place.object else { return nil }
        var members: [Member] = []
        for entry in object.members {
            guard let member = member(entry.name, entry.value) else { return nil }
            members.append(member)
        }
        return members
    }

    /// Section 5.5.1: `null`, or an object with `essential`, and `value` or `values`.
    private static func member(_ name: String, _ request: JSONValue) -> Member? {
        if request == .null { return Member(name) }
        guard let object = request.object else { return nil }
        if let essential = object["essential"], essential.bool == nil { return nil }
        switch (object["value"], object["values"]) {
        case (nil, nil): return Member(name)
        case (let value?, nil): return Member(name, values: [value])
        case (nil, let list?):
            guard let values = list.array, (1...maximumValues).contains(values.count) else {
                return nil
            }
            return Member(name, values: values)
        default: return nil
        }
    }

    /// Returns the request with only the claims that satisfy `isWanted`.
    package func filtered(_ isWanted: (String) -> Bool) -> ClaimsRequest {
        var left = ClaimsRequest()
        left.idToken = idToken.filter { isWanted($0.name) }
        left.userInfo = userInfo.filter { isWanted($0.name) }
        return left
    }

    /// The form that can be parsed again; empty for no claims.
    package var text: String {
        guard !isEmpty else { return "" }
        var writer = JSONWriter()
        writer.member("id_token", Self.json(idToken))
        writer.member("userinfo", Self.json(userInfo))
        return String(decoding: writer.finish(), as: UTF8.self)
    }

    private static func json(_ members: [Member]) -> JSONValue {
        .object(
            JSONObject(
                members.map { member in
                    JSONObject.Member(
                        name: member.name,
                        value: member.values.map { ["values": .array($0)] } ?? .null)
                }))
    }
}
