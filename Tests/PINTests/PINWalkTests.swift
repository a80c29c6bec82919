// SPDX-License-Identifier: Apache-2.0
import PIN
import Support
import Testing

/// The real code through what docs/protocols/pin.pml explores: a network that loses, delays and
/// repeats, an application that is killed, a person who mistypes. Each seed is one history.
@Suite struct PINWalkTests {
    @Test(
        "Whatever is lost, delayed, repeated or killed, both sides come to agree",
        arguments: 0..<80)
    func walk(_ seed: Int) async throws {
        var walk = try PINWalk(seed: UInt64(seed))
        for _ in 0..<30 {
            try await walk.step()
            walk.checkAgreement()
        }
        try await walk.calmDown()
        walk.checkAgreement()
        if let record = walk.device.record, case .active(let secrets) = record.standing {
            #expect(secrets.current?.version == walk.device.state.signInSecret?.version)
            #expect(try await walk.device.signIn(walk.pin) == .accepted)
        } else {
            #expect(walk.device.state.ending == .profileLocked)
            #expect(walk.wrongNonces.count >= 3)
        }
    }
}

/// One history.
private struct PINWalk {
    private let world: PINWorld
    private let random: SeededRandom
    var device: PINTestDevice
    /// The PIN that the person remembers for each version that they were told counts.
    private var pins: [UInt32: String] = [:]
    private var nextPIN = 10_000
    /// Everything that was ever sent, to be repeated.
    private var sent: [[UInt8]] = []
    /// Sent and not yet there.
    private var underWay: [[UInt8]] = []
    private var isCalm = false
    /// Nonces for which a wrong PIN was typed.
    private(set) var wrongNonces: Set<PINNonce> = []

    /// The application was killed, or the person went away.
    private struct Stopped: Error {}

    init(seed: UInt64) throws {
        world = try PINWorld(limit: 3)
        random = SeededRandom(seed: seed)
        device = try PINTestDevice(world)
    }

    var pin: String { pins[device.state.signInSecret?.version ?? 0] ?? "" }

    private func chance(_ percent: UInt64) -> Bool { !isCalm && random.next() % 100 < percent }

    // MARK: Properties

    /// The secret that counts is among those on the device; every counted attempt was typed.
    func checkAgreement() {
        guard let record = device.record else { return }
        #expect(record.attemptsUsed <= wrongNonces.count)
        guard case .active(let secrets) = record.standing, let current = secrets.current else {
            return
        }
        let held = [device.state.current?.version, device.state.offered?.version]
        #expect(held.contains(current.version))
    }

    // MARK: Network

    /// The answer, unless something on the way there or back went wrong.
    private mutating func send(
        _ bytes: [UInt8], registering: Bool = false
    ) async throws -> PINResponse? {
        sent.append(bytes)
        if chance(10) {
            let place = Int(random.next() % UInt64(sent.count))
            _ = try await arrive(sent[place], registering: false)
        }
        if chance(30), !underWay.isEmpty {
            _ = try await arrive(underWay.removeFirst(), registering: false)
        }
        if chance(8) { return nil }
        if chance(8) {
            underWay.append(bytes)
            return nil
        }
        let answer = try await arrive(bytes, registering: registering)
        return chance(12) ? nil : answer
    }

    private func arrive(_ bytes: [UInt8], registering: Bool) async throws -> PINResponse {
        registering
            ? try await world.register(bytes, device.key.publicKey) : try await world.answer(bytes)
    }

    /// Sends, again and again while nothing comes back, unless the application is killed.
    private mutating func ask(
        registering: Bool = false, _ request: (PINTestDevice) async throws -> [UInt8]
    ) async throws -> PINResponse {
        while true {
            if chance(8) { throw Stopped() }
            let bytes = try await request(device)
            guard let answer = try await send(bytes, registering: registering) else { continue }
            if case .ended(let statement) = answer {
                device.state = try device.state.wiped(by: device.statements.ending(statement))
                throw Stopped()
            }
            return answer
        }
    }

    // MARK: Person

    /// Performs one action of a person, possibly incompletely.
    mutating func step() async throws {
        do {
            guard device.state.ending == nil else { return }
            // The first secret is activated by a sign-in, or its registration is begun again.
            if device.state.signInSecret == nil || chance(10), device.state.offered != nil {
                try await resolve()
            }
            guard device.state.signInSecret != nil else { return try await enrol() }
            if random.next() % 3 == 0 { try await change() } else { try await signIn() }
        } catch is Stopped {}
    }

    /// The network is sound from here on; what is under way arrives.
    mutating func calmDown() async throws {
        isCalm = true
        for bytes in underWay { _ = try await arrive(bytes, registering: false) }
        if device.state.ending == nil, device.state.signInSecret == nil,
            device.state.offered != nil
        {
            do { try await resolve() } catch is Stopped {}
        }
        while device.state.ending == nil, try await !isSignedIn() {}
        // Locked, and not yet told.
        if device.record?.standing == .ended(.profileLocked), device.state.ending == nil {
            do { try await signIn() } catch is Stopped {}
        }
    }

    /// Whether a sign-in is accepted now. Registers again if there is no secret.
    private mutating func isSignedIn() async throws -> Bool {
        do {
            if device.state.signInSecret == nil { try await enrol() }
            return try await signIn()
        } catch is Stopped { return false }
    }

    private mutating func resolve() async throws {
        while device.state.offered != nil {
            let nonce = world.nonce()
            let offered = try #require(device.state.offered)
            let answer = try await ask { try await $0.requests.resolve(offered, nonce: nonce) }
            try take(answer, nonce)
        }
    }

    private mutating func take(_ answer: PINResponse, _ nonce: PINNonce) throws {
        guard case .version(let statement) = answer else { return }
        device.state = try device.state.applying(
            device.statements.version(statement, answering: nonce))
    }

    private mutating func enrol() async throws {
        let transport = PINTransportKey()
        let key = transport.publicKey
        while true {
            let nonce = world.nonce()
            let answer = try await ask(registering: true) {
                try await $0.requests.firstOffer(to: key, nonce: nonce)
            }
            guard case .delivery = answer else { continue }
            return try await sealAndCommit(answer, transport, nonce)
        }
    }

    private mutating func change() async throws {
        if device.state.offered != nil {
            // The first secret: commit it, so that the state says current.
            let nonce = world.nonce()
            let opened = try await device.open(typed(for: nonce))
            try take(try await ask { try await $0.requests.commit(opened, nonce: nonce) }, nonce)
        }
        guard device.state.offered == nil else { return }
        let transport = PINTransportKey()
        let nonce = world.nonce()
        let key = transport.publicKey
        let opened = try await device.open(typed(for: nonce))
        let answer = try await ask {
            try await $0.requests.nextOffer(to: key, proving: opened, nonce: nonce)
        }
        guard case .delivery = answer else { return }
        try await sealAndCommit(answer, transport, nonce)
    }

    private mutating func sealAndCommit(
        _ answer: PINResponse, _ transport: consuming PINTransportKey, _ nonce: PINNonce
    ) async throws {
        if chance(10) { throw Stopped() }
        nextPIN += 1
        let secret = try await device.seal(answer, transport, nonce, String(nextPIN))
        pins[secret.version] = String(nextPIN)
        if chance(10) || device.state.current == nil { throw Stopped() }
        while device.state.offered != nil {
            let nonce = world.nonce()
            let answer = try await ask { try await $0.requests.commit(secret, nonce: nonce) }
            try take(answer, nonce)
            if case .refused = answer { try await resolve() }
        }
    }

    @discardableResult
    private mutating func signIn() async throws -> Bool {
        let nonce = world.nonce()
        let opened = try await device.open(typed(for: nonce))
        // The same bytes, however often.
        let bytes = try await device.requests.signIn(with: opened, nonce: nonce)
        let answer = try await ask { _ in bytes }
        // The offer was withdrawn, or the lost response was that of this request.
        if answer == .refused, device.state.offered != nil { try await resolve() }
        return answer == .accepted
    }

    /// What the person types: usually the right PIN.
    private mutating func typed(for nonce: PINNonce) -> String {
        guard !chance(15) else {
            wrongNonces.insert(nonce)
            return "99999"
        }
        return pin
    }
}
