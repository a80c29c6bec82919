// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The common properties of requests for an assertion. The classes declare the type of the allowed
/// credentials.
public protocol ASAuthorizationPublicKeyCredentialAssertionRequest: NSObjectProtocol {
    /// The server's challenge for this ceremony.
    var challenge: Data { get set }
    /// The relying party: a domain.
    var relyingPartyIdentifier: String { get set }
    /// Whether the authenticator verifies the person.
    var userVerificationPreference: ASAuthorizationPublicKeyCredentialUserVerificationPreference {
        get set
    }
}
