// SPDX-License-Identifier: Apache-2.0
import AppRegistration
package import JOSE
import OAuth
import Primitives
package import Storage

/// A further sign-in key of an installation besides its first key and PIN. The device releases it
/// after a local check such as face recognition.
package struct InstallationAuthenticator: Sendable {
    /// `biometric`, or a kind that the operator has defined.
    package let kind: String
    package let credential: Credential
    let details: SignInKeyDetails

    /// The kind that counts as a second factor. For other kinds the provider does not know the
    /// local check.
    package static let biometric = "biometric"
    /// Maximum number of authenticators of an installation.
    package static let maximumCount = 8

    /// Returns `nil` if the credential is not an authenticator.
    package init?(_ credential: Credential) {
        guard credential.kind == .signInKey, credential.installation != nil,
            let details = SignInKeyDetails(credential.details), let kind = details.authenticator
        else { return nil }
        self.kind = kind
        self.credential = credential
        self.details = details
    }

    /// Whether the text is 1 to 64 characters of `a-z`, `0-9`, `.`, `_` and `-`, of which the first
    /// is `a-z`.
    package static func isKind(_ text: String) -> Bool {
        guard (1...64).contains(text.utf8.count), let first = text.utf8.first,
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first)
        else { return false }
        return text.utf8.allSatisfy {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || "._-".utf8.contains($0)
        }
    }

    package var json: JSONValue {
        var object = JSONObject()
        object["id"] = .string(credential.id.description)
        object["kind"] = .string(kind)
        object["key_id"] = .string(details.keyID)
        object["name"] = .string(credential.label)
        object["created_at"] = .string(credential.createdAt.rfc3339)
        object["last_used_at"] = credential.lastUsedAt.map { .string($0.rfc3339) }
        return .object(object)
    }

    /// The `amr` values (RFC 8176) and the class of a sign-in with it. A biometric key counts as
    /// two factors, like a passkey with user verification, if it was added in a session with two
    /// factors. This condition is necessary because only the device asserts the local check.
    func standing() -> (methods: [String], contextClass: ContextClass) {
        let key = details.isInHardware ? "hwk" : "swk"
        guard kind == Self.biometric, details.addedByTwoFactors else { return ([key], .password) }
        return ([key, "user", "mfa"], .phishingResistant)
    }
}
