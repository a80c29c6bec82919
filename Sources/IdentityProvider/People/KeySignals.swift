// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives
package import Storage
import WebAuthn

/// What browsers are told so that they offer no key that is of no use any more, and show the right
/// name: the arguments of WebAuthn Level 3 sections 5.1.10.2 to 5.1.10.4.
package struct KeySignals: Sendable {
    private let context: CeremonyContext

    package init(_ context: CeremonyContext) { self.context = context }

    private var relyingPartyID: JSONValue { .string(context.relyingParty.id) }

    /// `signalUnknownCredential`.
    package func unknown(_ credentialID: String) -> JSONValue {
        ["rpId": relyingPartyID, "credentialId": .string(credentialID)]
    }

    /// `signalAllAcceptedCredentials`: everything that still opens the account.
    package func accepted(_ keys: [Credential], of person: Person) -> JSONValue {
        [
            "rpId": relyingPartyID, "userId": .string(Base64URL.encode(person.id.bytes)),
            "allAcceptedCredentialIds": .array(
                keys.map { .string(Base64URL.encode($0.externalID)) }),
        ]
    }

    /// `signalCurrentUserDetails`.
    package func details(of person: Person) -> JSONValue {
        [
            "rpId": relyingPartyID, "userId": .string(Base64URL.encode(person.id.bytes)),
            "name": .string(person.username),
            "displayName": .string(person.claims.name ?? person.username),
        ]
    }
}
