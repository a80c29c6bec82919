// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import Crypto
import HTTPServer
import HTTPTypes
import JOSE
import OAuth
import PIN
import PINSupport
import Primitives
import ProviderCore
import Support
import Testing

/// One app installation with a PIN, and all that an SDK does around the protocol.
struct AppDevice {
    let house: RegistrationHouse
    let key: AppKey
    /// Signs with the same key.
    let deviceKey: KnownDeviceKey
    var requests: PINRequestSigner
    let sealer: PINSealer
    let statements: PINStatementVerifier
    var state: PINDeviceState
    /// Of its registration.
    var id: Identifier<AppRegistrationRequest>

    init(_ house: RegistrationHouse) async throws {
        self.house = house
        let pair = P256.Signing.PrivateKey()
        key = try AppKey(
            PrivateJWK(scalar: Secret(pair.rawRepresentation), on: .p256), .es256)
        deviceKey = KnownDeviceKey(pair: pair, publicKey: key.key.jwk)
        requests = try #require(
            PINRequestSigner(
                issuer: OAuthHouse.issuer, key: deviceKey,
                proofKey: try await Self.proofKey(of: house)))
        let sealing = try #require(SoftwareSealingKey(Secret(SystemRandomSource().bytes(32))))
        sealer = PINSealer(
            key: sealing, stretching: .quick, random: SystemRandomSource())
        let keys = try await house.provider.keys.publishedKeys(of: house.oauth.tenant)
        statements = PINStatementVerifier(keys: keys, binding: requests.binding)
        state = PINDeviceState(binding: requests.binding)
        id = house.newID()
    }

    /// The key for proofs in the published JWK set.
    static func proofKey(of house: RegistrationHouse) async throws -> PINProofPublicKey? {
        PINProofPublicKey(
            in: try JWKSet(bytes: try await house.provider.jwks(of: house.oauth.tenant)))
    }

    /// The same app with an SDK before version 2 of the protocol.
    var version1: Version1Device {
        Version1Device(issuer: OAuthHouse.issuer, key: deviceKey)
    }

    /// Registers a person with a PIN, and commits.
    static func registered(
        in house: RegistrationHouse, pin: String = "24681", subject: String = UUIDText.make()
    ) async throws -> AppDevice {
        var device = try await AppDevice(house)
        let transport = PINTransportKey()
        let request = try await device.registration(
            offering: transport.publicKey, subject: subject)
        let answer = try await house.send(request)
        #expect(answer.status == 201)
        let pinAnswer = try device.pinAnswer(answer.body)
        let secret = try await device.seal(
            pinAnswer, transport, try #require(PINNonce(text: request.nonce)), under: pin)
        try await device.commit(secret)
        return device
    }

    /// A registration that asks for the first secret.
    func registration(
        offering transport: PINTransportPublicKey, subject: String = UUIDText.make(),
        nonce: String? = nil
    ) async throws -> AppRegistrationRequest {
        var request = try await house.request(
            token: house.token(subject).signed(by: house.signer), key: key, id: id, nonce: nonce)
        let nonce = try #require(PINNonce(text: request.nonce))
        request.pinOffer = String(
            decoding: try await requests.firstOffer(to: transport, nonce: nonce), as: UTF8.self)
        return request
    }

    func pinAnswer(_ body: JSONObject) throws -> PINResponse {
        let pin = try #require(AppRegistrationResponse(body)?.pin)
        return try #require(PINResponse(json: pin.bytes))
    }

    mutating func seal(
        _ answer: PINResponse, _ transport: consuming PINTransportKey, _ nonce: PINNonce,
        under pin: String
    ) async throws -> OpenedPINSecret {
        guard case .delivery(let statement) = answer else { throw Unexpected(answer: answer) }
        let delivered = try transport.open(statements.delivery(statement, answering: nonce))
        let (sealed, secret) = try await sealer.seal(delivered, under: DevicePIN(pin))
        state = try state.offering(sealed)
        return secret
    }

    mutating func commit(_ secret: OpenedPINSecret) async throws {
        let nonce = try await self.nonce()
        let answer = try await ask(requests.commit(secret, nonce: nonce)).answer
        guard case .version(let statement) = answer else { throw Unexpected(answer: answer) }
        state = try state.applying(statements.version(statement, answering: nonce))
    }

    mutating func change(from old: String, to new: String) async throws {
        let transport = PINTransportKey()
        let nonce = try await self.nonce()
        let offer = try await requests.nextOffer(
            to: transport.publicKey, proving: open(old), nonce: nonce)
        let secret = try await seal(try await ask(offer).answer, transport, nonce, under: new)
        try await commit(secret)
    }

    /// What the PIN opens.
    func open(_ pin: String) async throws -> OpenedPINSecret {
        try await sealer.open(
            #require(state.signInSecret), of: requests.binding, with: DevicePIN(pin))
    }

    // MARK: Asking

    func nonce() async throws -> PINNonce {
        let challenge = try #require(
            ServerChallenge(try await house.call(.post, "/registration/pin/challenge").body))
        return try #require(PINNonce(text: challenge.nonce))
    }

    /// One message of the protocol, to the endpoint for them.
    func ask(_ request: [UInt8]) async throws -> (status: Int, answer: PINResponse) {
        let answer = try await house.call(
            .post, "/registration/pin",
            ["request": .string(String(decoding: request, as: UTF8.self))])
        return (answer.status, try #require(PINResponse(json: answer.body.bytes)))
    }

    /// The bytes of a sign-in, unsent.
    func signInRequest(_ pin: String, nonce: PINNonce? = nil) async throws -> [UInt8] {
        let fresh = if let nonce { nonce } else { try await self.nonce() }
        return try await requests.signIn(with: open(pin), nonce: fresh)
    }

    /// Asks for tokens.
    func send(_ request: [UInt8], scope: String? = nil) async throws -> SignIn {
        let response = try await house.signIn(
            String(decoding: request, as: UTF8.self), scope: scope)
        return SignIn(status: response.status.code, body: try house.oauth.json(response))
    }

    func signIn(_ pin: String) async throws -> SignIn { try await send(signInRequest(pin)) }

    /// What the token endpoint said.
    struct SignIn {
        let status: Int
        let body: JSONObject

        var isAccepted: Bool { status == 200 && body["access_token"] != nil }
        var code: String? { body["code"]?.string }
        var attemptsUsed: Int64? { body["attempts"]?["used"]?.integer }
        var statement: [UInt8]? { body["statement"]?.string.map { Array($0.utf8) } }
    }

    struct Unexpected: Error {
        let answer: PINResponse
    }
}

/// A device key whose pair the test knows.
struct KnownDeviceKey: PINDeviceKey {
    let pair: P256.Signing.PrivateKey
    let publicKey: PublicJWK

    func signature(over input: [UInt8]) async throws -> [UInt8] {
        Array(try pair.signature(for: SHA256.hash(data: input)).rawRepresentation)
    }
}
