// SPDX-License-Identifier: Apache-2.0
import AuthenticationServices
import Foundation

/// `provider.py`: only a signature over a challenge.
struct SmallProvider: RegistrationProvider {
    let base: URL

    func register(
        _ device: DeviceRegistration
    ) async throws -> ASAuthorizationProviderExtensionLoginConfiguration {
        let challenge = try await challenge()
        let answer = try await post(
            "devices",
            [
                "token": device.token, "challenge": challenge.base64EncodedString(),
                "signing_key": try device.signing.point().base64EncodedString(),
                "encryption_key": try device.encryption.point().base64EncodedString(),
                "signature": try device.signing.signature(over: challenge).base64EncodedString(),
            ])
        guard let client = answer["client"] as? String, let issuer = answer["issuer"] as? String
        else { throw ProviderFailure.unreadable }
        let configuration = ASAuthorizationProviderExtensionLoginConfiguration(
            clientID: client, issuer: issuer, tokenEndpointURL: base.appending(path: "token"),
            jwksEndpointURL: base.appending(path: "keys"), audience: client)
        configuration.nonceEndpointURL = base.appending(path: "nonce")
        configuration.nonceResponseKeypath = "nonce"
        configuration.accountDisplayName = answer["display_name"] as? String
        configuration.invalidCredentialPredicate = "error = 'wrong_credential'"
        try configuration.setCustomLoginRequestBodyClaims(["via": "example"])
        return configuration
    }

    func register(_ person: PersonRegistration) async throws -> String {
        guard let key = person.key else { return person.name }
        let challenge = try await challenge()
        let answer = try await post(
            "people",
            [
                "name": person.name, "challenge": challenge.base64EncodedString(),
                "device_key": try person.device.point().base64EncodedString(),
                "device_signature": try person.device.signature(over: challenge)
                    .base64EncodedString(),
                "key": try key.point().base64EncodedString(),
                "signature": try key.signature(over: challenge).base64EncodedString(),
            ])
        return answer["login"] as? String ?? person.name
    }

    private func challenge() async throws -> Data {
        let answer = try await post("challenge", [:])
        guard let text = answer["challenge"] as? String, let data = Data(base64Encoded: text)
        else { throw ProviderFailure.unreadable }
        return data
    }

    private func post(_ path: String, _ body: [String: String]) async throws -> [String: Any] {
        try await JSONExchange.post(base.appending(path: path), body)
    }
}
