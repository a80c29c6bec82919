// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import ProviderSettings
import Storage

/// A custom claim of a client: its name, the tokens that contain it, and the source of its value.
/// One row of the table `claims` of a client.
package struct CustomClaim: Sendable, Equatable {
    /// A token or response that can contain the claim.
    enum Destination: String, Sendable, CaseIterable {
        case idToken = "id_token"
        case accessToken = "access_token"
        case userInfo = "userinfo"
    }

    package enum Source: Sendable, Equatable {
        /// The value of the first row whose group the person is a member of.
        case groups([JSONObject.Member])
        /// The attribute with this name (``Person/attributes``).
        case attribute(String)
        case constant(JSONValue)
    }

    let name: String
    let places: Set<Destination>
    package let source: Source
    /// The value if the source has none. `nil` omits the claim.
    let fallback: JSONValue?

    /// Maximum number of claims of a client.
    static let maximumCount = 50
    private static let plain = ["string", "integer", "boolean", "array"]

    /// The keys of a row.
    static let keys = [
        StateKey("claim", "string", isNeeded: true),
        StateKey(
            "in", "array", isNeeded: true, choices: Destination.allCases.map(\.rawValue),
            elements: ["string"]),
        StateKey("from_groups", "object", elements: plain, summary: "First match counts."),
        StateKey("from_attribute", "string"),
        StateKey("value", plain), StateKey("default", plain),
    ]
    private static let members = keys.map(\.name)

    /// Names of protocol claims (RFC 7519, RFC 9068, OpenID Connect Core and its logout
    /// specifications), and of claims that identify a person to relying parties. Claims of scopes
    /// are also reserved.
    private static let protocolClaims: Set<String> = [
        "iss", "sub", "aud", "exp", "nbf", "iat", "jti", "azp", "nonce", "acr", "amr", "auth_time",
        "at_hash", "c_hash", "s_hash", "sid", "client_id", "scope", "cnf", "gid", "entitlements",
        "act", "may_act", "events", "typ", "active", "token_type", "username", "sub_jwk",
        "authorization_details", "device", "account_name", IDTokenClaims.approval,
    ]

    private static func isReserved(_ name: String) -> Bool {
        protocolClaims.contains(name) || PersonClaimsWriter.scope(of: name) != nil
    }

    init(_ row: JSONValue) throws(ValidationIssue) {
        guard let object = row.object else {
            throw .wrongKind(row, wanted: .wordMapping)
        }
        for member in object.members where !Self.members.contains(member.name) {
            throw .unknownKey(member.name, among: Self.members).of(member.name)
        }
        name = try Self.name(object["claim"])
        places = try Self.places(object["in"])
        source = try Self.source(object)
        fallback = try object["default"].map { value throws(ValidationIssue) in
            try Self.checked(value, "default")
        }
    }

    private static func name(_ value: JSONValue?) throws(ValidationIssue) -> String {
        guard let name = value?.string, (1...128).contains(name.utf8.count),
            name.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw ValidationIssue(.notVisible, ["most": "128"]).of("claim") }
        guard !isReserved(name) else {
            throw ValidationIssue(.claimReserved, ["name": .text(name)]).of("claim")
        }
        return name
    }

    private static func places(_ value: JSONValue?) throws(ValidationIssue) -> Set<Destination> {
        let choices = Destination.allCases.map(\.rawValue)
        guard let words = value?.strings, !words.isEmpty else {
            throw ValidationIssue.notOneOf(choices).of("in")
        }
        var places: Set<Destination> = []
        for word in words {
            guard let place = Destination(rawValue: word) else {
                throw ValidationIssue.notOneOf(choices, for: word).quoting(word).of("in")
            }
            places.insert(place)
        }
        return places
    }

    private static func source(_ object: JSONObject) throws(ValidationIssue) -> Source {
        switch (object["from_groups"], object["from_attribute"], object["value"]) {
        case (let groups?, nil, nil):
            guard let members = groups.object?.members, !members.isEmpty, members.count <= 200
            else {
                throw ValidationIssue(.notNames, ["most": "200"]).of("from_groups")
            }
            for member in members { _ = try checked(member.value, "from_groups") }
            return .groups(members)
        case (nil, let attribute?, nil):
            guard let name = attribute.string, (1...255).contains(name.utf8.count) else {
                throw ValidationIssue.wrongKind(attribute, wanted: .wordText).of("from_attribute")
            }
            return .attribute(name)
        case (nil, nil, let value?): return .constant(try checked(value, "value"))
        default: throw ValidationIssue(.claimSource)
        }
    }

    private static func checked(
        _ value: JSONValue, _ name: String
    ) throws(ValidationIssue) -> JSONValue {
        if let complaint = ClaimValue.complaint(about: value) { throw complaint.of(name) }
        return value
    }

    /// The value for a person. `nil` omits the claim.
    func value(for person: Person) -> JSONValue? {
        switch source {
        case .constant(let value): return value
        case .groups(let rows):
            let groups = Set(person.claims.groups ?? [])
            return rows.first { groups.contains($0.name) }?.value ?? fallback
        case .attribute(let name):
            let kept = try? JSONParser.parseObject(
                Array(person.attributes.utf8), maximumBytes: 65_536)
            return kept?[name] ?? fallback
        }
    }

    /// Parses the stored table. Rows that cannot be parsed are skipped.
    package static func all(_ text: String?) -> [CustomClaim] {
        let rows = text.flatMap { try? JSONParser.parse(Array($0.utf8), maximumBytes: 262_144) }
        return (rows?.array ?? []).compactMap { try? CustomClaim($0) }
    }
}

/// Validation of the value of a custom claim or an attribute of a person: a string, a number, a
/// Boolean, or a list of strings.
package enum ClaimValue {
    private static let maximumLength = 1024

    package static func complaint(about value: JSONValue) -> ValidationIssue? {
        let isPlain =
            switch value {
            case .string, .integer, .bool: true
            case .array: value.strings != nil
            default: false
            }
        return isPlain && value.text.utf8.count <= maximumLength
            ? nil : ValidationIssue(.claimValue, ["most": "\(maximumLength)"])
    }
}
