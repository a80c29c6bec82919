// SPDX-License-Identifier: Apache-2.0
import CTAP
import CommandLineSupport
import Primitives

/// How a person names a credential on a key: its identifier in base64url, or a beginning of it
/// that no other one has. Hyphens in front may be left out, for they would begin an option.
enum CredentialReference {
    static func find(
        _ text: String, in credentials: [DiscoverableCredential]
    ) throws(SecurityKeyError) -> DiscoverableCredential {
        // Every id begins with nothing: a variable that is empty must not name the only passkey.
        guard !text.isEmpty else { throw .unknownCredential }
        let found = credentials.filter {
            let whole = Base64URL.encode($0.id)
            return whole.hasPrefix(text) || whole.drop { $0 == "-" }.hasPrefix(text)
        }
        let exact = found.first { Base64URL.encode($0.id) == text }
        guard let credential = exact ?? found.first else { throw .unknownCredential }
        guard exact != nil || found.count == 1 else { throw .ambiguousCredential }
        return credential
    }
}

extension DiscoverableCredential {
    /// The abbreviation of the credential in a table: 12 characters of the Base64url alphabet.
    var shortName: String { String(Base64URL.encode(id).drop { $0 == "-" }.prefix(12)) }

    var account: String {
        (user.name ?? user.displayName ?? Base64URL.encode(user.id)).withoutControls
    }

    /// As the end of "This destroys …".
    var asLoss: String {
        "the credential of \(account) at \(relyingParty.withoutControls)"
    }
}
