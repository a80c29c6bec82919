// SPDX-License-Identifier: Apache-2.0
import JOSE
import PlatformSSO
import Primitives
import Support

/// A device with a person at it, and their provider, with keys that are the same in every run.
struct TestParties {
    static let now = Timestamp(seconds: 1_790_000_000)
    static let serverNonce = "AwABAAAAAAADAOz_server-nonce"

    let random = SeededRandom(seed: 42)
    let deviceSigning = TestParties.pair(1)
    let deviceEncryption = TestParties.pair(2)
    let userKey = TestParties.pair(3)
    let providerEncryption = TestParties.pair(4)
    let providerSigning = TestParties.pair(5)
    /// A key of an unknown party.
    let stranger = TestParties.pair(6)
    var configuration = TestParties.configuration
    var user = UserLoginConfiguration(loginUserName: "anna")

    static var configuration: LoginConfiguration {
        var configuration = LoginConfiguration(
            clientID: "aaff1524-fa35-40c5-94e3-2b233c5f2965", issuer: "https://id.example.com",
            tokenEndpointURL: "https://id.example.com/platform-sso/token",
            jwksEndpointURL: "https://id.example.com/jwks", audience: "id.example.com")
        configuration.keyEndpointURL = "https://id.example.com/platform-sso/key"
        configuration.refreshEndpointURL = "https://id.example.com/platform-sso/refresh"
        return configuration
    }

    static func pair(_ number: UInt8) -> PrivateJWK {
        let scalar = Secret([UInt8](repeating: number, count: 32))
        guard let pair = try? PrivateJWK(scalar: scalar, on: .p256) else {
            preconditionFailure("a scalar of the tests is no key")
        }
        return pair
    }

    // MARK: The device

    func context(_ configuration: LoginConfiguration? = nil) -> LoginRequestContext {
        LoginRequestContext(
            configuration: configuration ?? self.configuration, user: user,
            device: DeviceIdentity(
                signing: deviceSigning.publicKey, encryption: deviceEncryption.publicKey),
            serverNonce: Self.serverNonce, now: Self.now, random: random)
    }

    func sign(_ draft: RequestDraft, _ key: PrivateJWK? = nil) throws -> [UInt8] {
        try draft.signed(by: JOSESigner(key ?? deviceSigning, algorithm: .es256))
    }

    /// A login with that credential, whose claims and header were changed before it was signed.
    func login(
        _ credential: LoginCredential = .password(Secret("correct horse")),
        context: LoginRequestContext? = nil, key: PrivateJWK? = nil,
        claims changeClaims: (inout JSONObject) -> Void = { _ in },
        header change: (inout JSONObject) -> Void = { _ in }
    ) throws -> [UInt8] {
        let draft = try (context ?? self.context()).login(credential, random: random)
        return try sign(altered(draft, change, changeClaims), key)
    }

    func altered(
        _ draft: RequestDraft, _ changeHeader: (inout JSONObject) -> Void = { _ in },
        _ changeClaims: (inout JSONObject) -> Void
    ) -> RequestDraft {
        var (header, claims) = (draft.header, draft.claims)
        changeHeader(&header)
        changeClaims(&claims)
        return RequestDraft(header: header, claims: claims)
    }

    /// An assertion of the person's key within a login of the same context.
    func assertionLogin(
        key: PrivateJWK? = nil, claims changeClaims: (inout JSONObject) -> Void = { _ in },
        header change: (inout JSONObject) -> Void = { _ in }
    ) throws -> [UInt8] {
        let context = context()
        let key = key ?? userKey
        let draft = try context.assertion(key: key.publicKey)
        let assertion = try sign(altered(draft, change, changeClaims), key)
        return try login(.signedAssertion(assertion), context: context)
    }

    // MARK: The provider

    var expectation: RequestVerifier.Expectation {
        .init(
            clientID: configuration.clientID,
            endpoints: [
                configuration.tokenEndpointURL, configuration.keyURL,
                "https://id.example.com/platform-sso/refresh",
            ], audience: configuration.audience)
    }

    var device: DeviceKeys {
        DeviceKeys(
            signing: deviceSigning.publicKey, encryption: [deviceEncryption.publicKey])
    }

    var loginKeys: LoginKeys {
        LoginKeys(
            user: [.secureEnclave(userKey.publicKey)], decryption: [providerEncryption])
    }

    func verify(
        _ message: [UInt8], device: DeviceKeys? = nil, keys: LoginKeys? = nil,
        now: Timestamp = TestParties.now,
        _ change: (inout RequestVerifier.Expectation) -> Void = { _ in }
    ) -> Result<VerifiedLoginRequest, PlatformSSORefusal> {
        var expectation = expectation
        change(&expectation)
        do {
            guard case .login(let request) = try UnverifiedRequest(compact: message) else {
                return .failure(PlatformSSORefusal(.typeMismatch, "not a login"))
            }
            return RequestVerifier(expectation).verify(
                request, device: device ?? self.device, keys: keys ?? loginKeys, now: now)
        } catch { return .failure(error) }
    }

    func verifyKey(
        _ message: [UInt8], device: DeviceKeys? = nil
    ) -> Result<VerifiedKeyRequest, PlatformSSORefusal> {
        do {
            guard case .key(let request) = try UnverifiedRequest(compact: message) else {
                return .failure(PlatformSSORefusal(.typeMismatch, "not a key request"))
            }
            return RequestVerifier(expectation).verify(
                request, device: device ?? self.device, now: Self.now)
        } catch { return .failure(error) }
    }

    func verifyRefresh(
        _ message: [UInt8]
    ) -> Result<VerifiedRefreshRequest, PlatformSSORefusal> {
        do {
            guard case .refresh(let request) = try UnverifiedRequest(compact: message) else {
                return .failure(PlatformSSORefusal(.typeMismatch, "not a refresh"))
            }
            return RequestVerifier(expectation).verify(request, device: device, now: Self.now)
        } catch { return .failure(error) }
    }

    /// An ID token of the provider.
    func idToken(
        nonce: String, algorithm: JWSAlgorithm = .es256,
        _ change: (inout JSONObject) -> Void = { _ in }
    ) throws -> String {
        var claims: JSONObject = JSONObject([
            .init(name: "iss", value: .string(configuration.issuer)),
            .init(name: "aud", value: .string(configuration.clientID)),
            .init(name: "sub", value: "anna"), .init(name: "nonce", value: .string(nonce)),
            .init(name: "iat", value: .integer(Self.now.seconds)),
            .init(name: "exp", value: .integer(Self.now.seconds + 300)),
        ])
        change(&claims)
        let named = try providerSigning.with(KeyParameters(keyID: "id-1", use: "sig"))
        let signer = try JOSESigner(named, algorithm: algorithm)
        return String(decoding: try signer.sign(payload: claims.bytes, typ: "JWT"), as: UTF8.self)
    }

    func providerKeys() throws -> ProviderKeys {
        let key = try providerSigning.publicKey.with(KeyParameters(keyID: "id-1", use: "sig"))
        return ProviderKeys(try JWKSet([.publicKey(key)]))
    }

    func loginResponse(_ idToken: String) -> LoginResponse {
        LoginResponse(
            idToken: idToken, refreshToken: Secret("refresh-1"),
            refreshTokenExpiresIn: .hours(8), expiresIn: .hours(8))
    }
}

/// The code of a refusal, if it is one.
func code<Value>(
    _ result: Result<Value, PlatformSSORefusal>
) -> PlatformSSORefusal.Code? {
    if case .failure(let refusal) = result { refusal.code } else { nil }
}

/// The code of the refusal that `body` throws, if it does.
func code(_ body: () throws -> Void) -> PlatformSSORefusal.Code? {
    do {
        try body()
        return nil
    } catch {
        return (error as? PlatformSSORefusal)?.code
    }
}

/// JSON as macOS writes it, every message of which therefore begins with `ewog`.
func prettyPrinted(_ object: JSONObject, indent: String = "") -> String {
    let inner = indent + "  "
    let members = object.members.map { member in
        let value = member.value.object.map { prettyPrinted($0, indent: inner) }
        return "\(inner)\(JSONValue.string(member.name).text) : \(value ?? member.value.text)"
    }
    return "{\n" + members.joined(separator: ",\n") + "\n\(indent)}"
}

/// A JWS over exactly those texts.
func sign(header: String, claims: String, _ key: PrivateJWK) throws -> [UInt8] {
    var input = Base64URL.encodeBytes(Array(header.utf8))
    input.append(UInt8(ascii: "."))
    Base64URL.append(Array(claims.utf8), to: &input)
    let signature = try JOSESigner(key, algorithm: .es256).signature(over: input)
    return input + [UInt8(ascii: ".")] + Base64URL.encodeBytes(signature)
}
