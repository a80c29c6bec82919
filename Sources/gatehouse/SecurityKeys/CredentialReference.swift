// SPDX-License-Identifier: Apache-2.0
import CTAP
import Primitives

/// How a person names a credential on a key: its identifier in base64url, or a beginning of it
/// that no other one has. Hyphens in front may be left out, for they would begin an option.
enum CredentialReference {
    static func find(
        _ text: String, in credentials: [DiscoverableCredential]
    ) throws(SecurityKeyError) -> DiscoverableCredential {
        let found = credentials.filter {
            let whole = Base64URL.encode($0.id)
            return whole.hasPrefix(text) || whole.drop { $0 == "-" }.hasPrefix(text)
        }
        guard let credential = found.first,
            found.count == 1 || text == Base64URL.encode(credential.id)
        else { throw .noCredential }
        return credential
    }
}

extension DiscoverableCredential {
    /// What stands for the credential in a table: 12 letters of 64 different ones.
    var shortName: String { String(Base64URL.encode(id).drop { $0 == "-" }.prefix(12)) }

    var account: String {
        (user.name ?? user.displayName ?? Base64URL.encode(user.id)).withoutControls
    }

    /// As the end of "This destroys …".
    var asLoss: String {
        "the credential of \(account) at \(relyingParty.withoutControls)"
    }
}
