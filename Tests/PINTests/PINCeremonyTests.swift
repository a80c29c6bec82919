// SPDX-License-Identifier: Apache-2.0
import PIN
import Synchronization
import Testing

/// The ceremonies of docs/protocols/pin.md, whole and interrupted.
@Suite struct PINCeremonyTests {
    private let old = "24681"
    private let new = "86421"

    @Test("A person registers, signs in, mistypes, and signs in again")
    func whole() async throws {
        let world = try PINWorld(limit: 3)
        let device = try await world.device(pin: old)
        #expect(try await device.signIn(old) == .accepted)
        #expect(try await device.signIn("11223").attemptsUsed == 1)
        #expect(try await device.signIn("11223").attemptsUsed == 2)
        #expect(try await device.signIn(old) == .accepted)
        #expect(try await device.signIn("11223").attemptsUsed == 1)
    }

    @Test("After a change the new PIN counts and the old one does not")
    func change() async throws {
        let world = try PINWorld()
        var device = try await world.device(pin: old)
        try await device.change(from: old, to: new)
        #expect(device.state.current?.version == 2)
        #expect(try await device.signIn(old).attemptsUsed == 1)
        #expect(try await device.signIn(new) == .accepted)
    }

    @Test("An offer asked for again, because the answer was lost, is the same secret")
    func offerAgain() async throws {
        let world = try PINWorld()
        var device = try PINTestDevice(world)
        let transport = PINTransportKey()
        var answer = PINResponse.refused
        var nonce = world.nonce()
        for _ in 0..<3 {
            nonce = world.nonce()
            answer = try await world.register(
                device.requests.firstOffer(to: transport.publicKey, nonce: nonce),
                device.key.publicKey)
        }
        let secret = try await device.seal(answer, transport, nonce, old)
        try await device.commit(secret)
        #expect(device.state.current?.version == 1)
        #expect(try await device.signIn(old) == .accepted)
    }

    @Test("Another transport key gets another secret, and the first one never counts")
    func offerForAnother() async throws {
        let world = try PINWorld()
        var device = try PINTestDevice(world)
        var dead = device
        let deadSecret = try await dead.beginEnrolment(old)
        try await device.enrol(new)
        #expect(device.state.current?.version == 2)
        let late = try await device.requests.commit(deadSecret, nonce: world.nonce())
        #expect(try await world.answer(late) == .refused)
        #expect(try await device.signIn(new) == .accepted)
    }

    @Test("A registered PIN is not replaced by registering again")
    func registeredTwice() async throws {
        let world = try PINWorld()
        let device = try await world.device(pin: old)
        let offer = try await device.requests.firstOffer(
            to: PINTransportKey().publicKey, nonce: world.nonce())
        #expect(try await world.register(offer, device.key.publicKey) == .refused)
    }

    @Test("Outside a registration no first secret is issued, not even with the device key")
    func outsideRegistration() async throws {
        let world = try PINWorld()
        let device = try PINTestDevice(world)
        func offer() async throws -> [UInt8] {
            try await device.requests.firstOffer(
                to: PINTransportKey().publicKey, nonce: world.nonce())
        }
        #expect(try await world.answer(offer()) == .refused)
        // Offered, and not committed: still a registration's business.
        guard case .delivery = try await world.register(offer(), device.key.publicKey) else {
            Issue.record("no delivery")
            return
        }
        #expect(try await world.answer(offer()) == .refused)
    }

    @Test("Within a registration nothing but an offer is heard")
    func nothingElseInRegistration() async throws {
        let world = try PINWorld()
        let device = try await world.device(pin: old)
        let bytes = try await device.signInRequest(old)
        #expect(try await world.register(bytes, device.key.publicKey) == .refused)
    }

    @Test("A registration is for the key that was verified, not for the one that asks")
    func registrationOfAnotherKey() async throws {
        let world = try PINWorld()
        let (device, other) = (try PINTestDevice(world), try PINTestDevice(world))
        let offer = try await device.requests.firstOffer(
            to: PINTransportKey().publicKey, nonce: world.nonce())
        #expect(try await world.register(offer, other.key.publicKey) == .refused)
        #expect(world.table.records.isEmpty)
    }

    // MARK: Killed in between

    @Test("Killed before storing the new secret: the old PIN goes on")
    func killedBeforeStoring() async throws {
        let world = try PINWorld()
        let device = try await world.device(pin: old)
        _ = try await world.answer(
            device.requests.nextOffer(
                to: PINTransportKey().publicKey, proving: device.open(old), nonce: world.nonce()))
        #expect(try await device.signIn(old) == .accepted)
    }

    @Test("Killed before the commit: no PIN is requested until the server has stated the version")
    func killedBeforeCommit() async throws {
        let world = try PINWorld()
        var device = try await changing(world, committing: false)
        #expect(device.state.signInSecret == nil)
        try await device.resolve()
        #expect(device.state.signInSecret?.version == 1)
        #expect(try await device.signIn(old) == .accepted)
        #expect(try await device.signIn(new).attemptsUsed == 1)
    }

    @Test("Killed while the commit was answered: the new PIN counts")
    func killedAfterCommit() async throws {
        let world = try PINWorld()
        var device = try await changing(world, committing: true)
        try await device.resolve()
        #expect(device.state.signInSecret?.version == 2)
        #expect(try await device.signIn(new) == .accepted)
    }

    @Test("A commit that arrives after the device gave up comes too late")
    func lateCommit() async throws {
        let world = try PINWorld()
        var device = try await world.device(pin: old)
        let secret = try await device.beginChange(proving: device.open(old), to: new)
        let delayed = try await device.requests.commit(secret, nonce: world.nonce())
        try await device.resolve()
        #expect(try await world.answer(delayed) == .refused)
        #expect(try await device.signIn(old) == .accepted)
    }

    @Test("A resolution that arrives late says nothing about the change that came after")
    func lateResolution() async throws {
        let world = try PINWorld()
        var device = try await changing(world, committing: false)
        let abandoned = try #require(device.state.offered)
        let delayed = try await device.requests.resolve(abandoned, nonce: world.nonce())
        try await device.resolve()
        let secret = try await device.beginChange(proving: device.open(old), to: new)
        _ = try await world.answer(delayed)
        try await device.commit(secret)
        #expect(try await device.signIn(new) == .accepted)
    }

    @Test("A commit whose answer was lost is answered like the first")
    func commitAgain() async throws {
        let world = try PINWorld()
        var device = try await world.device(pin: old)
        let secret = try await device.open(old)
        let before = device.state
        try await device.commit(secret)
        #expect(device.state == before)
    }

    @Test("A registration that was not committed starts again")
    func unfinishedRegistration() async throws {
        let world = try PINWorld()
        var device = try PINTestDevice(world)
        _ = try await device.beginEnrolment(old)
        try await device.resolve()
        #expect(device.state.current == nil && device.state.offered == nil)
        try await device.enrol(new)
        #expect(try await device.signIn(new) == .accepted)
    }

    /// A device whose application was killed in a change of the PIN.
    private func changing(
        _ world: PINWorld, committing: Bool
    ) async throws -> PINTestDevice {
        var device = try await world.device(pin: old)
        let secret = try await device.beginChange(proving: device.open(old), to: new)
        if committing {
            _ = try await world.answer(device.requests.commit(secret, nonce: world.nonce()))
        }
        return device
    }

    // MARK: The end

    @Test("A lock whose answer was lost is told again, signed, whatever is asked")
    func endAgain() async throws {
        let world = try PINWorld(limit: 1)
        let device = try await world.device(pin: old)
        let secret = try await device.open(old)
        let lost = try await device.signInRequest("11223")
        _ = try await world.answer(lost)
        let requests = [
            lost, try await device.signInRequest(old),
            try await device.requests.commit(secret, nonce: world.nonce()),
            try await device.requests.signIn(with: secret, nonce: PINNonce(random: world.random)),
        ]
        for request in requests {
            let statement = try #require(try await world.answer(request).ending)
            let ending = try device.statements.ending(statement)
            #expect(ending.ending == .profileLocked)
            #expect(try device.state.wiped(by: ending).current == nil)
        }
    }

    @Test("A revoked device is told so, signed; a locked one stays locked")
    func revoked() async throws {
        let world = try PINWorld(limit: 1)
        let device = try await world.device(pin: old)
        let bytes = try await device.signInRequest(old)
        world.table.revoke(device.keyID)
        let statement = try #require(try await world.answer(bytes).ending)
        #expect(try device.statements.ending(statement).ending == .deviceRevoked)
        let locked = try await world.device(pin: old)
        _ = try await locked.signIn("11223")
        world.table.revoke(locked.keyID)
        #expect(locked.record?.standing == .ended(.profileLocked))
    }

    @Test("An ended key is never registered again")
    func endedKey() async throws {
        let world = try PINWorld()
        let device = try await world.device(pin: old)
        world.table.revoke(device.keyID)
        let offer = try await device.requests.firstOffer(
            to: PINTransportKey().publicKey, nonce: world.nonce())
        #expect(try await world.register(offer, device.key.publicKey).ending != nil)
    }

    @Test("Without the vault's key requests fail, and nothing is counted or forgotten")
    func brokenVault() async throws {
        let world = try PINWorld()
        let device = try await world.device(pin: old)
        let before = device.record
        let requests = [
            try await device.signInRequest("11223"), try await device.signInRequest(old),
        ]
        world.vault.isBroken.withLock { $0 = true }
        for bytes in requests {
            await #expect(throws: PINServiceError.self) { try await world.answer(bytes) }
        }
        #expect(device.record == before)
        world.vault.isBroken.withLock { $0 = false }
        #expect(try await world.answer(requests[1]) == .accepted)
    }
}
