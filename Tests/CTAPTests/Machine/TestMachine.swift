// SPDX-License-Identifier: Apache-2.0
import CTAP
import Primitives
import Support
import Testing

/// An ``AuthenticatorMachine`` without thread, file or person: the test sets the time, and decides
/// the result of each gesture.
struct TestMachine {
    /// A step of the machine in a form that tests compare.
    enum Step: Equatable {
        /// The command ended, with CBOR if the status is `ok`.
        case finished(CTAPStatus, [UInt8])
        case gesture(GestureRequest)

        static func status(_ status: CTAPStatus) -> Step { .finished(status, []) }
    }

    let store = RecordingStore()
    let random = SeededRandom(seed: 7)
    var machine: AuthenticatorMachine
    var now = Timestamp(seconds: 1_800_000_000)
    private var pending: PendingCommand?

    init(_ change: (inout AuthenticatorConfiguration) -> Void = { _ in }) throws {
        var configuration = AuthenticatorConfiguration()
        change(&configuration)
        machine = try AuthenticatorMachine(
            store: store, configuration: configuration, random: random, now: now)
    }

    // MARK: Steps

    mutating func begin(_ request: CTAPRequest) -> Step { begin(request.frame()) }

    mutating func begin(_ frame: [UInt8]) -> Step {
        step(machine.begin(.ctap2(frame), now: now))
    }

    mutating func finish(_ outcome: GestureResult.Outcome, isCancelled: Bool = false) -> Step {
        guard let pending else { return .status(.other) }
        return step(
            machine.resume(pending, GestureResult(outcome, isCancelled: isCancelled), now: now))
    }

    mutating func approve() -> Step { finish(.confirmation(.approved)) }

    private mutating func step(_ step: AuthenticatorMachine.Step) -> Step {
        switch step {
        case .response(let bytes):
            pending = nil
            guard let status = bytes.first else { return .status(.other) }
            return .finished(CTAPStatus(rawValue: status), Array(bytes.dropFirst()))
        case .gesture(let request, let command):
            pending = command
            return .gesture(request)
        }
    }

    /// Runs a request to its end. Touches are approved, verifications and samples succeed.
    mutating func run(_ request: CTAPRequest) throws -> [UInt8] {
        var step = begin(request)
        while case .gesture(let gesture) = step {
            switch gesture {
            case .confirm: step = approve()
            case .verify: step = finish(.verification(.verified))
            case .sample: step = finish(.sample(.good))
            }
        }
        guard case .finished(let status, let cbor) = step, status == .ok else {
            if case .finished(let status, _) = step { throw status }
            return []
        }
        return cbor
    }

    // MARK: Tokens

    mutating func pin(_ request: ClientPINRequest) throws -> ClientPINResponse {
        try ClientPINResponse(cbor: run(.clientPIN(request)))
    }

    /// The client's half of key agreement.
    mutating func agree() throws -> (key: KeyAgreementKey, secret: PINSharedSecret) {
        let response = try pin(ClientPINRequest(.getKeyAgreement, pinUvAuthProtocol: 2))
        let key = try #require(response.keyAgreement)
        let (own, secret) = try PINKeyAgreement.encapsulate(
            for: PINKeyAgreementKey(key.cbor), .two, random: random)
        return (try KeyAgreementKey(own.cose), secret)
    }

    mutating func setPIN(_ text: String) throws {
        let (key, secret) = try agree()
        var request = ClientPINRequest(.setPIN, pinUvAuthProtocol: 2)
        let encrypted = try secret.encrypt(
            try #require(ClientPIN(text)).padded, random: random)
        request.keyAgreement = key
        request.newPinEnc = encrypted
        request.pinUvAuthParam = secret.authenticate(encrypted)
        _ = try pin(request)
    }

    /// The request for a token by PIN, and the secret that decrypts it.
    mutating func tokenRequest(
        _ text: String, _ permissions: PINPermissions, rpId: String? = nil
    ) throws -> (request: ClientPINRequest, secret: PINSharedSecret) {
        let (key, secret) = try agree()
        var request = ClientPINRequest(
            .getPinUvAuthTokenUsingPinWithPermissions, pinUvAuthProtocol: 2)
        request.keyAgreement = key
        request.pinHashEnc = try secret.encrypt(
            try #require(ClientPIN(text)).hash, random: random)
        request.permissions = permissions.rawValue
        request.rpId = rpId
        return (request, secret)
    }

    mutating func token(
        _ text: String, _ permissions: PINPermissions, rpId: String? = nil
    ) throws -> PINUVAuthToken {
        let (request, secret) = try tokenRequest(text, permissions, rpId: rpId)
        let encrypted = try #require(try pin(request).pinUvAuthToken)
        return try PINUVAuthToken(.two, decrypted: secret.decrypt(encrypted))
    }

    // MARK: Credentials

    /// Creates a credential and returns its id.
    mutating func create(
        _ rpId: String = "example.com", user: UInt8 = 1, discoverable: Bool = true
    ) throws -> [UInt8] {
        let cbor = try run(
            .makeCredential(TestKey.creation(rpId, user: user, discoverable: discoverable)))
        let response = try MakeCredentialResponse(cbor: cbor)
        let length = Int(response.authenticatorData[53]) << 8 | Int(response.authenticatorData[54])
        return Array(response.authenticatorData[55..<55 + length])
    }
}
