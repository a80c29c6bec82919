// SPDX-License-Identifier: Apache-2.0
import CTAP

/// A request to sign in with a passkey of this machine.
public final class ASAuthorizationPlatformPublicKeyCredentialAssertionRequest:
    ASAuthorizationRequest, ASAuthorizationPublicKeyCredentialAssertionRequest
{
    /// The server's challenge for this ceremony.
    public var challenge: Data
    /// The relying party.
    public var relyingPartyIdentifier: String
    /// Whether the person is verified.
    public var userVerificationPreference =
        ASAuthorizationPublicKeyCredentialUserVerificationPreference.preferred
    /// The passkeys that may be used. Empty when the person chooses.
    public var allowedCredentials: [ASAuthorizationPlatformPublicKeyCredentialDescriptor] = []
    /// Reads or writes the large blob of the passkey.
    public var largeBlob: ASAuthorizationPublicKeyCredentialLargeBlobAssertionInput?
    /// Inputs from which secrets are derived.
    public var prf: ASAuthorizationPublicKeyCredentialPRFAssertionInput?
    /// Whether another device is offered; none can be reached here.
    public var shouldShowHybridTransport = true
    /// The client data of a browser.
    public let clientData: ASPublicKeyCredentialClientData?

    init(
        provider: ASAuthorizationPlatformPublicKeyCredentialProvider, challenge: Data,
        clientData: ASPublicKeyCredentialClientData?
    ) {
        self.challenge = challenge
        self.clientData = clientData
        relyingPartyIdentifier = provider.relyingPartyIdentifier
        super.init(source: provider)
    }

    override var prepared: PreparedRequest? {
        var options = PreparedRequest.assertionOptions(self)
        options.allowCredentials = allowedCredentials.map(PreparedRequest.descriptor)
        options.extensions.largeBlob = largeBlob?.request
        options.extensions.prf = prf?.request
        return PreparedRequest(
            provider: source, authenticator: .platform,
            relyingPartyIdentifier: relyingPartyIdentifier,
            clientData: clientData, ceremony: .assertion(options))
    }
}
