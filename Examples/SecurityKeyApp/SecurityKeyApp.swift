// SPDX-License-Identifier: Apache-2.0
import AuthenticationServices
import Foundation

/// Registers an account with a security key at a provider, or signs in with it.
@main struct SecurityKeyApp {
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        do {
            switch (arguments.dropFirst().first, arguments.first, arguments.dropFirst(2).first) {
            case ("register", let issuer?, let name?): try await register(issuer, name)
            case ("sign-in", let issuer?, nil): try await signIn(issuer)
            default:
                print(
                    "usage: SecurityKeyApp ISSUER register NAME\n       SecurityKeyApp ISSUER sign-in"
                )
                exit(2)
            }
        } catch {
            print("Not done: \(error.localizedDescription)")
            exit(1)
        }
    }

    @MainActor private static func register(_ issuer: String, _ name: String) async throws {
        let conversation = ProviderConversation(issuer: issuer)
        let options = try await conversation.options(
            "registration",
            ["username": name, "name": "Anne Johnson", "email": "\(name)@example.com"])
        let model = SecurityKeyModel(relyingParty: options.text("rp", "id"))
        let challenge = try options.bytes("challenge")
        let userID = try options.bytes("user", "id")
        let authorization = try await withCheckedThrowingContinuation { waiter in
            model.register(
                challenge: challenge, displayName: options.text("user", "displayName"),
                name: options.text("user", "name"), userID: userID
            ) { waiter.resume(with: $0) }
        }
        guard
            let credential = authorization.credential
                as? ASAuthorizationSecurityKeyPublicKeyCredentialRegistration
        else { return }
        try await conversation.verify(
            "registration", options, id: credential.credentialID,
            [
                "clientDataJSON": credential.rawClientDataJSON.base64URL,
                "attestationObject": (credential.rawAttestationObject ?? Data()).base64URL,
                "transports": credential.transports.map(\.rawValue),
            ])
        print("Registered as \(name).")
    }

    @MainActor private static func signIn(_ issuer: String) async throws {
        let conversation = ProviderConversation(issuer: issuer)
        let options = try await conversation.options("sign-in", [:])
        let model = SecurityKeyModel(relyingParty: options.text("rpId"))
        let challenge = try options.bytes("challenge")
        let authorization = try await withCheckedThrowingContinuation { waiter in
            model.signIn(challenge: challenge) { waiter.resume(with: $0) }
        }
        guard
            let credential = authorization.credential
                as? ASAuthorizationSecurityKeyPublicKeyCredentialAssertion
        else { return }
        try await conversation.verify(
            "sign-in", options, id: credential.credentialID,
            [
                "clientDataJSON": credential.rawClientDataJSON.base64URL,
                "authenticatorData": credential.rawAuthenticatorData.base64URL,
                "signature": credential.signature.base64URL,
                "userHandle": credential.userID.base64URL,
            ])
        print("Signed in.")
    }
}
