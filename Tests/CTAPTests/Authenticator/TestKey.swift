// SPDX-License-Identifier: Apache-2.0
import CTAP
import Crypto
import Primitives
import Support
import Testing

/// A software key with everything around it under a test's control, and the client's half of the
/// protocol.
struct TestKey {
    let clock = ManualClock()
    let random: SeededRandom
    let gesture = ScriptedGesture()
    let key: SoftwareAuthenticator

    init(
        store: any AuthenticatorStore = MemoryAuthenticatorStore(), seed: UInt64 = 1,
        hardware: (any CredentialHardware)? = nil,
        _ change: (inout AuthenticatorConfiguration) -> Void = { _ in }
    ) throws {
        var configuration = AuthenticatorConfiguration()
        change(&configuration)
        random = SeededRandom(seed: seed)
        key = try SoftwareAuthenticator(
            store: store, configuration: configuration, hardware: hardware, gesture: gesture,
            clock: clock, random: random)
    }

    // MARK: Sending

    /// The reply's CBOR, or the status thrown.
    @discardableResult
    func send(_ frame: [UInt8]) async throws -> [UInt8] {
        let reply = await key.respond(to: frame)
        let status = CTAPStatus(rawValue: try #require(reply.first))
        guard status == .ok else { throw status }
        return Array(reply.dropFirst())
    }

    @discardableResult
    func send(_ request: CTAPRequest) async throws -> [UInt8] { try await send(request.frame()) }

    func info() async throws -> AuthenticatorInfo {
        try AuthenticatorInfo(cbor: await send(.getInfo))
    }

    func make(_ request: MakeCredentialRequest) async throws -> MakeCredentialResponse {
        try MakeCredentialResponse(cbor: await send(.makeCredential(request)))
    }

    func get(_ request: GetAssertionRequest) async throws -> GetAssertionResponse {
        try GetAssertionResponse(cbor: await send(.getAssertion(request)))
    }

    func next() async throws -> GetAssertionResponse {
        try GetAssertionResponse(cbor: await send(.getNextAssertion))
    }

    func pin(_ request: ClientPINRequest) async throws -> ClientPINResponse {
        try ClientPINResponse(cbor: await send(.clientPIN(request)))
    }

    // MARK: Requests

    static let clientDataHash = Array(SHA256.hash(data: Array("client data".utf8)))

    static func creation(
        _ rpId: String = "example.com", user: UInt8 = 1, algorithms: [Int64] = [-7],
        discoverable: Bool = false
    ) -> MakeCredentialRequest {
        var request = MakeCredentialRequest(
            clientDataHash: clientDataHash, rp: CTAPRelyingParty(id: rpId, name: "Example"),
            user: CTAPUser(id: [user], name: "user\(user)", displayName: "User \(user)"),
            pubKeyCredParams: algorithms.map { CTAPCredentialParameters(algorithm: $0) })
        if discoverable { request.options = CTAPOptions(rk: true) }
        return request
    }

    static func assertion(
        _ rpId: String = "example.com", allow: [[UInt8]]? = nil
    ) -> GetAssertionRequest {
        var request = GetAssertionRequest(rpId: rpId, clientDataHash: clientDataHash)
        request.allowList = allow?.map { CTAPCredentialDescriptor(id: $0) }
        return request
    }

    // MARK: PIN and tokens

    /// The client's half of key agreement.
    func agree(
        _ number: PINProtocol = .two
    ) async throws -> (key: KeyAgreementKey, secret: PINSharedSecret) {
        let reply = try await pin(
            ClientPINRequest(.getKeyAgreement, pinUvAuthProtocol: number.rawValue))
        let theirs = try #require(reply.keyAgreement)
        let (ours, secret) = try PINKeyAgreement.encapsulate(
            for: PINKeyAgreementKey(theirs.cbor), number, random: random)
        return (try KeyAgreementKey(ours.cose), secret)
    }

    func setPIN(_ text: String, _ number: PINProtocol = .two) async throws {
        try await setPIN(padded: try #require(ClientPIN(text)).padded, number)
    }

    func setPIN(padded: Secret, _ number: PINProtocol = .two) async throws {
        let (key, secret) = try await agree(number)
        var request = ClientPINRequest(.setPIN, pinUvAuthProtocol: number.rawValue)
        request.keyAgreement = key
        let encrypted = try secret.encrypt(padded, random: random)
        request.newPinEnc = encrypted
        request.pinUvAuthParam = secret.authenticate(encrypted)
        _ = try await pin(request)
    }

    func changePIN(
        from old: String, to new: String, _ number: PINProtocol = .two
    ) async throws {
        let (key, secret) = try await agree(number)
        var request = ClientPINRequest(.changePIN, pinUvAuthProtocol: number.rawValue)
        request.keyAgreement = key
        let encrypted = try secret.encrypt(try #require(ClientPIN(new)).padded, random: random)
        let hash = try secret.encrypt(try #require(ClientPIN(old)).hash, random: random)
        request.newPinEnc = encrypted
        request.pinHashEnc = hash
        request.pinUvAuthParam = secret.authenticate(encrypted + hash)
        _ = try await pin(request)
    }

    /// A token by PIN: with permissions, or as CTAP 2.0 asks for it.
    func token(
        _ text: String, _ permissions: PINPermissions? = nil, rpId: String? = nil,
        _ number: PINProtocol = .two
    ) async throws -> PINUVAuthToken {
        let (key, secret) = try await agree(number)
        var request = ClientPINRequest(
            permissions == nil ? .getPinToken : .getPinUvAuthTokenUsingPinWithPermissions,
            pinUvAuthProtocol: number.rawValue)
        request.keyAgreement = key
        request.pinHashEnc = try secret.encrypt(try #require(ClientPIN(text)).hash, random: random)
        request.permissions = permissions?.rawValue
        request.rpId = rpId
        return try token(of: await pin(request), secret)
    }

    /// A token by built-in verification.
    func tokenByVerification(
        _ permissions: PINPermissions, rpId: String? = nil, _ number: PINProtocol = .two
    ) async throws -> PINUVAuthToken {
        let (key, secret) = try await agree(number)
        var request = ClientPINRequest(
            .getPinUvAuthTokenUsingUvWithPermissions, pinUvAuthProtocol: number.rawValue)
        request.keyAgreement = key
        request.permissions = permissions.rawValue
        request.rpId = rpId
        return try token(of: await pin(request), secret)
    }

    private func token(
        of response: ClientPINResponse, _ secret: PINSharedSecret
    ) throws -> PINUVAuthToken {
        try PINUVAuthToken(
            secret.pinProtocol,
            decrypted: secret.decrypt(try #require(response.pinUvAuthToken)))
    }

    func retries() async throws -> Int? {
        try await pin(ClientPINRequest(.getPINRetries)).pinRetries
    }
}

extension MakeCredentialRequest {
    /// The request with the token's parameter.
    func authenticated(by token: PINUVAuthToken) -> MakeCredentialRequest {
        var request = self
        request.pinUvAuthParam = token.authenticate(clientDataHash)
        request.pinUvAuthProtocol = token.pinProtocol.rawValue
        return request
    }
}

extension GetAssertionRequest {
    /// The request with the token's parameter.
    func authenticated(by token: PINUVAuthToken) -> GetAssertionRequest {
        var request = self
        request.pinUvAuthParam = token.authenticate(clientDataHash)
        request.pinUvAuthProtocol = token.pinProtocol.rawValue
        return request
    }
}
