// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
package import ProviderCore
import Storage

/// A response that an upstream provider posts (OAuth 2.0 Form Post Response Mode 1.0).
///
/// A form that another site posts has no cookies of this provider, and the cookies contain the
/// transaction. Therefore the browser is redirected to the callback URL for responses in the query,
/// with the sealed response: the code is in no history and no log.
package struct UpstreamResponse: Sendable {
    /// The parameters of a response that are used.
    package static let names = ["code", "state", "error", "iss"]
    private static let maximumLength = 4096
    private static let lifetime = TimeSpan.minutes(1)

    package let values: [String: String]

    /// - Parameter values: the posted values. Returns `nil` if they are too long.
    package init?(posted values: [String: String]) {
        self.values = values.filter { Self.names.contains($0.key) }
        guard self.values.reduce(0, { $0 + $1.value.utf8.count }) <= Self.maximumLength else {
            return nil
        }
    }

    /// Opens a response of ``sealed(at:in:)`` for the same provider, within one minute.
    package init?(sealed text: String, at name: String, in context: CeremonyContext) {
        guard text.utf8.count <= 4 * Self.maximumLength, let bytes = Base64URL.decode(text),
            let opened = try? context.provider.secrets.open(
                bytes, context: Self.context(name, context.project)),
            let object = try? JSONParser.parseObject(
                opened.reveal(), maximumBytes: 4 * Self.maximumLength),
            let end = object["until"]?.integer,
            context.now < Timestamp(milliseconds: end)
        else { return nil }
        values = Dictionary(
            uniqueKeysWithValues: Self.names.compactMap { name in
                object[name]?.string.map { (name, $0) }
            })
    }

    /// The value for the URL.
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
