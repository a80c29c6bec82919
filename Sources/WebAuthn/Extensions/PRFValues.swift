// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives

/// One or two inputs of the pseudo-random function (`AuthenticationExtensionsPRFValues`, section
/// 10.1.4). Inputs are no secrets; outputs are, see ``PRFResults``.
package struct PRFValues: Sendable, Equatable {
    package var first: [UInt8]
    package var second: [UInt8]?

    package init(first: [UInt8], second: [UInt8]? = nil) {
        self.first = first
        self.second = second
    }

    package var json: JSONValue {
        var values = JSONObject()
        values["first"] = .string(Base64URL.encode(first))
        if let second { values["second"] = .string(Base64URL.encode(second)) }
        return .object(values)
    }
}

/// The outputs of the function: 32 bytes each, from which the relying party may derive keys. Never
/// printed.
package struct PRFResults: Sendable, Equatable {
    package let first: Secret
    package let second: Secret?

    static let bytes = 32

    init(_ json: JSONObject) throws(ExtensionOutputParseError) {
        guard let first = try Self.secret("first", json) else {
            throw ExtensionOutputParseError("prf")
        }
        self.first = first
        second = try Self.secret("second", json)
    }

    private static func secret(
        _ name: String, _ json: JSONObject
    ) throws(ExtensionOutputParseError) -> Secret? {
        guard let member = json[name], member != .null else { return nil }
        guard let bytes = member.string.flatMap({ Base64URL.decode($0) }), bytes.count == Self.bytes
        else { throw ExtensionOutputParseError("prf") }
        return Secret(bytes)
    }
}

/// An extension output that is not of the form of its specification.
struct ExtensionOutputParseError: Error, Equatable {
    let identifier: String

    init(_ identifier: String) { self.identifier = identifier }
}
