// SPDX-License-Identifier: Apache-2.0
import PIN
import Testing

/// In version 2 the right sign-in with an offered secret activates it.
@Suite struct PINPromotionTests {
    private let right = "24681"

    /// A device whose application ended before its first sign-in.
    private func registered(_ world: PINWorld) async throws -> (PINTestDevice, OpenedPINSecret) {
        var device = try PINTestDevice(world)
        let secret = try await device.beginEnrolment(right)
        return (device, secret)
    }

    @Test("The first sign-in is the commit")
    func promotes() async throws {
        let world = try PINWorld()
        var (device, secret) = try await registered(world)
        let request = try await device.requests.signIn(with: secret, nonce: world.nonce())
        #expect(try await world.answer(request) == .accepted)
        guard case .active(let secrets) = device.record?.standing else {
            Issue.record("not active")
            return
        }
        #expect(secrets.current?.version == 1 && secrets.offered == nil)
        // The response is not signed, and changes nothing here.
        #expect(device.state.current == nil && device.state.signInSecret?.version == 1)
        #expect(try await device.signIn(right) == .accepted)
        try await device.resolve()
        #expect(device.state.current?.version == 1 && device.state.offered == nil)
        #expect(try await device.signIn(right) == .accepted)
    }

    @Test("A first secret that is active is committed again, signed, before the PIN is changed")
    func changeAfterPromotion() async throws {
        let world = try PINWorld()
        var (device, secret) = try await registered(world)
        #expect(try await device.signIn(right) == .accepted)
        try await device.commit(secret)
        #expect(device.state.current?.version == 1)
        try await device.change(from: right, to: "86421")
        #expect(try await device.signIn("86421") == .accepted)
    }

    @Test("After a restart the person types the PIN, and the first secret is the one to open")
    func afterRestart() async throws {
        let world = try PINWorld()
        let (device, _) = try await registered(world)
        #expect(device.state.signInSecret?.version == 1)
        #expect(try await device.signIn(right) == .accepted)
        // The same version proves again, whether the response arrived or not.
        #expect(try await device.signIn(right) == .accepted)
    }

    @Test("Attack 116: wrong sign-ins with an offered secret count, and the last one locks")
    func wrongPromotions() async throws {
        let world = try PINWorld(limit: 3)
        let (device, _) = try await registered(world)
        #expect(try await device.signIn("11221").attemptsUsed == 1)
        #expect(try await device.signIn("11222").attemptsUsed == 2)
        let statement = try #require(try await device.signIn("11223").ending)
        #expect(try device.statements.ending(statement).ending == .profileLocked)
        #expect(device.record?.standing == .ended(.profileLocked))
        #expect(try await device.signIn(right).ending != nil)
    }

    @Test("Attack 116: guesses at the current and at the offered secret share one limit")
    func sharedLimit() async throws {
        let world = try PINWorld(limit: 3)
        var device = try await world.device(pin: right)
        let current = try #require(device.state.current)
        _ = try await device.beginChange(proving: device.open(right), to: "86421")
        let offered = try #require(device.state.offered)
        func guess(_ sealed: SealedPINSecret) async throws -> PINResponse {
            let secret = try await device.sealer.open(
                sealed, of: device.requests.binding, with: DevicePIN("11223"))
            return try await world.answer(
                device.requests.signIn(with: secret, nonce: world.nonce()))
        }
        #expect(try await guess(offered).attemptsUsed == 1)
        #expect(try await guess(current).attemptsUsed == 2)
        #expect(try await guess(offered).ending != nil)
    }

    @Test("Attack 116: a wrong promotion activates nothing, and is answered again when repeated")
    func wrongActivatesNothing() async throws {
        let world = try PINWorld()
        let (device, secret) = try await registered(world)
        let wrong = try await device.signInRequest("11223")
        for _ in 0..<3 { #expect(try await world.answer(wrong).attemptsUsed == 1) }
        guard case .active(let secrets) = device.record?.standing else {
            Issue.record("not active")
            return
        }
        #expect(secrets.current == nil && secrets.offered?.secret.version == 1)
        let request = try await device.requests.signIn(with: secret, nonce: world.nonce())
        #expect(try await world.answer(request) == .accepted)
        #expect(try await world.answer(request) == .refused)
    }

    @Test("A promotion that arrives after the offer was withdrawn is refused")
    func latePromotion() async throws {
        let world = try PINWorld()
        var (device, secret) = try await registered(world)
        let delayed = try await device.requests.signIn(with: secret, nonce: world.nonce())
        try await device.resolve()
        #expect(device.state.offered == nil && device.state.current == nil)
        #expect(try await world.answer(delayed) == .refused)
        #expect(device.record?.attemptsUsed == 0)
    }

    @Test("A promotion in a change deletes the old secret")
    func promotionInChange() async throws {
        let world = try PINWorld()
        var device = try await world.device(pin: right)
        let old = try await device.open(right)
        let new = try await device.beginChange(proving: old, to: "86421")
        let request = try await device.requests.signIn(with: new, nonce: world.nonce())
        #expect(try await world.answer(request) == .accepted)
        let late = try await device.requests.signIn(with: old, nonce: world.nonce())
        #expect(try await world.answer(late) == .refused)
        // The unsigned response deletes nothing here: the device asks which secret is active.
        #expect(device.state.signInSecret == nil)
        try await device.resolve()
        #expect(device.state.current?.version == 2)
    }

    @Test(
        "Another secret for the same registration makes the first one unknown, and counts nothing")
    func lateOffer() async throws {
        let world = try PINWorld()
        var (device, _) = try await registered(world)
        // A request of an attempt that was cut off arrives late.
        let late = try await device.requests.firstOffer(
            to: PINTransportKey().publicKey, nonce: world.nonce())
        guard case .delivery = try await world.register(late, device.key.publicKey) else {
            Issue.record("no delivery")
            return
        }
        #expect(try await device.signIn(right) == .refused)
        #expect(device.record?.attemptsUsed == 0)
        try await device.resolve()
        #expect(device.state.current == nil && device.state.offered == nil)
        try await device.enrol(right)
        #expect(try await device.signIn(right) == .accepted)
    }
}
