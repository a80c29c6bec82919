// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives
package import Storage
import WebAuthn

/// What browsers are told so that they offer no key that is of no use any more, and show the right
/// name.
package struct CredentialSignals: Sendable {
    private let context: CeremonyContext

    package init(_ context: CeremonyContext) { self.context = context }

    private var relyingPartyID: String { context.relyingParty.id }

    /// - Parameter credentialID: base64url, as the very client has just sent it.
    package func unknown(_ credentialID: String) -> JSONValue? {
        Base64URL.decode(credentialID).map {
            SignalPayload.unknownCredential(relyingPartyId: relyingPartyID, credentialId: $0).json
        }
    }

    /// Everything that still opens the account.
    package func accepted(_ keys: [Credential], of person: Person) -> JSONValue {
        SignalPayload.allAcceptedCredentials(
            relyingPartyId: relyingPartyID, userId: person.id.bytes,
            credentialIds: keys.map(\.externalID)
        ).json
    }

    package func details(of person: Person) -> JSONValue {
        SignalPayload.currentUserDetails(
            relyingPartyId: relyingPartyID, userId: person.id.bytes, name: person.username,
            displayName: person.claims.name ?? person.username
        ).json
    }
}
