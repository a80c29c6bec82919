// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import HTTPTypes
import JOSE
import PIN
import Primitives
import ProviderCore
import Storage
import Support
import Testing

/// What a thief, an eavesdropper and a busy guesser try at the provider's endpoints
/// (docs/protocols/pin.md, "What a thief can do").
@Suite struct PINThiefTests {
    private let house: RegistrationHouse
    private let right = "24681"

    init() async throws { house = try await RegistrationHouse() }

    private func device(attempts: Int64 = 3) async throws -> AppDevice {
        try await house.change { $0.policy.registration.pin.attempts = attempts }
        return try await AppDevice.registered(in: house, pin: right)
    }

    private func stored(_ device: AppDevice) async throws -> StoredPIN {
        try #require(
            try await house.provider.store.pins.pin(
                of: device.key.key.jwk.thumbprint, in: house.oauth.tenant.project.id))
    }

    /// A client that is told "later" asks again.
    private func patiently(
        _ device: AppDevice, _ request: [UInt8]
    ) async throws -> AppDevice.SignIn {
        while true {
            let answer = try await device.send(request)
            if answer.status != 503 { return answer }
            await Task.yield()
        }
    }

    /// At once; the answers in the order of the requests.
    private func sendAll(
        _ requests: [(AppDevice, [UInt8])]
    ) async throws -> [AppDevice.SignIn] {
        try await withThrowingTaskGroup(of: (Int, AppDevice.SignIn).self) { group in
            for (number, (device, request)) in requests.enumerated() {
                group.addTask { (number, try await patiently(device, request)) }
            }
            let answers = try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            return requests.indices.compactMap { answers[$0] }
        }
    }

    @Test("Attack 36: guesses in parallel are answered as often as the limit allows")
    func parallel() async throws {
        let device = try await device(attempts: 3)
        var requests: [(AppDevice, [UInt8])] = []
        for guess in 0..<24 {
            let pin = guess == 13 ? right : "9\(1000 + guess)"
            requests.append((device, try await device.signInRequest(pin)))
        }
        var answers = try await sendAll(requests)
        // The lock may come between the verification of the correct proof and its tokens: then the
        // response is neither.
        let opener = answers.remove(at: 13).code
        #expect(opener != "wrong_pin")
        let wrong = answers.count { $0.code == "wrong_pin" }
        // Two wrong ones may come before the right one, two after it, and the last locks.
        #expect(wrong <= (opener == "ended" ? 2 : 4))
        #expect(answers.count { $0.code == "ended" } == answers.count - wrong)
        #expect(try await stored(device).ending == "profile_locked")
    }

    @Test("Two guesses from a copied device are counted one after the other")
    func twoCopies() async throws {
        let device = try await device(attempts: 2)
        let copy = device
        let answers = try await sendAll([
            (device, try await device.signInRequest("11221")),
            (copy, try await copy.signInRequest("11222")),
        ])
        #expect(Set(answers.map(\.code)) == ["wrong_pin", "ended"])
    }

    @Test("Replay: a right sign-in opens once, a wrong one is counted once")
    func replay() async throws {
        let device = try await device()
        let good = try await device.signInRequest(right)
        #expect(try await device.send(good).isAccepted)
        let again = try await device.send(good)
        #expect(!again.isAccepted && again.code == "refused")
        let bad = try await device.signInRequest("11223")
        for _ in 0..<6 { #expect(try await device.send(bad).attemptsUsed == 1) }
        #expect(try await device.signIn(right).isAccepted)
        let late = try await device.signInRequest(right)
        house.oauth.clock.advance(by: .seconds(300))
        #expect(try await device.send(late).code == "refused")
    }

    @Test("Swapped devices: neither store, key nor nonce of one serves the other")
    func swapped() async throws {
        let (one, other) = (try await device(), try await device())
        // The other's store under one's key.
        var mixed = one
        mixed.state = other.state
        let secret = try await other.open(right)
        let crossed = try await one.send(
            try await one.requests.signIn(with: secret, nonce: one.nonce()))
        #expect(crossed.code == "wrong_pin" && crossed.attemptsUsed == 1)
        #expect(try await other.signIn(right).isAccepted)
        // One's request, sent as the other's: the key id is signed.
        let request = String(decoding: try await one.signInRequest(right), as: UTF8.self)
        let parts = request.split(separator: ".").map(String.init)
        let header = try #require(Base64URL.decode(parts[0])).map { $0 }
        let text = String(decoding: header, as: UTF8.self)
            .replacing(
                one.key.key.jwk.thumbprintText, with: other.key.key.jwk.thumbprintText)
        let forged = "\(Base64URL.encode(Array(text.utf8))).\(parts[1]).\(parts[2])"
        #expect(try await one.send(Array(forged.utf8)).code == "refused")
        #expect(try await stored(other).content.contains(#""attempts_used":0"#))
    }

    @Test("Stolen store: every PIN opens it to something, and only the provider can tell")
    func stolenStore() async throws {
        let device = try await device(attempts: 3)
        // The thief has the store and its sealing key, opened, and another device key.
        var thief = try await AppDevice(house)
        thief.state = device.state
        var candidates: Set<[UInt8]> = []
        let nonce = PINNonce(random: house.oauth.random)
        for pin in ["11221", "11222", right] {
            let opened = try await device.open(pin)
            candidates.insert(try await thief.requests.signIn(with: opened, nonce: nonce))
            let answer = try await thief.send(
                try await thief.requests.signIn(with: opened, nonce: thief.nonce()))
            #expect(answer.code == "refused")
        }
        #expect(candidates.count == 3)
        // Nothing of it was counted against the owner.
        #expect(try await stored(device).content.contains(#""attempts_used":0"#))
        #expect(try await device.signIn(right).isAccepted)
    }

    @Test("Stolen database: it holds nothing of the PIN, and its secrets are sealed")
    func stolenDatabase() async throws {
        let device = try await device()
        let pin = try await stored(device)
        let record = try #require(PINRecord(json: Array(pin.content.utf8), revision: pin.revision))
        guard case .active(let secrets) = record.standing, let current = secrets.current else {
            Issue.record("no current secret")
            return
        }
        // Another master key opens nothing, and no other row's name does.
        let other = try #require(DerivedKeys(master: Secret([UInt8](repeating: 8, count: 32))))
        let sealed = try #require(
            try JSONParser.parseObject(Array(pin.content.utf8), maximumBytes: 65_536)["current"]?[
                "sealed"]?.string.flatMap { Base64URL.decode($0) })
        let context =
            "pin-secret/\(OAuthHouse.issuer)/\(device.key.key.jwk.thumbprintText)/\(current.version)"
        #expect(throws: (any Error).self) { _ = try other.open(sealed, context: context) }
        #expect(throws: (any Error).self) {
            _ = try house.provider.secrets.open(sealed, context: context + "0")
        }
        _ = try house.provider.secrets.open(sealed, context: context)
        #expect(!pin.content.contains(right))
    }

    @Test("Stolen store and database, without the vault key: still nothing to try a PIN on")
    func stolenBoth() async throws {
        let device = try await device()
        let pin = try await stored(device)
        // What candidates could be compared with is sealed; what lies open tells none from another.
        let open = [UInt8](pin.content.utf8) + Array(device.state.json)
        for candidate in ["11221", right] {
            let opened = try await device.open(candidate)
            let proof = try await device.requests.signIn(
                with: opened, nonce: PINNonce(random: house.oauth.random))
            let tag = try #require(
                String(decoding: proof, as: UTF8.self).split(separator: ".").dropFirst().first)
            #expect(!String(decoding: open, as: UTF8.self).contains(tag))
        }
        // And without the device key no guess is heard.
        let thief = try await AppDevice(house)
        let heard = try await thief.send(
            try await thief.requests.signIn(
                with: device.open(right), nonce: thief.nonce()))
        #expect(heard.code == "refused")
    }

    @Test("Attack 117: a log of requests and the opened store give nothing to try a PIN on")
    func recordedRequest() async throws {
        let device = try await device()
        let nonce = try await device.nonce()
        let recorded = String(
            decoding: try await device.signInRequest(right, nonce: nonce), as: UTF8.self)
        #expect(try await device.send(Array(recorded.utf8)).isAccepted)
        // The thief makes the same request with each PIN: no part after the nonce repeats.
        for pin in ["11221", "11222", right] {
            let candidate = String(
                decoding: try await device.signInRequest(pin, nonce: nonce), as: UTF8.self)
            let payloads = try [recorded, candidate].map { text in
                try JSONParser.parseObject(
                    #require(Base64URL.decode(text.split(separator: ".")[1])),
                    maximumBytes: 4_096)
            }
            #expect(payloads[0]["jti"] == payloads[1]["jti"])
            #expect(payloads[0]["ct"] != payloads[1]["ct"])
            #expect(payloads[0]["enc"] != payloads[1]["enc"])
        }
    }

    @Test("Attack 115: a middleman who asks for version 1 in the device's place proves nothing")
    func downgraded() async throws {
        let device = try await device(attempts: 1)
        // A rightly signed request of version 2 under the name of version 1.
        let request = String(decoding: try await device.signInRequest(right), as: UTF8.self)
        let parts = request.split(separator: ".").map(String.init)
        let header = String(
            decoding: try #require(Base64URL.decode(parts[0])), as: UTF8.self)
        let old = header.replacing("gatehouse-pin2-", with: "gatehouse-pin-")
        #expect(old != header)
        let forged = "\(Base64URL.encode(Array(old.utf8))).\(parts[1]).\(parts[2])"
        let answer = try await device.send(Array(forged.utf8))
        #expect(!answer.isAccepted && answer.code != "wrong_pin" && answer.code != "ended")
        #expect(try await stored(device).content.contains(#""attempts_used":0"#))
        #expect(try await device.send(Array(request.utf8)).isAccepted)
    }

    @Test("Attack 116: guesses before the first sign-in are limited like those after it")
    func guessedFirstSignIn() async throws {
        try await house.change { $0.policy.registration.pin.attempts = 3 }
        var device = try await AppDevice(house)
        let transport = PINTransportKey()
        let request = try await device.registration(offering: transport.publicKey)
        let answer = try await house.send(request)
        _ = try await device.seal(
            device.pinAnswer(answer.body), transport, try #require(PINNonce(text: request.nonce)),
            under: right)
        #expect(try await device.signIn("11221").attemptsUsed == 1)
        #expect(try await device.signIn("11222").attemptsUsed == 2)
        #expect(try await device.signIn("11223").code == "ended")
        #expect(try await device.signIn(right).code == "ended")
        #expect(try await stored(device).ending == "profile_locked")
    }

    @Test("A restored stolen backup restores neither attempts nor an old PIN")
    func oldStore() async throws {
        var device = try await device(attempts: 3)
        let backup = device
        #expect(try await device.signIn("11221").attemptsUsed == 1)
        #expect(try await backup.signIn("11222").attemptsUsed == 2)
        try await device.change(from: right, to: "86420")
        #expect(try await backup.signIn(right).code == "refused")
    }

    @Test("Nonces of other purposes, projects and times prove nothing")
    func foreignNonces() async throws {
        let device = try await device()
        let other = try await house.oauth.addProject("qa")
        let elsewhere = try await house.call(
            .post, "/registration/pin/challenge", prefix: other.pathPrefix)
        let strangers = [
            try await house.nonce(), try await house.signInChallenge().nonce,
            try #require(ServerChallenge(elsewhere.body)).nonce,
            PINNonce(random: house.oauth.random).text,
        ]
        for text in strangers {
            let nonce = try #require(PINNonce(text: text))
            let answer = try await device.send(
                try await device.signInRequest(right, nonce: nonce))
            #expect(!answer.isAccepted && answer.code == "refused")
        }
        #expect(try await device.signIn(right).isAccepted)
    }

    @Test("An attacker without the device cannot lock it")
    func lockingOut() async throws {
        let device = try await device(attempts: 1)
        var request = try await device.signInRequest("11223")
        request[request.count - 6] = request[request.count - 6] == 0x41 ? 0x42 : 0x41
        for _ in 0..<5 { #expect(try await device.send(request).code == "refused") }
        #expect(try await device.signIn(right).isAccepted)
    }
}
