// SPDX-License-Identifier: Apache-2.0
import CTAP
import WebAuthn

/// A request for a new credential on a security key.
public final class ASAuthorizationSecurityKeyPublicKeyCredentialRegistrationRequest:
    ASAuthorizationRequest, ASAuthorizationPublicKeyCredentialRegistrationRequest
{
    /// The server's challenge for this ceremony.
    public var challenge: Data
    /// The name of the person.
    public var displayName: String?
    /// The name of the account.
    public var name: String
    /// The user handle, 1 to 64 bytes.
    public var userID: Data
    /// Whether the key verifies the person, with a PIN or a finger.
    public var userVerificationPreference =
        ASAuthorizationPublicKeyCredentialUserVerificationPreference.preferred
    /// The attestation that the server requests.
    public var attestationPreference = ASAuthorizationPublicKeyCredentialAttestationKind.none
    /// The kinds of credentials that the server accepts, best first. Without any the request
    /// fails.
    public var credentialParameters: [ASAuthorizationPublicKeyCredentialParameters] = []
    /// The credentials that the person already has: a key with one of these is not registered
    /// again.
    public var excludedCredentials: [ASAuthorizationSecurityKeyPublicKeyCredentialDescriptor] = []
    /// Whether the credential is to be found without its identifier.
    public var residentKeyPreference =
        ASAuthorizationPublicKeyCredentialResidentKeyPreference.discouraged
    /// The relying party.
    public let relyingPartyIdentifier: String
    /// The client data of a browser.
    public let clientData: ASPublicKeyCredentialClientData?

    init(
        provider: ASAuthorizationSecurityKeyPublicKeyCredentialProvider, challenge: Data,
        clientData: ASPublicKeyCredentialClientData?, displayName: String, name: String,
        userID: Data
    ) {
        self.challenge = challenge
        self.clientData = clientData
        self.displayName = displayName
        self.name = name
        self.userID = userID
        relyingPartyIdentifier = provider.relyingPartyIdentifier
        super.init(source: provider)
    }

    override var prepared: PreparedRequest? {
        var options = PreparedRequest.registrationOptions(
            self, algorithms: credentialParameters.map { Int64($0.algorithm.rawValue) })
        options.residentKey = .init(rawValue: residentKeyPreference.rawValue) ?? .discouraged
        options.excludeCredentials = excludedCredentials.map(PreparedRequest.descriptor)
        return PreparedRequest(
            provider: source, authenticator: .securityKey,
            relyingPartyIdentifier: relyingPartyIdentifier,
            clientData: clientData, ceremony: .registration(options))
    }
}
