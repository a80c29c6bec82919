// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives

/// The members of a message's JSON object, read one by one: a member of the wrong type is refused
/// when it is read, and an unread one is ignored.
package struct MessageClaims: Sendable {
    package let members: JSONObject

    package static let maximumBytes = 65_536

    package init(_ members: JSONObject) { self.members = members }

    /// - Throws: `malformed`, `tooLarge`.
    package init(payload: [UInt8]) throws(PlatformSSORefusal) {
        do throws(JSONError) {
            members = try JSONParser.parseObject(
                payload, maximumBytes: Self.maximumBytes, maximumDepth: 16)
        } catch {
            throw PlatformSSORefusal(
                error == .tooLarge ? .tooLarge : .malformed, "not a JSON object: \(error.code)")
        }
    }

    package var reader: JSONReader<PlatformSSORefusal> { JSONReader(members) }

    /// Returns a text of 1 to `maximumBytes` bytes without control characters; `nil` if it is
    /// absent.
    package func text(
        _ name: String, maximumBytes: Int = 1024
    ) throws(PlatformSSORefusal) -> String? {
        try reader.optional(name, .shortText(maximumBytes))
    }

    package func requiredText(
        _ name: String, maximumBytes: Int = 1024
    ) throws(PlatformSSORefusal) -> String {
        try reader.required(name, .shortText(maximumBytes))
    }

    /// Returns a secret: any non-empty string.
    package func secret(_ name: String) throws(PlatformSSORefusal) -> Secret? {
        try reader.optional(name, .shortSecret)
    }

    /// Returns `password`. An empty one was entered by the person and is treated as a wrong one, so
    /// that the device prompts again.
    ///
    /// - Throws: `claimMalformed`, `wrongCredential`.
    func password() throws(PlatformSSORefusal) -> Secret? {
        guard members["password"]?.string?.isEmpty != true else {
            throw PlatformSSORefusal(.wrongCredential, "the password is empty")
        }
        return try secret("password")
    }

    package func time(_ name: String) throws(PlatformSSORefusal) -> Timestamp? {
        try reader.optional(name, JSONForm("a time in seconds") { WireTime.read($0) })
    }

    package func span(_ name: String) throws(PlatformSSORefusal) -> TimeSpan? {
        try reader.optional(name, JSONForm("a number of seconds") { WireTime.span($0) })
    }

    /// Returns `aud`, one string or an array of them; empty if it is absent.
    package func audience() throws(PlatformSSORefusal) -> [String] {
        try reader.optional("aud", .audience(1...16)) ?? []
    }
}
