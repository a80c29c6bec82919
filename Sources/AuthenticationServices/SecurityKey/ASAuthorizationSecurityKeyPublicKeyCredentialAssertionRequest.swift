// SPDX-License-Identifier: Apache-2.0
import CTAP

/// A request to sign in with a security key.
public final class ASAuthorizationSecurityKeyPublicKeyCredentialAssertionRequest:
    ASAuthorizationRequest, ASAuthorizationPublicKeyCredentialAssertionRequest
{
    /// The server's challenge for this ceremony.
    public var challenge: Data
    /// The relying party.
    public var relyingPartyIdentifier: String
    /// Whether the key verifies the person, with a PIN or a finger.
    public var userVerificationPreference =
        ASAuthorizationPublicKeyCredentialUserVerificationPreference.preferred
    /// The credentials that may be used. Empty when the person chooses among those on the key.
    public var allowedCredentials: [ASAuthorizationSecurityKeyPublicKeyCredentialDescriptor] = []
    /// An AppID of U2F under which older credentials were registered.
    public var appID: String?
    /// Inputs from which the key derives secrets.
    public var prf: ASAuthorizationPublicKeyCredentialPRFAssertionInput?
    /// The client data of a browser.
    public let clientData: ASPublicKeyCredentialClientData?

    init(
        provider: ASAuthorizationSecurityKeyPublicKeyCredentialProvider, challenge: Data,
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
        options.extensions.appId = appID
        options.extensions.prf = prf?.request
        return PreparedRequest(
            provider: source, authenticator: .securityKey,
            relyingPartyIdentifier: relyingPartyIdentifier,
            clientData: clientData, ceremony: .assertion(options))
    }
}
