// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// What requests for a new credential have in common.
public protocol ASAuthorizationPublicKeyCredentialRegistrationRequest: NSObjectProtocol {
    /// The relying party: a domain.
    var relyingPartyIdentifier: String { get }
    /// The user handle, 1 to 64 bytes.
    var userID: Data { get set }
    /// The name of the account.
    var name: String { get set }
    /// The name of the person.
    var displayName: String? { get set }
    /// What the server made for this ceremony.
    var challenge: Data { get set }
    /// Whether the authenticator verifies the person.
    var userVerificationPreference: ASAuthorizationPublicKeyCredentialUserVerificationPreference {
        get set
    }
    /// Which attestation the server wants to see.
    var attestationPreference: ASAuthorizationPublicKeyCredentialAttestationKind { get set }
}

/// What requests for an assertion have in common. The list of allowed credentials is typed by the
/// classes themselves.
public protocol ASAuthorizationPublicKeyCredentialAssertionRequest: NSObjectProtocol {
    /// What the server made for this ceremony.
    var challenge: Data { get set }
    /// The relying party: a domain.
    var relyingPartyIdentifier: String { get set }
    /// Whether the authenticator verifies the person.
    var userVerificationPreference: ASAuthorizationPublicKeyCredentialUserVerificationPreference {
        get set
    }
}
