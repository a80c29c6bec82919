// SPDX-License-Identifier: Apache-2.0
import AuthenticationServices
import Foundation

#if canImport(CryptoKit)
    import CryptoKit
#else
    import Crypto
#endif

/// Gatehouse: `docs/platform-sso-provider.md`, "Registration, on the wire".
struct GatehouseProvider: RegistrationProvider {
    let issuer: String

    func register(
        _ device: DeviceRegistration
    ) async throws -> ASAuthorizationProviderExtensionLoginConfiguration {
        let places = try await places()
        let place = try places.url("device_registration")
        let nonce = try await nonce(at: places)
        let (signing, encryption) = (try device.signing.digest(), try device.encryption.digest())
        let proof = try token(
            "gatehouse-device-registration+jwt", for: place, by: device.signing,
            [
                "nonce": nonce, "signing_key": signing.base64EncodedString(),
                "encryption_key": encryption.base64EncodedString(),
            ])
        let answer = try await JSONExchange.post(
            place,
            [
                "device_signing_key": try device.signing.point().base64EncodedString(),
                "device_encryption_key": try device.encryption.point().base64EncodedString(),
                "signing_key_proof": proof,
                "encryption_key_proof": try await possession(
                    of: device.encryption, over: signing + encryption, nonce, places),
                "registration_token": device.token, "shared_keys": device.isShared,
                "host_name": ProcessInfo.processInfo.hostName,
                "system_version": ProcessInfo.processInfo.operatingSystemVersionString,
            ])
        return try configuration(Places(values: answer))
    }

    /// People with passwords register by signing in. For a key the person has to have signed in on this
    /// device in the last fifteen minutes; Gatehouse's own agent asks them in a browser for it.
    func register(_ person: PersonRegistration) async throws -> String {
        guard let key = person.key else { return person.name }
        guard let refreshToken = person.refreshToken else { throw ProviderFailure.refused }
        let places = try await places()
        let place = try places.url("user_registration")
        let claims = [
            "nonce": try await nonce(at: places), "sub": person.name,
            "device_key": try person.device.digest().base64EncodedString(),
            "user_key": try key.digest().base64EncodedString(),
        ]
        let type = "gatehouse-user-registration+jwt"
        _ = try await JSONExchange.post(
            place,
            [
                "user_key": try key.point().base64EncodedString(),
                "device_proof": try token(type, for: place, by: person.device, claims),
                "user_key_proof": try token(type, for: place, by: key, claims),
                "refresh_token": refreshToken,
            ])
        return person.name
    }

    // MARK: Places

    /// A document with the URLs of endpoints.
    private struct Places {
        let values: [String: Any]

        func text(_ name: String) throws -> String {
            guard let text = values[name] as? String else { throw ProviderFailure.unreadable }
            return text
        }

        func url(_ name: String) throws -> URL {
            guard let url = URL(string: try text(name)) else { throw ProviderFailure.unreadable }
            return url
        }
    }

    private func places() async throws -> Places {
        guard let url = URL(string: issuer + "/.well-known/gatehouse") else {
            throw ProviderFailure.noAddress
        }
        guard let values = try await JSONExchange.get(url)["platform_sso"] as? [String: Any] else {
            throw ProviderFailure.unreadable
        }
        return Places(values: values)
    }

    /// Good once, for five minutes.
    private func nonce(at places: Places) async throws -> String {
        let answer = try await JSONExchange.post(
            try places.url("nonce"), Data("grant_type=srv_challenge".utf8),
            type: "application/x-www-form-urlencoded")
        guard let nonce = answer["Nonce"] as? String else { throw ProviderFailure.unreadable }
        return nonce
    }

    private func configuration(
        _ answer: Places
    ) throws -> ASAuthorizationProviderExtensionLoginConfiguration {
        guard try answer.text("issuer") == issuer else { throw ProviderFailure.unreadable }
        let configuration = ASAuthorizationProviderExtensionLoginConfiguration(
            clientID: try answer.text("client_id"), issuer: issuer,
            tokenEndpointURL: try answer.url("token_endpoint"),
            jwksEndpointURL: try answer.url("jwks_endpoint"),
            audience: try answer.text("audience"))
        configuration.nonceEndpointURL = try answer.url("nonce_endpoint")
        configuration.refreshEndpointURL = try answer.url("refresh_endpoint")
        configuration.keyEndpointURL = try answer.url("key_endpoint")
        return configuration
    }

    // MARK: Proofs

    /// A JWS (RFC 7515 section 7.1), ES256.
    private func token(
        _ type: String, for audience: URL, by key: DeviceKey, _ claims: [String: String]
    ) throws -> String {
        let header = [
            "alg": "ES256", "typ": type, "kid": try key.digest().base64EncodedString(),
        ]
        var body: [String: Any] = claims
        let now = Int(Date().timeIntervalSince1970)
        body["aud"] = audience.absoluteString
        body["iat"] = now
        body["exp"] = now + 300
        let input =
            try JSONSerialization.data(withJSONObject: header).base64URL + "."
            + JSONSerialization.data(withJSONObject: body).base64URL
        return try input + "." + key.rawSignature(over: Data(input.utf8)).base64URL
    }

    /// An encryption key cannot sign: what it agrees on with the provider's authenticates both names.
    private func possession(
        of key: DeviceKey, over names: Data, _ nonce: String, _ places: Places
    ) async throws -> String {
        let keys = try await JSONExchange.get(try places.url("jwks"))["keys"] as? [[String: Any]]
        guard let own = keys?.first(where: { $0["use"] as? String == "enc" }),
            let x = (own["x"] as? String).flatMap({ Data(base64URL: $0) }),
            let y = (own["y"] as? String).flatMap({ Data(base64URL: $0) })
        else { throw ProviderFailure.unreadable }
        let secret = try key.agreement(with: Data([0x04]) + x + y)
        let derived = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret), salt: Data(nonce.utf8),
            info: Data("gatehouse/platform-sso/encryption-key-possession".utf8),
            outputByteCount: 32)
        return Data(HMAC<SHA256>.authenticationCode(for: names, using: derived)).base64URL
    }
}

extension Data {
    /// RFC 4648 section 5, without padding.
    fileprivate var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }

    fileprivate init?(base64URL text: String) {
        let plain = text.replacing("-", with: "+").replacing("_", with: "/")
        self.init(base64Encoded: plain + String(repeating: "=", count: (4 - plain.count % 4) % 4))
    }
}
