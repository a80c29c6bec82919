// SPDX-License-Identifier: Apache-2.0
import CTAP
import WebAuthn

/// A copy of a request at the time of its start. The app may then change or reuse its object.
struct PreparedRequest: Sendable {
    enum Authenticator: Sendable {
        case securityKey
        case platform
    }

    enum Ceremony: Sendable {
        case registration(RegistrationOptions)
        case assertion(AssertionOptions)
    }

    let provider: any ASAuthorizationProvider & Sendable
    let authenticator: Authenticator
    let relyingPartyIdentifier: String
    let clientData: ASPublicKeyCredentialClientData?
    let ceremony: Ceremony

    /// Returns the common options of both kinds of registration requests.
    static func registrationOptions(
        _ request: some ASAuthorizationPublicKeyCredentialRegistrationRequest, algorithms: [Int64]
    ) -> RegistrationOptions {
        let user = CTAPUser(
            id: Array(request.userID), name: request.name, displayName: request.displayName)
        var options = RegistrationOptions(
            relyingPartyId: request.relyingPartyIdentifier,
            relyingPartyName: request.relyingPartyIdentifier, user: user,
            challenge: Array(request.challenge), algorithms: algorithms)
        options.userVerification =
            .init(rawValue: request.userVerificationPreference.rawValue) ?? .preferred
        options.attestation = .init(rawValue: request.attestationPreference.rawValue) ?? .none
        return options
    }

    /// Returns the common options of both kinds of assertion requests.
    static func assertionOptions(
        _ request: some ASAuthorizationPublicKeyCredentialAssertionRequest
    ) -> AssertionOptions {
        var options = AssertionOptions(
            relyingPartyId: request.relyingPartyIdentifier, challenge: Array(request.challenge))
        options.userVerification =
            .init(rawValue: request.userVerificationPreference.rawValue) ?? .preferred
        return options
    }

    static func descriptor(
        _ descriptor: ASAuthorizationSecurityKeyPublicKeyCredentialDescriptor
    ) -> CTAPCredentialDescriptor {
        CTAPCredentialDescriptor(
            id: Array(descriptor.credentialID), transports: descriptor.transports.map(\.rawValue))
    }

    static func descriptor(
        _ descriptor: ASAuthorizationPlatformPublicKeyCredentialDescriptor
    ) -> CTAPCredentialDescriptor {
        CTAPCredentialDescriptor(id: Array(descriptor.credentialID))
    }

    /// Whether the request can be made at all; the rules are WebAuthn's (section 5.1.3 and
    /// 5.4.3).
    func check() throws(ASAuthorizationError) {
        guard DomainName.isValid(relyingPartyIdentifier) else {
            throw ASAuthorizationError(
                .failed, "The relying party identifier is not a domain name in lower case.")
        }
        switch ceremony {
        case .registration(let options):
            try check(challenge: options.challenge)
            guard 1...64 ~= options.user.id.count else {
                throw ASAuthorizationError(.failed, "The user ID must have 1 to 64 bytes.")
            }
            guard !options.algorithms.isEmpty else {
                throw ASAuthorizationError(
                    .failed, "The request names no credential parameters that it accepts.")
            }
        case .assertion(let options): try check(challenge: options.challenge)
        }
    }

    private func check(challenge: [UInt8]) throws(ASAuthorizationError) {
        guard !challenge.isEmpty else {
            throw ASAuthorizationError(.failed, "The challenge is empty.")
        }
    }

    /// The browser's client data as bytes; `nil` if the request is not a browser's.
    var browserClientDataJSON: [UInt8]? {
        guard let clientData else { return nil }
        let type: CollectedClientData.CeremonyType =
            if case .registration = ceremony { .create } else { .get }
        return CollectedClientData.json(
            type, challenge: Array(clientData.challenge), origin: clientData.origin,
            crossOrigin: clientData.crossOrigin == .crossOrigin, topOrigin: clientData.topOrigin)
    }
}
