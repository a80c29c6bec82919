// SPDX-License-Identifier: Apache-2.0

/// The common result of both ceremonies.
public protocol ASPublicKeyCredential: ASAuthorizationCredential {
    /// The client data, byte for byte as they were hashed (WebAuthn section 5.8.1).
    var rawClientDataJSON: Data { get }
    /// The identifier of the credential.
    var credentialID: Data { get }
}

/// A new credential.
public protocol ASAuthorizationPublicKeyCredentialRegistration: ASPublicKeyCredential {
    /// The attestation object (WebAuthn section 6.5).
    var rawAttestationObject: Data? { get }
}

/// A proof that a person has a credential.
///
/// The optional types are those of Apple's declarations; all three values are always present.
public protocol ASAuthorizationPublicKeyCredentialAssertion: ASPublicKeyCredential {
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// The authenticator data (WebAuthn section 6.1).
    var rawAuthenticatorData: Data! { get }
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// The user handle of the registration; empty if the authenticator did not store it.
    var userID: Data! { get }
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// The signature of the authenticator data and the hash of the client data.
    var signature: Data! { get }
}
