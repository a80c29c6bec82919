// SPDX-License-Identifier: Apache-2.0
import CTAP
import WebAuthn

/// A request for a new passkey of this machine.
public final class ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest:
    ASAuthorizationRequest, ASAuthorizationPublicKeyCredentialRegistrationRequest
{
    /// The style of the request.
    public enum RequestStyle: Int, Sendable {
        /// With a prompt to the person.
        case standard = 0
        /// Only with a credential manager that needs no prompt. There is none on Linux.
        case conditional = 1
    }

    /// The server's challenge for this ceremony.
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
    /// The attestation that the server requests.
    public var attestationPreference = ASAuthorizationPublicKeyCredentialAttestationKind.none
    /// The credentials that the person already has.
    public var excludedCredentials: [ASAuthorizationPlatformPublicKeyCredentialDescriptor]? = []
    /// The request for support of a large blob.
    public var largeBlob: ASAuthorizationPublicKeyCredentialLargeBlobRegistrationInput?
    /// Inputs from which secrets are derived.
    public var prf: ASAuthorizationPublicKeyCredentialPRFRegistrationInput?
    /// The style of the request.
    public var requestStyle: RequestStyle
    /// The relying party.
    public let relyingPartyIdentifier: String
    /// The client data of a browser.
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
        // A conditional request requires a credential manager, and there is none.
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
