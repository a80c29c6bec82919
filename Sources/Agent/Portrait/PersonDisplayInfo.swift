// SPDX-License-Identifier: Apache-2.0
import JOSE
package import Primitives

/// The answers of an extension about a person apart from registration: the names of their groups,
/// and their picture (Apple `displayNames(forGroups:using:completion:)`,
/// `profilePictureForUser(using:completion:)`).
package struct PersonDisplayInfo: Sendable, Equatable {
    /// Whose names were asked for.
    package var groups: [String] = []
    /// By the identifiers of ``groups``; those that the extension does not know are missing.
    package var names: [String: String] = [:]
    package var picture: Avatar?
    package var askedAt: Timestamp

    /// As many as a provider is asked about.
    static let greatestGroups = 100
    /// In Unicode scalars.
    static let greatestName = 128
    /// How long an answer is good.
    static let lifetime = TimeSpan.days(1)

    package init(askedAt: Timestamp) { self.askedAt = askedAt }

    /// Whether it is to be asked for again, after a login that brought those groups.
    func isDue(_ groups: [String], now: Timestamp) -> Bool {
        // One from a time that is still to come was made by a clock in trouble.
        now >= askedAt + Self.lifetime || askedAt > now || groups != self.groups
    }

    /// Of what an extension answered, what was asked for and can be shown in a line.
    static func names(_ answered: [String: String], of groups: [String]) -> [String: String] {
        groups.reduce(into: [:]) { names, group in
            names[group] = answered[group].flatMap(shown)
        }
    }

    /// A name as one line; `nil` where nothing is left of it.
    static func shown(_ text: String) -> String? {
        let line = text.singleLine(atMost: greatestName)
        return line.isEmpty ? nil : line
    }
}

extension PersonDisplayInfo {
    var json: JSONValue {
        let pairs = names.sorted { $0.key < $1.key }.map {
            JSONObject.Member(name: $0.key, value: .string($0.value))
        }
        var object = JSONObject([.init(name: "asked_at", value: .integer(askedAt.milliseconds))])
        object["groups"] = .array(groups.map(JSONValue.string))
        object["names"] = .object(JSONObject(pairs))
        object["picture"] = picture.map { .string(Base64URL.encode($0.bytes)) }
        return .object(object)
    }

    /// `nil` for what is none; it is asked for again then.
    init?(_ value: JSONValue) {
        guard let time = value["asked_at"]?.integer, let groups = value["groups"]?.strings,
            let names = value["names"]?.object
        else { return nil }
        self.init(askedAt: Timestamp(milliseconds: time))
        self.groups = groups
        for member in names.members { self.names[member.name] = member.value.string }
        let bytes = value["picture"]?.string.flatMap { Base64URL.decode($0) }
        picture = bytes.flatMap { Avatar($0) }
    }
}
