// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives
package import ProviderCore
package import Storage
import WebAuthn

/// The WebAuthn signals for browsers, so that they offer no revoked key and display the current
/// name.
package struct CredentialSignals: Sendable {
    private let context: CeremonyContext

    package init(_ context: CeremonyContext) { self.context = context }

    private var relyingPartyID: String { context.relyingParty.id }

    /// - Parameter credentialID: base64url, as the same client has just sent it.
    package func unknown(_ credentialID: String) -> JSONValue? {
        Base64URL.decode(credentialID).map {
            SignalPayload.unknownCredential(relyingPartyId: relyingPartyID, credentialId: $0).json
        }
    }

    /// The keys with which the person can sign in.
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
