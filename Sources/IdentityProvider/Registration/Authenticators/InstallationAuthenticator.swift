// SPDX-License-Identifier: Apache-2.0
import AppRegistration
package import JOSE
import OAuth
import Primitives
package import Storage

/// A way in besides the key and PIN that an installation was registered with: another key of its
/// own, which the device lets sign when something has happened there, such as a look at a face.
package struct InstallationAuthenticator: Sendable {
    /// `biometric`, or a name of the operator's own.
    package let kind: String
    package let credential: Credential
    let details: SignInKeyDetails

    /// The kind that counts as a second factor. For all others the provider knows nothing of what
    /// has happened on the device.
    package static let biometric = "biometric"
    /// How many an installation may have.
    package static let most = 8

    /// `nil` for every credential that is none.
    package init?(_ credential: Credential) {
        guard credential.kind == .signInKey, credential.installation != nil,
            let details = SignInKeyDetails(credential.details), let kind = details.authenticator
        else { return nil }
        self.kind = kind
        self.credential = credential
        self.details = details
    }

    /// 1 to 64 of `a-z`, `0-9`, `.`, `_` and `-`, beginning with a letter.
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

    /// What a sign-in with it says of how (RFC 8176), and for how much it stands. A key that a
    /// look or a touch releases is two factors, as a passkey with user verification is; where
    /// whoever added it had shown as much, for the provider has the device's word alone.
    func standing() -> (methods: [String], contextClass: ContextClass) {
        let key = details.isInHardware ? "hwk" : "swk"
        guard kind == Self.biometric, details.addedByTwoFactors else { return ([key], .password) }
        return ([key, "user", "mfa"], .phishingResistant)
    }
}
