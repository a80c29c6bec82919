// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives

/// A signal of a page to the person's credential manager (section 5.1.10, "Signal Credential
/// Changes to the Authenticator"): the argument of the `PublicKeyCredential` method of the same
/// name.
package enum SignalPayload: Sendable, Equatable {
    /// `signalUnknownCredential()`: the credential does not exist and can be removed. It may be
    /// sent only for an id that the same client has just used, because it reveals whether an id
    /// exists.
    case unknownCredential(relyingPartyId: String, credentialId: [UInt8])
    /// `signalAllAcceptedCredentials()`: the complete list of credentials. It may be sent only to
    /// the signed-in person.
    case allAcceptedCredentials(relyingPartyId: String, userId: [UInt8], credentialIds: [[UInt8]])
    /// `signalCurrentUserDetails()`: what the account is called now.
    case currentUserDetails(
        relyingPartyId: String, userId: [UInt8], name: String, displayName: String)

    /// The method that has this argument.
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
