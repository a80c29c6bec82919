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

    /// Returns a text of 1 to `maximumBytes` bytes without control characters; `nil` if it is
    /// absent.
    package func text(
        _ name: String, maximumBytes: Int = 1024
    ) throws(PlatformSSORefusal) -> String? {
        guard let value = members[name] else { return nil }
        guard let text = value.string, 1...maximumBytes ~= text.utf8.count,
            text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { throw PlatformSSORefusal(.claimMalformed, "\(name) is not short text") }
        return text
    }

    package func requiredText(
        _ name: String, maximumBytes: Int = 1024
    ) throws(PlatformSSORefusal) -> String {
        guard let text = try text(name, maximumBytes: maximumBytes) else {
            throw PlatformSSORefusal(.claimMissing, "\(name) is missing")
        }
        return text
    }

    /// Returns a secret: any non-empty string.
    package func secret(_ name: String) throws(PlatformSSORefusal) -> Secret? {
        guard let value = members[name] else { return nil }
        guard let text = value.string, 1...16_384 ~= text.utf8.count else {
            throw PlatformSSORefusal(.claimMalformed, "\(name) is not a short string")
        }
        return Secret(text)
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
        guard let value = members[name] else { return nil }
        guard let time = WireTime.read(value) else {
            throw PlatformSSORefusal(.claimMalformed, "\(name) is not a time in seconds")
        }
        return time
    }

    package func span(_ name: String) throws(PlatformSSORefusal) -> TimeSpan? {
        guard let value = members[name] else { return nil }
        guard let span = WireTime.span(value) else {
            throw PlatformSSORefusal(.claimMalformed, "\(name) is not a number of seconds")
        }
        return span
    }

    /// Returns `aud`, one string or an array of them; empty if it is absent.
    package func audience() throws(PlatformSSORefusal) -> [String] {
        guard let value = members["aud"] else { return [] }
        if let one = value.string { return [one] }
        guard let several = value.strings, 1...16 ~= several.count else {
            throw PlatformSSORefusal(.claimMalformed, "aud is neither a string nor several")
        }
        return several
    }
}
