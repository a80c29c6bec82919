// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The common properties of requests for a new credential.
public protocol ASAuthorizationPublicKeyCredentialRegistrationRequest: NSObjectProtocol {
    /// The relying party: a domain.
    var relyingPartyIdentifier: String { get }
    /// The user handle, 1 to 64 bytes.
    var userID: Data { get set }
    /// The name of the account.
    var name: String { get set }
    /// The name of the person.
    var displayName: String? { get set }
    /// The server's challenge for this ceremony.
    var challenge: Data { get set }
    /// Whether the authenticator verifies the person.
    var userVerificationPreference: ASAuthorizationPublicKeyCredentialUserVerificationPreference {
        get set
    }
    /// The attestation that the server requests.
    var attestationPreference: ASAuthorizationPublicKeyCredentialAttestationKind { get set }
}
