// SPDX-License-Identifier: Apache-2.0
import PIN
import PINSupport
import Primitives
import Testing

/// The reasons behind the one answer, which only log and audit see; and what is a failure instead.
@Suite struct PINRefusalTests {
    private func outcome(
        _ bytes: [UInt8], in world: PINWorld, registering device: PINTestDevice? = nil
    ) async throws -> PINOutcome {
        let request = try #require(UnverifiedPINRequest(compact: bytes))
        guard let device else {
            return try await world.endpoint.answer(request, now: PINWorld.now).outcome
        }
        let record = try #require(PINRecord(registering: device.key.publicKey))
        return try await world.endpoint.register(request, key: record, now: PINWorld.now).outcome
    }

    @Test("Every refusal has its private reason", arguments: PINRefusal.allCases)
    func reasons(_ reason: PINRefusal) async throws {
        let world = try PINWorld()
        let device = try await world.device(pin: "24681")
        let stranger = try PINTestDevice(world)
        let secret = try await device.open("24681")
        func firstOffer(_ device: PINTestDevice) async throws -> [UInt8] {
            try await device.requests.firstOffer(
                to: PINTransportKey().publicKey, nonce: world.nonce())
        }
        let found: PINOutcome
        switch reason {
        case .unknownKey: found = try await outcome(firstOffer(stranger), in: world)
        case .notSigned:
            found = try await outcome(firstOffer(stranger), in: world, registering: device)
        case .nonceUsed:
            let bytes = try await device.signInRequest(
                "24681", nonce: PINNonce(random: world.random))
            found = try await outcome(bytes, in: world)
        case .unknownVersion:
            var changed = device
            try await changed.change(from: "24681", to: "86421")
            let bytes = try await device.requests.signIn(with: secret, nonce: world.nonce())
            found = try await outcome(bytes, in: world)
        case .proofUnreadable:
            let other = try #require(
                PINProofKey(scalar: Secret([UInt8](repeating: 4, count: 32))))
            let bytes = try await device.requests.sealing(to: other.publicKey).signIn(
                with: secret, nonce: world.nonce())
            found = try await outcome(bytes, in: world)
        case .outsideRegistration: found = try await outcome(firstOffer(device), in: world)
        case .alreadyRegistered:
            found = try await outcome(firstOffer(device), in: world, registering: device)
        case .notAnOffer:
            found = try await outcome(
                device.signInRequest("24681"), in: world, registering: device)
        case .versionsExhausted:
            // Told apart in PINStateTests, where the record can be aged.
            return
        }
        #expect(found == .refused(reason))
        #expect(device.record?.attemptsUsed == 0)
    }

    @Test("An accepted sign-in says how many wrong ones came before")
    func wrongBefore() async throws {
        let world = try PINWorld(limit: 5)
        let device = try await world.device(pin: "24681")
        for _ in 0..<3 { _ = try await device.signIn("11223") }
        let first = try await outcome(device.signInRequest("24681"), in: world)
        let second = try await outcome(device.signInRequest("24681"), in: world)
        #expect(first == .accepted(version: 1, wrongBefore: 3))
        #expect(second == .accepted(version: 1, wrongBefore: 0))
    }

    @Test("An unsigned request consumes no nonce")
    func unsignedSpendsNothing() async throws {
        let world = try PINWorld()
        let device = try await world.device(pin: "24681")
        let bytes = try await device.signInRequest("24681")
        var broken = bytes
        broken[broken.count - 2] ^= 1
        #expect(try await world.answer(broken) == .refused)
        #expect(try await world.answer(bytes) == .accepted)
    }

    /// A store in which a concurrent request always comes first.
    private struct BusyStore: PINStore {
        let record: PINRecord?
        func pinRecord(of keyID: PINKeyID) async throws -> PINRecord? { record }
        func applyPINChange(
            _ successor: PINRecord?, of keyID: PINKeyID, evaluatedAt revision: Int64,
            consuming nonce: PINNonce
        ) async throws -> PINSettlement { .stale }
    }

    @Test("Who is never the fastest gets a failure and no answer")
    func contention() async throws {
        let world = try PINWorld()
        let device = try await world.device(pin: "24681")
        let endpoint = PINEndpoint(
            verifier: world.verifier, signer: world.signer,
            store: BusyStore(record: device.record))
        for pin in ["24681", "11223"] {
            let request = try #require(
                UnverifiedPINRequest(compact: try await device.signInRequest(pin)))
            let error = await #expect(throws: PINServiceError.self) {
                try await endpoint.answer(request, now: PINWorld.now)
            }
            #expect(error?.code == .contention)
        }
    }

    /// A sealing key that opens to something else.
    private struct ForgetfulKey: PINSealingKey {
        func seal(
            _ plaintext: [UInt8], context: [UInt8]
        ) async throws(PINSealingKeyError) -> [UInt8] { plaintext }
        func open(
            _ sealed: [UInt8], context: [UInt8]
        ) async throws(PINSealingKeyError) -> [UInt8] { [1, 2, 3] }
    }

    @Test("Damage and a derivation that fails are failures of the device, not wrong PINs")
    func deviceFailures() async throws {
        let world = try PINWorld()
        let device = try await world.device(pin: "24681")
        let sealed = try #require(device.state.current)
        let forgetful = PINSealer(
            key: ForgetfulKey(), stretching: .quick, random: world.random)
        await #expect(throws: PINSealingError.damaged) {
            _ = try await forgetful.open(
                sealed, of: device.requests.binding, with: DevicePIN("24681"))
        }
        let broken = PINSealer(
            key: device.sealing, stretching: PINStretching(rounds: 600_000) { _, _, _ in nil },
            random: world.random)
        await #expect(throws: PINSealingError.derivation) {
            _ = try await broken.open(
                sealed, of: device.requests.binding, with: DevicePIN("24681"))
        }
    }
}
