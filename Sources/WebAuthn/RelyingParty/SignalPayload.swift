// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives

/// What a page tells the person's credential manager (section 5.1.10, "Signal Credential Changes
/// to the Authenticator"): the argument of the `PublicKeyCredential` method of the same name.
package enum SignalPayload: Sendable, Equatable {
    /// `signalUnknownCredential()`: there is no such credential, forget it. Only to be sent for an
    /// id that the very client has just used, for the answer tells whether it is known.
    case unknownCredential(relyingPartyId: String, credentialId: [UInt8])
    /// `signalAllAcceptedCredentials()`: these and no others. Only for whoever is signed in.
    case allAcceptedCredentials(relyingPartyId: String, userId: [UInt8], credentialIds: [[UInt8]])
    /// `signalCurrentUserDetails()`: what the account is called now.
    case currentUserDetails(
        relyingPartyId: String, userId: [UInt8], name: String, displayName: String)

    /// The method that takes it.
    package var method: String {
        switch self {
        case .unknownCredential: "signalUnknownCredential"
        case .allAcceptedCredentials: "signalAllAcceptedCredentials"
        case .currentUserDetails: "signalCurrentUserDetails"
        }
    }

    package var json: JSONValue {
        switch self {
        case .unknownCredential(let relyingPartyId, let credentialId):
            [
                "rpId": .string(relyingPartyId),
                "credentialId": .string(Base64URL.encode(credentialId)),
            ]
        case .allAcceptedCredentials(let relyingPartyId, let userId, let credentialIds):
            [
                "rpId": .string(relyingPartyId), "userId": .string(Base64URL.encode(userId)),
                "allAcceptedCredentialIds": .array(
                    credentialIds.map { .string(Base64URL.encode($0)) }),
            ]
        case .currentUserDetails(let relyingPartyId, let userId, let name, let displayName):
            [
                "rpId": .string(relyingPartyId), "userId": .string(Base64URL.encode(userId)),
                "name": .string(name), "displayName": .string(displayName),
            ]
        }
    }
}
