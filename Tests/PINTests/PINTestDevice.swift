// SPDX-License-Identifier: Apache-2.0
import PIN
import PINSupport
import PINVersion1
import Primitives
import Support
import Testing

/// One profile on one device, with everything that an SDK would do around the protocol.
struct PINTestDevice {
    let world: PINWorld
    let key: SoftwareDeviceKey
    let sealing: SoftwareSealingKey
    let requests: PINRequestSigner
    let sealer: PINSealer
    let statements: PINStatementVerifier
    var state: PINDeviceState

    init(_ world: PINWorld, issuer: String = PINWorld.issuer) throws {
        self.world = world
        key = try SoftwareDeviceKey()
        requests = try #require(
            PINRequestSigner(issuer: issuer, key: key, proofKey: world.proofKey.publicKey))
        sealing = try #require(SoftwareSealingKey(Secret(world.random.bytes(32))))
        sealer = PINSealer(
            key: sealing, stretching: .quick, version1: Argon2PINStretching(),
            random: world.random)
        statements = PINStatementVerifier(keys: world.keys, binding: requests.binding)
        state = PINDeviceState(binding: requests.binding)
    }

    var keyID: PINKeyID { requests.binding.keyID }
    var record: PINRecord? { world.table.record(keyID) }
    /// The same key in an app with an SDK before version 2.
    var version1: Version1Device { Version1Device(issuer: requests.binding.issuer, key: key) }

    mutating func enrol(_ pin: String) async throws {
        try await commit(beginEnrolment(pin))
    }

    mutating func change(from old: String, to new: String) async throws {
        try await commit(beginChange(proving: open(old), to: new))
    }

    /// All of a registration but the commit.
    mutating func beginEnrolment(_ pin: String) async throws -> OpenedPINSecret {
        let transport = PINTransportKey()
        let nonce = world.nonce()
        let answer = try await world.register(
            requests.firstOffer(to: transport.publicKey, nonce: nonce), key.publicKey)
        return try await seal(answer, transport, nonce, pin)
    }

    /// All of a change but the commit.
    mutating func beginChange(
        proving secret: OpenedPINSecret, to new: String
    ) async throws -> OpenedPINSecret {
        let transport = PINTransportKey()
        let nonce = world.nonce()
        let answer = try await world.answer(
            requests.nextOffer(to: transport.publicKey, proving: secret, nonce: nonce))
        return try await seal(answer, transport, nonce, new)
    }

    /// Stores what was delivered under the PIN.
    mutating func seal(
        _ answer: PINResponse, _ transport: consuming PINTransportKey, _ nonce: PINNonce,
        _ pin: String
    ) async throws -> OpenedPINSecret {
        guard case .delivery(let statement) = answer else { throw Unexpected(answer) }
        let delivered = try transport.open(statements.delivery(statement, answering: nonce))
        let (sealed, secret) = try await sealer.seal(delivered, under: DevicePIN(pin))
        state = try state.offering(sealed)
        return secret
    }

    mutating func commit(_ secret: OpenedPINSecret) async throws {
        let nonce = world.nonce()
        try take(try await world.answer(requests.commit(secret, nonce: nonce)), nonce)
    }

    mutating func resolve() async throws {
        let nonce = world.nonce()
        let offered = try #require(state.offered)
        try take(try await world.answer(requests.resolve(offered, nonce: nonce)), nonce)
    }

    private mutating func take(_ answer: PINResponse, _ nonce: PINNonce) throws {
        guard case .version(let statement) = answer else { throw Unexpected(answer) }
        state = try state.applying(statements.version(statement, answering: nonce))
    }

    /// What the PIN opens.
    func open(_ pin: String) async throws -> OpenedPINSecret {
        try await sealer.open(
            #require(state.signInSecret), of: requests.binding, with: DevicePIN(pin))
    }

    /// The bytes of a sign-in, unsent.
    func signInRequest(_ pin: String, nonce: PINNonce? = nil) async throws -> [UInt8] {
        try await requests.signIn(with: open(pin), nonce: nonce ?? world.nonce())
    }

    func signIn(_ pin: String) async throws -> PINResponse {
        try await world.answer(signInRequest(pin))
    }

    struct Unexpected: Error {
        let answer: PINResponse
        init(_ answer: PINResponse) { self.answer = answer }
    }
}

extension PINResponse {
    var attemptsUsed: Int? {
        if case .wrongPIN(let budget) = self { budget.used } else { nil }
    }

    var ending: [UInt8]? {
        if case .ended(let statement) = self { statement } else { nil }
    }
}
