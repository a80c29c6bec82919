// SPDX-License-Identifier: Apache-2.0
import CTAP
public import Foundation
import WebAuthn

/// A request for a new passkey of this machine.
public final class ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest:
    ASAuthorizationRequest, ASAuthorizationPublicKeyCredentialRegistrationRequest
{
    /// How the request is made.
    public enum RequestStyle: Int, Sendable {
        /// The person is asked.
        case standard = 0
        /// Only if a credential manager wants to, without a question. None here does.
        case conditional = 1
    }

    /// What the server made for this ceremony.
    public var challenge: Data
    /// The name of the person.
    public var displayName: String?
    /// The name of the account.
    public var name: String
    /// The user handle, 1 to 64 bytes.
    public var userID: Data
    /// Whether the person is verified.
    public var userVerificationPreference =
        ASAuthorizationPublicKeyCredentialUserVerificationPreference.preferred
    /// Which attestation the server wants to see.
    public var attestationPreference = ASAuthorizationPublicKeyCredentialAttestationKind.none
    /// What the person has already.
    public var excludedCredentials: [ASAuthorizationPlatformPublicKeyCredentialDescriptor]? = []
    /// Whether data can be kept beside the passkey.
    public var largeBlob: ASAuthorizationPublicKeyCredentialLargeBlobRegistrationInput?
    /// Inputs from which secrets are derived.
    public var prf: ASAuthorizationPublicKeyCredentialPRFRegistrationInput?
    /// How the request is made.
    public var requestStyle: RequestStyle
    /// The relying party.
    public let relyingPartyIdentifier: String
    /// What a browser gave.
    public let clientData: ASPublicKeyCredentialClientData?

    init(
        provider: ASAuthorizationPlatformPublicKeyCredentialProvider, challenge: Data,
        clientData: ASPublicKeyCredentialClientData?, name: String, userID: Data,
        requestStyle: RequestStyle
    ) {
        self.challenge = challenge
        self.clientData = clientData
        self.name = name
        self.userID = userID
        self.requestStyle = requestStyle
        relyingPartyIdentifier = provider.relyingPartyIdentifier
        super.init(source: provider)
    }

    override var prepared: PreparedRequest? {
        // A conditional request is for credential managers, and there is none to ask.
        guard requestStyle == .standard else { return nil }
        var options = PreparedRequest.registrationOptions(
            self, algorithms: [Int64(ASCOSEAlgorithmIdentifier.ES256.rawValue)])
        // A passkey is found without its identifier.
        options.residentKey = .required
        options.excludeCredentials = (excludedCredentials ?? []).map(PreparedRequest.descriptor)
        options.extensions.largeBlob = largeBlob?.support
        options.extensions.prf = prf?.request
        return PreparedRequest(
            provider: source, authenticator: .platform,
            relyingPartyIdentifier: relyingPartyIdentifier,
            clientData: clientData, ceremony: .registration(options))
    }
}
