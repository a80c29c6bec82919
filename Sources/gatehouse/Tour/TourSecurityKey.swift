// SPDX-License-Identifier: Apache-2.0
import CTAP
import GatehouseClient
import Primitives
import WebAuthn

/// A software security key in this process, whose user touches it and knows its PIN.
struct TourSecurityKey: PasskeyAuthenticator {
    private let origin: String
    private let client: SecurityKeyClient

    /// - Parameter origin: The origin of the provider, which the signatures of the key contain.
    init(origin: String, screen: TourScreen) throws {
        self.origin = origin
        let key = try SoftwareAuthenticator(
            store: MemoryAuthenticatorStore(), configuration: AuthenticatorConfiguration(),
            gesture: AutomaticGesture(.approved), clock: SystemWallClock(),
            random: SystemRandomSource())
        client = SecurityKeyClient(
            source: SingleAuthenticator(device: AuthenticatorInProcess(key, name: "The key")),
            interaction: TourHand(screen: screen), random: SystemRandomSource())
    }

    var isAvailable: Bool { true }

    func makePasskey(_ request: PasskeyCreationOptions) async throws -> NewPasskey {
        var options = RegistrationOptions(
            relyingPartyId: request.relyingParty, relyingPartyName: request.relyingParty,
            user: CTAPUser(
                id: request.userID, name: request.username, displayName: request.displayName),
            challenge: request.challenge, algorithms: [-7])
        options.residentKey = .required
        options.userVerification = .required
        let made = try await client.register(options, caller: .web(origin: origin))
        return NewPasskey(
            credentialID: made.credentialId, clientDataJSON: made.clientDataJSON,
            attestationObject: made.attestationObject, transports: made.transports)
    }

    func signature(for request: PasskeyAssertionOptions) async throws -> PasskeySignature {
        var options = AssertionOptions(
            relyingPartyId: request.relyingParty, challenge: request.challenge)
        options.allowCredentials = request.allowed.map { CTAPCredentialDescriptor(id: $0) }
        options.userVerification = .required
        let signed = try await client.signIn(options, caller: .web(origin: origin))
        return PasskeySignature(
            credentialID: signed.credentialId, clientDataJSON: signed.clientDataJSON,
            authenticatorData: signed.authenticatorData, signature: signed.signature,
            userID: signed.userHandle ?? [])
    }
}

/// Does what the key asks for, and says so.
private struct TourHand: SecurityKeyInteraction {
    let screen: TourScreen

    private static let pin = "2580"

    func show(_ prompt: SecurityKeyPrompt) async {}

    func enterPIN(_ request: PINPrompt) async -> String? {
        screen.say("Anna types the key's PIN, which goes to the key and nowhere else.")
        return Self.pin
    }

    func choosePIN(_ request: NewPINPrompt) async -> String? {
        screen.say("The key is new: Anna gives it a PIN of its own, and touches it.")
        return Self.pin
    }

    func chooseAccount(_ accounts: [SecurityKeyAccount]) async -> SecurityKeyAccount? {
        accounts.first
    }

    func finished() async {}
}
