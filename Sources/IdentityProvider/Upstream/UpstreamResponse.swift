// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import Storage

/// An answer that an upstream provider has had posted (OAuth 2.0 Form Post Response Mode 1.0).
///
/// A form that another site posts brings none of our cookies along, and the attempt belongs to who
/// has them. So the browser is sent once more, to the address where answers in the query arrive,
/// with the posted one sealed: the code stands in no history and in no log.
package struct UpstreamResponse: Sendable {
    /// What counts of an answer.
    package static let names = ["code", "state", "error", "iss"]
    private static let longest = 4096
    private static let lifetime = TimeSpan.minutes(1)

    package let values: [String: String]

    /// - Parameter values: as they were posted; `nil` when they are too long to be an answer.
    package init?(posted values: [String: String]) {
        self.values = values.filter { Self.names.contains($0.key) }
        guard self.values.reduce(0, { $0 + $1.value.utf8.count }) <= Self.longest else {
            return nil
        }
    }

    /// Opens what ``sealed(in:at:)`` has made, for the same provider, within the minute.
    package init?(sealed text: String, at name: String, in context: CeremonyContext) {
        guard text.utf8.count <= 4 * Self.longest, let bytes = Base64URL.decode(text),
            let opened = try? context.provider.secrets.open(
                bytes, context: Self.context(name, context.project)),
            let object = try? JSONParser.parseObject(
                opened.reveal(), maximumBytes: 4 * Self.longest),
            let end = object["until"]?.integer,
            context.now < Timestamp(milliseconds: end)
        else { return nil }
        values = Dictionary(
            uniqueKeysWithValues: Self.names.compactMap { name in
                object[name]?.string.map { (name, $0) }
            })
    }

    /// For the address.
    package func sealed(at name: String, in context: CeremonyContext) throws -> String {
        var object = JSONObject()
        for name in Self.names { object[name] = values[name].map(JSONValue.string) }
        object["until"] = .integer((context.now + Self.lifetime).milliseconds)
        return Base64URL.encode(
            try context.provider.secrets.seal(
                Secret(object.json.bytes), context: Self.context(name, context.project)))
    }

    private static func context(_ name: String, _ project: Identifier<Project>) -> String {
        "upstream-answer/\(project)/\(name)"
    }
}
