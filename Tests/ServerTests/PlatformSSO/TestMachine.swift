// SPDX-License-Identifier: Apache-2.0
import Crypto
import HTTPTypes
import JOSE
import OAuth
import PlatformSSO
import Primitives
import ProviderCore
import Support
import Testing

/// A device with its keys.
struct TestMachine {
    let house: DeviceHouse
    var signing: PrivateJWK
    var encryption: PrivateJWK
    var serial: String

    init(_ house: DeviceHouse, serial: String = "C02") throws {
        self.house = house
        self.serial = serial
        signing = try Self.pair()
        encryption = try Self.pair()
    }

    static func pair() throws -> PrivateJWK {
        try PrivateJWK.generate(for: .es256).with(KeyParameters())
    }

    /// Returns a device that is registered with a separate token.
    static func registered(
        in house: DeviceHouse, serial: String = "C02",
        _ change: (inout JSONObject) -> Void = { _ in }
    ) async throws -> TestMachine {
        let machine = try TestMachine(house, serial: serial)
        let token = try await house.registrationToken(serial: serial)
        let answer = try await machine.register { body in
            body["registration_token"] = .string(token)
            change(&body)
        }
        #expect(answer.status == 201, "\(answer.json.text)")
        return machine
    }

    // MARK: Registration

    func proof(
        _ key: PrivateJWK, _ nonce: String, _ change: (inout JSONObject) -> Void = { _ in }
    ) throws -> String {
        let now = house.clock.now.seconds
        var claims = JSONObject([
            .init(name: "aud", value: .string(DeviceHouse.issuer + "/platform-sso/devices")),
            .init(name: "iat", value: .integer(now)),
            .init(name: "exp", value: .integer(now + 300)),
            .init(name: "nonce", value: .string(nonce)),
            .init(name: "signing_key", value: .string(Self.name(signing))),
            .init(name: "encryption_key", value: .string(Self.name(encryption))),
        ])
        change(&claims)
        return try Self.sign(claims, key, type: "gatehouse-device-registration+jwt")
    }

    static func name(_ key: PrivateJWK) -> String { KeyIdentifier(key.publicKey).description }

    static func sign(_ claims: JSONObject, _ key: PrivateJWK, type: String) throws -> String {
        let named = try key.with(KeyParameters(keyID: name(key)))
        let signed = try JOSESigner(named, algorithm: .es256).sign(
            payload: claims.bytes, typ: type)
        return String(decoding: signed, as: UTF8.self)
    }

    func body(nonce given: String? = nil) async throws -> JSONObject {
        let nonce = if let given { given } else { try await house.nonce() }
        let provider = try #require(
            try await house.provider.encryptionKeys.current(of: try await house.tenant()))
        let secret = try KeyAgreement.sharedSecret(encryption, provider)
        let key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret), salt: Array(nonce.utf8),
            info: Array("gatehouse/platform-sso/encryption-key-possession".utf8),
            outputByteCount: 32)
        let names =
            KeyIdentifier(signing.publicKey).digest + KeyIdentifier(encryption.publicKey).digest
        let code = Array(HMAC<SHA256>.authenticationCode(for: names, using: key))
        return JSONObject([
            .init(name: "device_signing_key", value: signing.publicKey.json),
            .init(
                name: "device_encryption_key",
                value: .string(Base64.encode(encryption.publicKey.x963 ?? []))),
            .init(name: "signing_key_proof", value: .string(try proof(signing, nonce))),
            .init(name: "encryption_key_proof", value: .string(Base64URL.encode(code))),
            .init(name: "serial_number", value: .string(serial)),
            .init(name: "model", value: "Mac15,3"),
        ])
    }

    func register(
        nonce: String? = nil, bearer: String? = nil,
        _ change: (inout JSONObject) throws -> Void = { _ in }
    ) async throws -> DeviceHouse.Answer {
        var body = try await body(nonce: nonce)
        try change(&body)
        return try await house.send(
            .post, "/platform-sso/devices", type: "application/json", body: body.bytes,
            bearer: bearer)
    }

    // MARK: People

    func registerKey(
        _ key: PrivateJWK, of username: String = "anna", bearer: String? = nil,
        token: Secret? = nil, nonce given: String? = nil, card: [[UInt8]]? = nil,
        attestation: JSONValue? = nil
    ) async throws -> DeviceHouse.Answer {
        let nonce = if let given { given } else { try await house.nonce() }
        let now = house.clock.now.seconds
        let claims = JSONObject([
            .init(name: "aud", value: .string(DeviceHouse.issuer + "/platform-sso/users")),
            .init(name: "iat", value: .integer(now)),
            .init(name: "exp", value: .integer(now + 300)),
            .init(name: "nonce", value: .string(nonce)),
            .init(name: "sub", value: .string(username)),
            .init(name: "device_key", value: .string(Self.name(signing))),
            .init(name: "user_key", value: .string(Self.name(key))),
        ])
        let type = "gatehouse-user-registration+jwt"
        var body = JSONObject()
        body["user_key"] = card == nil ? key.publicKey.json : nil
        body["certificates"] = card.map { .array($0.map { .string(Base64.encode($0)) }) }
        body["device_proof"] = .string(try Self.sign(claims, signing, type: type))
        body["user_key_proof"] = .string(try Self.sign(claims, key, type: type))
        body["attestation"] = attestation
        body["refresh_token"] = token.map { .string($0.revealText()) }
        return try await house.send(
            .post, "/platform-sso/users", type: "application/json", body: body.bytes,
            bearer: bearer)
    }

    // MARK: Messages

    func context(
        _ username: String = "anna", nonce given: String? = nil,
        encryptingTo key: PublicJWK? = nil
    ) async throws
        -> LoginRequestContext
    {
        let nonce = if let given { given } else { try await house.nonce() }
        let issuer = DeviceHouse.issuer
        var configuration = LoginConfiguration(
            clientID: "platform-sso", issuer: issuer,
            tokenEndpointURL: issuer + "/platform-sso/token",
            jwksEndpointURL: issuer + "/platform-sso/jwks", audience: "platform-sso")
        configuration.refreshEndpointURL = issuer + "/platform-sso/refresh"
        configuration.keyEndpointURL = issuer + "/platform-sso/key"
        configuration.loginRequestEncryptionPublicKey = key
        return LoginRequestContext(
            configuration: configuration, user: UserLoginConfiguration(loginUserName: username),
            device: DeviceIdentity(signing: signing.publicKey, encryption: encryption.publicKey),
            serverNonce: nonce, now: house.clock.now, random: house.random)
    }

    func signed(_ draft: RequestDraft) throws -> [UInt8] {
        try draft.signed(by: JOSESigner(signing, algorithm: .es256))
    }

    func login(
        _ username: String = "anna", password: String = DeviceHouse.password,
        nonce: String? = nil
    ) async throws -> DeviceHouse.Answer {
        let context = try await context(username, nonce: nonce)
        let draft = try context.login(.password(Secret(password)), random: house.random)
        return try await house.post(try signed(draft))
    }

    /// A login with a person's key.
    func login(_ username: String = "anna", key: PrivateJWK) async throws -> DeviceHouse.Answer {
        let context = try await context(username)
        let assertion = try context.assertion(key: key.publicKey)
            .signed(by: JOSESigner(key, algorithm: .es256))
        let draft = try context.login(.signedAssertion(assertion), random: house.random)
        return try await house.post(try signed(draft))
    }

    /// A login with a card.
    func login(
        _ username: String = "anna", card: TestCard, certificates: [[UInt8]]? = nil
    ) async throws -> DeviceHouse.Answer {
        let context = try await context(username)
        let draft = try context.assertion(
            key: card.key.publicKey, certificates: certificates ?? card.certificates)
        let assertion = try draft.signed(by: JOSESigner(card.key, algorithm: .es256))
        let login = try context.login(.signedAssertion(assertion), random: house.random)
        return try await house.post(try signed(login))
    }

    /// The refresh token of a login that must go well.
    func signedIn(_ username: String = "anna") async throws -> Secret {
        let context = try await context(username)
        let draft = try context.login(
            .password(Secret(DeviceHouse.password)), random: house.random)
        let answer = try await house.post(try signed(draft))
        return try response(answer, context).refreshToken
    }

    func response(
        _ answer: DeviceHouse.Answer, _ context: LoginRequestContext
    ) throws -> LoginResponse {
        #expect(answer.status == 200, "\(answer.json.text)")
        return try LoginResponse(
            SealedResponse(compact: answer.body).open(with: encryption, apv: context.apv))
    }

    func refresh(_ token: Secret) async throws -> (DeviceHouse.Answer, LoginRequestContext) {
        let context = try await context()
        let answer = try await house.post(
            try signed(try context.refresh(token)), to: "/platform-sso/refresh")
        return (answer, context)
    }

    func key(
        _ operation: VerifiedKeyRequest.Operation, _ token: Secret, _ username: String = "anna"
    ) async throws -> (DeviceHouse.Answer, LoginRequestContext) {
        let context = try await context(username)
        let answer = try await house.post(
            try signed(try context.key(operation, refreshToken: token)),
            to: "/platform-sso/key", version: "2.0")
        return (answer, context)
    }

    func keyResponse(
        _ answer: DeviceHouse.Answer, _ context: LoginRequestContext
    ) throws -> KeyResponse {
        #expect(answer.status == 200, "\(answer.json.text)")
        return try KeyResponse(
            SealedResponse(compact: answer.body).open(with: encryption, apv: context.apv),
            now: house.clock.now)
    }
}
