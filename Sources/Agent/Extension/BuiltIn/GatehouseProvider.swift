// SPDX-License-Identifier: Apache-2.0
import AgentClient
import Crypto
import JOSE
import PlatformSSO
import Primitives
import SingleSignOn
import UserClient

/// Registration in Gatehouse's own words: docs/platform-sso-provider.md, "Registration, on the wire".
struct GatehouseProvider: Sendable {
    let issuer: String
    let exchange: ProviderExchange
    let urls: JSONObject

    /// What came of a registration: a configuration, or the code of a refusal.
    struct RegistrationResult: Sendable {
        var configuration: LoginConfiguration?
        /// How people may sign in there; `nil` where it does not say.
        var methods: [String]?
        var code: String?
        /// What it says of the refusal.
        var reason: String?

        /// Whether it knows the machine by none of those keys.
        var meansUnknown: Bool {
            ["device_unknown", "key_taken", "registration_refused"].contains(code)
        }
    }

    /// The proof that authenticates a person.
    enum PersonEvidence: Sendable {
        /// Of a login on this machine.
        case refreshToken(Secret)
        /// Of a sign-in on a page.
        case bearer(Secret)
    }

    /// Asks the issuer where its endpoints are.
    init(issuer: String, exchange: ProviderExchange) async throws(ProviderError) {
        self.issuer = issuer
        self.exchange = exchange
        let reply = try await exchange.get(issuer + "/.well-known/gatehouse")
        guard reply.status == 200 else { throw ProviderExchange.later(reply) }
        guard
            let document = try? JSONParser.parseObject(
                reply.body, maximumBytes: ProviderExchange.greatestAnswer),
            document["issuer"]?.string.map({ $0.hasSameBytes(as: issuer) }) ?? true,
            let urls = document["platform_sso"]?.object
        else { throw .notTrusted("the issuer offers no Platform SSO") }
        self.urls = urls
    }

    func url(_ name: String) throws(ProviderError) -> String {
        guard let url = urls[name]?.string, ProviderEndpoints.isProtected(url) else {
            throw .notTrusted("\(name) is not an https URL")
        }
        return url
    }

    private func nonce() async throws(ProviderError) -> String {
        try await exchange.nonce(
            LoginConfiguration(
                clientID: "", issuer: issuer, tokenEndpointURL: try url("nonce"),
                jwksEndpointURL: try url("jwks")))
    }

    // MARK: Device

    /// - Parameter previous: The signing key that the machine was known by until now.
    func register(
        _ pair: DeviceKeyPairs, _ manager: any ExtensionLoginManager,
        _ options: ExtensionRequestOptions, bearer: Secret?, previous: AgentKey? = nil
    ) async throws -> RegistrationResult {
        let nonce = try await nonce()
        var body = JSONObject()
        body["device_signing_key"] = pair.signing.publicKey.json
        body["device_encryption_key"] = pair.encryption.publicKey.json
        body["signing_key_proof"] = .string(
            try await proof(pair, nonce, by: pair.signing, manager))
        if let previous {
            body["previous_key_proof"] = .string(
                try await proof(pair, nonce, by: previous, manager))
        }
        body["encryption_key_proof"] = .string(try await agreement(pair, nonce, manager))
        body["shared_keys"] = .bool(options.contains(.registrationSharedDeviceKeys))
        if bearer == nil {
            body["registration_token"] = manager.registrationToken.map { .string($0.revealText()) }
        }
        let names =
            KeyIdentifier(pair.signing.publicKey).digest
            + KeyIdentifier(pair.encryption.publicKey).digest
        let challenge = Array(SHA256.hash(data: Array(nonce.utf8) + names))
        let attestation = try await manager.attest(pair.signing, challenge: challenge)
        let endorsed = try await endorsement(for: nonce, attestation, manager)
        body["attestation"] = endorsed.evidence
        for (name, fact) in manager.facts.named { body[name] = fact.map(JSONValue.string) }
        let reply = try await exchange.post(
            try url("device_registration"), json: body, bearer: bearer)
        guard reply.status == 201 else {
            let reasons = [ProviderExchange.reason(reply), endorsed.obstacle].compactMap(\.self)
            return RegistrationResult(
                code: try Self.code(reply), reason: reasons.joined(separator: " "))
        }
        let methods = try? JSONParser.parseObject(reply.body, maximumBytes: 65_536)["methods"]
        return RegistrationResult(
            configuration: try configuration(reply.body, manager.authenticationMethod),
            methods: methods?.strings)
    }

    /// Returns a proof for both keys, signed by the signing key with a separate `typ`.
    private func proof(
        _ pair: DeviceKeyPairs, _ nonce: String, by key: AgentKey,
        _ manager: any ExtensionLoginManager
    ) async throws -> String {
        try await signed(
            "gatehouse-device-registration+jwt", audience: try url("device_registration"),
            [
                ("nonce", nonce),
                ("signing_key", KeyIdentifier(pair.signing.publicKey).description),
                ("encryption_key", KeyIdentifier(pair.encryption.publicKey).description),
            ], by: key, manager)
    }

    /// The encryption key cannot sign: what it agrees on with the provider's authenticates both names.
    private func agreement(
        _ pair: DeviceKeyPairs, _ nonce: String, _ manager: any ExtensionLoginManager
    ) async throws -> String {
        let set = try await exchange.keys(try url("jwks"))
        guard let own = set.encryptionKey else {
            throw ProviderError.notTrusted("there is no encryption key")
        }
        let secret = try await manager.agree(pair.encryption, with: own)
        let key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret.reveal()), salt: Array(nonce.utf8),
            info: Array("gatehouse/platform-sso/encryption-key-possession".utf8),
            outputByteCount: 32)
        let names =
            KeyIdentifier(pair.signing.publicKey).digest
            + KeyIdentifier(pair.encryption.publicKey).digest
        return Base64URL.encode(Array(HMAC<SHA256>.authenticationCode(for: names, using: key)))
    }

    private func configuration(
        _ body: [UInt8], _ method: PlatformSSOAuthenticationMethod
    ) throws -> LoginConfiguration {
        let answer = try JSONParser.parseObject(body, maximumBytes: 65_536)
        func text(_ name: String) throws(ProviderError) -> String {
            guard let text = answer[name]?.string, !text.isEmpty else {
                throw .notTrusted("\(name) is missing")
            }
            return text
        }
        guard try text("issuer").hasSameBytes(as: issuer) else {
            throw ProviderError.notTrusted("it names another issuer")
        }
        var configuration = LoginConfiguration(
            clientID: try text("client_id"), issuer: issuer,
            tokenEndpointURL: try text("token_endpoint"),
            jwksEndpointURL: try text("jwks_endpoint"), audience: try text("audience"))
        configuration.nonceEndpointURL = try text("nonce_endpoint")
        configuration.refreshEndpointURL = try text("refresh_endpoint")
        configuration.keyEndpointURL = try text("key_endpoint")
        if let key = answer["login_request_encryption_key"]?.object,
            case .publicKey(let read)? = try? JSONWebKey(key)
        {
            configuration.loginRequestEncryptionPublicKey = read
        }
        configuration.follow(answer, method)
        return configuration
    }

    // MARK: Person

    /// - Returns: no code when the key is registered.
    func register(
        _ key: AgentKey, of user: UserLoginConfiguration, device: AgentKey,
        _ evidence: PersonEvidence, _ manager: any ExtensionLoginManager
    ) async throws -> RegistrationResult {
        let claims = [
            ("nonce", try await nonce()), ("sub", user.loginUserName),
            ("device_key", KeyIdentifier(device.publicKey).description),
            ("user_key", KeyIdentifier(key.publicKey).description),
        ]
        let (type, audience) = ("gatehouse-user-registration+jwt", try url("user_registration"))
        var body = JSONObject()
        body["user_key"] = key.publicKey.json
        body["device_proof"] = .string(
            try await signed(type, audience: audience, claims, by: device, manager))
        body["user_key_proof"] = .string(
            try await signed(type, audience: audience, claims, by: key, manager))
        var bearer: Secret?
        switch evidence {
        case .refreshToken(let token): body["refresh_token"] = .string(token.revealText())
        case .bearer(let token): bearer = token
        }
        let reply = try await exchange.post(audience, json: body, bearer: bearer)
        guard reply.status != 201 else { return RegistrationResult() }
        return RegistrationResult(
            code: try Self.code(reply), reason: ProviderExchange.reason(reply))
    }

    // MARK: Leaving

    /// That the provider does not know the device any more is as good.
    func unregister(_ leaving: Unregistration, _ keys: AgentKeyStore) async throws {
        let place = try url("unregistration")
        var claims = [("nonce", try await nonce())]
        if let name = leaving.loginUserName { claims.append(("sub", name)) }
        var body = JSONObject()
        body["proof"] = .string(
            try await signed(
                "gatehouse-unregistration+jwt", audience: place, claims, by: leaving.signing, keys))
        let reply = try await exchange.post(place, json: body, bearer: nil)
        guard reply.status != 200, try Self.code(reply) != "device_unknown" else { return }
        throw ProviderExchange.later(reply)
    }

    // MARK: Parts

    private func signed(
        _ type: String, audience: String, _ claims: [(String, String)], by key: AgentKey,
        _ signer: any MessageSigner
    ) async throws -> String {
        let header = JSONObject([
            .init(name: "typ", value: .string(type)), .init(name: "alg", value: "ES256"),
            .init(name: "kid", value: .string(KeyIdentifier(key.publicKey).description)),
        ])
        var body = JSONObject(claims.map { .init(name: $0.0, value: .string($0.1)) })
        let now = exchange.clock.now
        body["aud"] = .string(audience)
        body["iat"] = .integer(now.seconds)
        body["exp"] = .integer((now + .minutes(5)).seconds)
        let draft = RequestDraft(header: header, claims: body)
        let message = draft.compact(
            signature: try await signer.sign(draft.signingInput, with: key))
        return String(decoding: message, as: UTF8.self)
    }

    /// The stable code of a refusal.
    private static func code(_ reply: WebResponse) throws(ProviderError) -> String {
        guard (400..<500).contains(reply.status),
            let answer = try? JSONParser.parseObject(reply.body, maximumBytes: 16_384),
            let code = answer["error"]?.string
        else { throw ProviderExchange.later(reply) }
        return code
    }
}

extension LocalDeviceAttributes {
    fileprivate var named: [(String, String?)] {
        [
            ("serial_number", serialNumber), ("udid", udid), ("model", model),
            ("host_name", hostName), ("system_version", systemVersion),
        ]
    }
}

extension JWKSet {
    /// The key to encrypt to.
    fileprivate var encryptionKey: PublicJWK? {
        keys.compactMap { key -> PublicJWK? in
            if case .publicKey(let key) = key, key.parameters.use == "enc" { key } else { nil }
        }.first
    }
}
