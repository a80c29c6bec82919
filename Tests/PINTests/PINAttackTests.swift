// SPDX-License-Identifier: Apache-2.0
import JOSE
import PIN
import Primitives
import Support
import Testing

/// What a thief, an eavesdropper and a busy guesser try (docs/protocols/pin.md, "What a thief can
/// do").
@Suite struct PINAttackTests {
    private let right = "24681"

    private func wrongPINs(_ count: Int) -> [String] {
        (0..<count).map { "9\(String(1000 + $0))" }
    }

    // MARK: Guessing

    @Test("Attack 36: a hundred guesses at once are answered as often as the limit allows")
    func parallelGuesses() async throws {
        let world = try PINWorld(limit: 3)
        let device = try await world.device(pin: right)
        let pins = wrongPINs(60) + [right] + wrongPINs(39)
        let answers = try await withThrowingTaskGroup { group in
            for pin in pins {
                let bytes = try await device.signInRequest(pin)
                group.addTask { await Self.patient { try await world.answer(bytes) } }
            }
            return try await group.reduce(into: [PINResponse]()) { $0.append($1) }
        }
        let accepted = answers.count { $0 == .accepted }
        let wrong = answers.count { $0.attemptsUsed != nil }
        let isLocked = device.record?.standing == .ended(.profileLocked)
        #expect(isLocked)
        // Two wrong ones may come before the right one, two after it, and the last locks.
        #expect(accepted <= 1)
        #expect(wrong <= (accepted == 1 ? 4 : 2))
        #expect(answers.count { $0.ending != nil } == answers.count - accepted - wrong)
    }

    /// Tries again when too many were faster, as a client does on 503.
    private static func patient(_ body: () async throws -> PINResponse) async -> PINResponse {
        while true {
            if let answer = try? await body() { return answer }
            await Task.yield()
        }
    }

    @Test("Attack 36: a correct guess that was verified before the lock is not accepted after it")
    func rightGuessJudgedEarly() async throws {
        let world = try PINWorld(limit: 2)
        let device = try await world.device(pin: right)
        let request = try #require(
            UnverifiedPINRequest(compact: try await device.signInRequest(right)))
        let record = try #require(device.record)
        let early = try world.verifier.verify(request, record)
        #expect(early.outcome == .accepted(version: 1, wrongBefore: 0))
        for pin in wrongPINs(2) { _ = try await device.signIn(pin) }
        let settled = try await world.table.applyPINChange(
            early.successor, of: device.keyID, evaluatedAt: record.revision,
            consuming: request.nonce)
        #expect(settled == .stale)
        let reply = try await world.endpoint.answer(request, now: PINWorld.now)
        #expect(reply.outcome == .ended(.profileLocked))
    }

    @Test("Attack 36: a correct proof always has a successor to save, whatever it changes")
    func rightIsSettled() async throws {
        let world = try PINWorld()
        let device = try await world.device(pin: right)
        for _ in 0..<3 {
            let request = try #require(
                UnverifiedPINRequest(compact: try await device.signInRequest(right)))
            let record = try #require(device.record)
            let judgement = try world.verifier.verify(request, record)
            #expect(judgement.successor?.revision == record.revision + 1)
            _ = try await world.endpoint.answer(request, now: PINWorld.now)
        }
    }

    @Test("Attack 36: wrong proofs of a change and of a commit count as those of a sign-in do")
    func everyProofCounts() async throws {
        let world = try PINWorld(limit: 3)
        let device = try await world.device(pin: right)
        let wrong = try await device.open("11223")
        let change = try await device.requests.nextOffer(
            to: PINTransportKey().publicKey, proving: wrong, nonce: world.nonce())
        #expect(try await world.answer(change).attemptsUsed == 1)
        let commit = try await device.requests.commit(wrong, nonce: world.nonce())
        #expect(try await world.answer(commit).attemptsUsed == 2)
        #expect(try await device.signIn("11223").ending != nil)
    }

    @Test("Attack 36: only a right proof clears the count")
    func nothingElseClears() async throws {
        let world = try PINWorld(limit: 3)
        var device = try await world.device(pin: right)
        #expect(try await device.signIn("11223").attemptsUsed == 1)
        let offer = try await device.requests.firstOffer(
            to: PINTransportKey().publicKey, nonce: world.nonce())
        #expect(try await world.register(offer, device.key.publicKey) == .refused)
        #expect(try await world.answer(offer) == .refused)
        #expect(device.record?.attemptsUsed == 1)
        try await device.change(from: right, to: "86421")
        #expect(device.record?.attemptsUsed == 0)
    }

    @Test("Attack 36: the last wrong one destroys the secrets, and the right PIN comes too late")
    func lock() async throws {
        let world = try PINWorld(limit: 2)
        let device = try await world.device(pin: right)
        let late = try await device.signInRequest(right)
        #expect(try await device.signIn("11223").attemptsUsed == 1)
        let statement = try #require(try await device.signIn("11223").ending)
        #expect(device.record?.standing == .ended(.profileLocked))
        #expect(try await world.answer(late).ending != nil)
        #expect(try device.statements.ending(statement).ending == .profileLocked)
    }

    // MARK: Repeating

    @Test("Attack 36: a wrong sign-in that is sent again is answered again and not counted again")
    func replayOfWrong() async throws {
        let world = try PINWorld(limit: 3)
        let device = try await world.device(pin: right)
        let bytes = try await device.signInRequest("11223")
        for _ in 0..<10 { #expect(try await world.answer(bytes).attemptsUsed == 1) }
        #expect(device.record?.attemptsUsed == 1)
        // Nor when another came between.
        #expect(try await device.signIn("11224").attemptsUsed == 2)
        #expect(try await world.answer(bytes) == .refused)
        #expect(device.record?.attemptsUsed == 2)
    }

    @Test("Attack 36: a right sign-in that is sent again is refused")
    func replayOfRight() async throws {
        let world = try PINWorld()
        let device = try await world.device(pin: right)
        let bytes = try await device.signInRequest(right)
        #expect(try await world.answer(bytes) == .accepted)
        for _ in 0..<3 { #expect(try await world.answer(bytes) == .refused) }
        #expect(try await device.signIn(right) == .accepted)
    }

    @Test(
        "A nonce that the server did not issue, or issued to another key, is refused and not counted"
    )
    func foreignNonce() async throws {
        let world = try PINWorld()
        let device = try await world.device(pin: right)
        for pin in [right, "11223"] {
            let bytes = try await device.signInRequest(pin, nonce: PINNonce(random: world.random))
            #expect(try await world.answer(bytes) == .refused)
        }
        #expect(device.record?.attemptsUsed == 0)
    }

    @Test("Another proof that replaces the signed one is not an attempt")
    func swappedProof() async throws {
        let world = try PINWorld()
        let device = try await world.device(pin: right)
        let bytes = try await device.signInRequest(right)
        let parts = String(decoding: bytes, as: UTF8.self).split(separator: ".").map(String.init)
        var payload = try JSONParser.parseObject(
            #require(Base64URL.decode(parts[1])), maximumBytes: 4_096)
        payload["ct"] = .string(Base64URL.encode([UInt8](repeating: 7, count: 48)))
        let forged = [parts[0], Base64URL.encode(payload.bytes), parts[2]]
        #expect(try await world.answer(Array(forged.joined(separator: ".").utf8)) == .refused)
        #expect(device.record?.attemptsUsed == 0)
        #expect(try await world.answer(bytes) == .accepted)
    }

    // MARK: Swapping

    @Test("Attack 63: one kind of message does not pass for another")
    func swappedKinds() async throws {
        let world = try PINWorld()
        let device = try await world.device(pin: right)
        let secret = try await device.open(right)
        let nonce = world.nonce()
        let signIn = try await device.requests.signIn(with: secret, nonce: nonce)
        let commit = try await device.requests.commit(secret, nonce: nonce)
        // The header of one with payload and signature of the other.
        let (first, second) = (signIn.split(separator: 0x2E), commit.split(separator: 0x2E))
        for mixed in [[second[0], first[1], first[2]], [first[0], second[1], second[2]]] {
            #expect(try await world.answer(Array(mixed.joined(separator: [0x2E]))) == .refused)
        }
        #expect(device.record?.attemptsUsed == 0)
    }

    @Test("Attack 3: what one device signed is nothing for another device of the same person")
    func swappedDevices() async throws {
        let world = try PINWorld(limit: 2)
        let mine = try await world.device(pin: right)
        let other = try await world.device(pin: right)
        let stolen = other.record
        // A signature of mine under the key id of the other, and the other way round.
        let request = try await mine.signInRequest("11223")
        let parts = request.split(separator: 0x2E)
        let header = try #require(
            PINWorldText.replacing(mine.keyID.text, by: other.keyID.text, in: Array(parts[0])))
        let forged = Array([header[...], parts[1], parts[2]].joined(separator: [0x2E]))
        #expect(try await world.answer(forged) == .refused)
        // The other's sealed secret, opened with mine, proves nothing for me.
        let sealed = try #require(other.state.signInSecret)
        await #expect(throws: PINSealingError.sealingKey(.refused)) {
            _ = try await mine.sealer.open(
                sealed, of: mine.requests.binding, with: DevicePIN(right))
        }
        for _ in 0..<2 { _ = try await mine.signIn("11223") }
        #expect(mine.record?.standing == .ended(.profileLocked))
        #expect(other.record == stolen)
        #expect(try await other.signIn(right) == .accepted)
    }

    @Test("A request for one issuer is nothing at another, though both know the key")
    func swappedIssuers() async throws {
        let world = try PINWorld()
        let device = try await world.device(pin: right)
        let elsewhere = PINVerifier(
            issuer: "https://id.example/p/other", limit: .standard, vault: world.vault,
            proofKeys: [world.proofKey], random: world.random)
        let request = try #require(
            UnverifiedPINRequest(compact: try await device.signInRequest(right)))
        #expect(try elsewhere.verify(request, device.record).outcome == .refused(.notSigned))
    }

    @Test("Attack 39: a key that is not known and a signature that is wrong have one answer")
    func uniformRefusals() async throws {
        let world = try PINWorld()
        let known = try await world.device(pin: right)
        let stranger = try PINTestDevice(world)
        let offer = try await stranger.requests.firstOffer(
            to: PINTransportKey().publicKey, nonce: world.nonce())
        var broken = try await known.signInRequest(right)
        broken[broken.count - 2] ^= 1
        let answers = [try await world.answer(offer), try await world.answer(broken)]
        #expect(answers.allSatisfy { $0 == .refused })
        #expect(Set(answers.map { $0.members.count }) == [1])
    }

    // MARK: Stealing

    private static let nonce = PINNonce(random: SeededRandom(seed: 9))

    /// What an opened secret proves for one nonce, as only the provider sees it.
    private static func proof(
        of secret: OpenedPINSecret, by device: PINTestDevice
    ) async throws -> [UInt8] {
        let request = try await device.requests.signIn(with: secret, nonce: nonce)
        let payload = try JSONParser.parseObject(
            #require(Base64URL.decode(bytes: request.split(separator: 0x2E)[1])),
            maximumBytes: 4_096)
        return try PINWorldText.openProof(
            payload, with: PINWorld.proofScalar, nonce, device.requests.binding)
    }

    @Test("A stolen store: every PIN opens it to a secret that could be the one")
    func stolenStore() async throws {
        let world = try PINWorld()
        let device = try await world.device(pin: right)
        var proofs: Set<[UInt8]> = []
        for pin in wrongPINs(200) + [right] {
            // Nothing is thrown, everything has the same form, and nothing repeats.
            let opened = try await device.open(pin)
            proofs.insert(try await Self.proof(of: opened, by: device))
        }
        #expect(proofs.count == 201)
        #expect(Set(proofs.map(\.count)).count == 1)
        // Trying them means asking, and that ends.
        let answers = try await [device.signIn("91000"), device.signIn("91001")]
        #expect(answers.map(\.attemptsUsed) == [1, 2])
        #expect(try await device.signIn("91002").ending != nil)
    }

    @Test("A stolen store holds neither the PIN, nor its length, nor the secret")
    func stolenStoreContent() async throws {
        let world = try PINWorld()
        let short = try await world.device(pin: right)
        let long = try await world.device(pin: "246813579246")
        #expect(short.state.json.count == long.state.json.count)
        let secret = try #require(world.vault.secret(of: short.record))
        for hidden in [Base64URL.encode(secret), right] {
            #expect(!String(decoding: short.state.json, as: UTF8.self).contains(hidden))
        }
    }

    @Test("A stolen database: a secret makes proofs that no device signed")
    func stolenDatabase() async throws {
        let world = try PINWorld()
        let device = try await world.device(pin: right)
        // The thief has the record, and even the vault key; their own key signs.
        let thief = try PINTestDevice(world)
        let proving = try await device.open(right)
        let bytes = try await thief.requests.signIn(with: proving, nonce: world.nonce())
        #expect(try await world.answer(bytes) == .refused)
        let parts = bytes.split(separator: 0x2E)
        let header = try #require(
            PINWorldText.replacing(thief.keyID.text, by: device.keyID.text, in: Array(parts[0])))
        let forged = Array([header[...], parts[1], parts[2]].joined(separator: [0x2E]))
        #expect(try await world.answer(forged) == .refused)
        #expect(device.record?.attemptsUsed == 0)
    }

    @Test("A stolen database holds secrets under the vault's key only, bound to their row")
    func stolenDatabaseContent() async throws {
        let world = try PINWorld()
        let (first, second) = (
            try await world.device(pin: right), try await world.device(pin: right)
        )
        let row = try #require(first.record)
        let text = String(decoding: row.json, as: UTF8.self)
        #expect(!text.contains(right))
        let secret = try #require(world.vault.secret(of: row))
        #expect(!text.contains(Base64URL.encode(secret)))
        #expect(secret != world.vault.secret(of: second.record))
        // One row's sealed secret in another row does not open.
        let other = try #require(second.record)
        let moved = try #require(PINWorldText.moving(secretOf: row, to: other))
        let request = try #require(
            UnverifiedPINRequest(compact: try await second.signInRequest(right)))
        #expect(throws: PINServiceError.self) { try world.verifier.verify(request, moved) }
    }

    @Test(
        "With both stores and the protector's key the PIN is found, and still cannot be used to sign in"
    )
    func bothStolen() async throws {
        let world = try PINWorld()
        let device = try await world.device(pin: right)
        let secret = try #require(world.vault.secret(of: device.record))
        // What remains, said in the documentation, must not be more than what is said there:
        // finding it takes one PBKDF2 for each PIN and a secret to compare with.
        var found: [String] = []
        let known = PINWorldText.signInProof(
            with: secret, version: 1, Self.nonce, device.requests.binding)
        for pin in wrongPINs(50) + [right] {
            let opened = try await device.open(pin)
            if try await Self.proof(of: opened, by: device) == known { found.append(pin) }
        }
        #expect(found == [right])
        let thief = try PINTestDevice(world)
        let bytes = try await thief.requests.signIn(
            with: device.open(right), nonce: world.nonce())
        #expect(try await world.answer(bytes) == .refused)
    }

    @Test("A restored older copy of the store gains nothing")
    func rolledBackStore() async throws {
        let world = try PINWorld(limit: 3)
        var device = try await world.device(pin: right)
        let old = device.state
        try await device.change(from: right, to: "86421")
        for _ in 0..<2 { _ = try await device.signIn("11223") }
        device.state = old
        // The server has deleted the old secret, and the count is unchanged.
        #expect(try await device.signIn(right) == .refused)
        #expect(device.record?.attemptsUsed == 2)
    }
}
