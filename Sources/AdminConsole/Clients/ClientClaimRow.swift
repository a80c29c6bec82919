// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import JOSE

/// One claim as the fields of a row.
struct ClientClaimRow: Equatable {
    enum Source: String, CaseIterable {
        case groups = "from_groups"
        case attribute = "from_attribute"
        case constant = "value"
    }

    static let empty = ClientClaimRow(["in": ["id_token"], "from_groups": [:]])
    private static let places = ["id_token", "access_token", "userinfo"]

    var claim: String
    var places: Set<String>
    var source: Source
    /// Lines of `group = value`, the name of an attribute, or a value.
    var text: String
    /// The value if the source has none.
    var fallback: String

    var isEmpty: Bool { claim.isEmpty && text.isEmpty && fallback.isEmpty }

    init(_ row: JSONValue) {
        claim = row["claim"]?.string ?? ""
        places = Set(row["in"]?.strings ?? [])
        fallback = row["default"].map(ClaimValueText.text) ?? ""
        if let groups = row[Source.groups.rawValue]?.object {
            source = .groups
            text = groups.members.map(ClaimValueText.line).joined(separator: "\n")
        } else if let name = row[Source.attribute.rawValue]?.string {
            (source, text) = (.attribute, name)
        } else {
            source = .constant
            text = row[Source.constant.rawValue].map(ClaimValueText.text) ?? ""
        }
    }

    init(_ form: FormParameters, _ place: String) {
        func field(_ name: String) -> String { (form["\(place).\(name)"] ?? "").trimmed() }
        claim = field("claim")
        places = Set(Self.places.filter { field("in.\($0)") == "1" })
        source = Source(rawValue: field("source")) ?? .constant
        text = field("value")
        fallback = field("default")
    }

    /// As the Admin API takes it. An empty field is left out, and the Admin API says that it is missing.
    var value: JSONValue {
        var row = JSONObject()
        row["claim"] = .string(claim)
        row["in"] = .array(Self.places.filter(places.contains).map(JSONValue.string))
        if !text.isEmpty { row[source.rawValue] = sourceValue }
        if !fallback.isEmpty { row["default"] = ClaimValueText.value(fallback) }
        return .object(row)
    }

    private var sourceValue: JSONValue {
        switch source {
        case .groups: .object(JSONObject(ConsoleField.lines(text).map(ClaimValueText.member)))
        case .attribute: .string(text)
        case .constant: ClaimValueText.value(text)
        }
    }

    func values(at index: Int) -> [String: Any] {
        [
            "index": index, "number": index + 1, "claim": claim, "text": text,
            "fallback": fallback, "inIDToken": places.contains("id_token"),
            "inAccessToken": places.contains("access_token"),
            "inUserInfo": places.contains("userinfo"), "isGroups": source == .groups,
            "isAttribute": source == .attribute, "isConstant": source == .constant,
        ]
    }
}
