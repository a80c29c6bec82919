// SPDX-License-Identifier: Apache-2.0
import CTAP
import Support
import Testing
import WebAuthn

/// The client with a software key that has a PIN.
@Suite struct ClientPINCeremonyTests {
    @Test("Attack 37: wrong PINs are said with the tries left, three in a row need a re-insert")
    func wrongPINs() async throws {
        let person = TestPerson(pins: ["wrong1", "wrong2", "wrong3", "wrong4"])
        let fixture = try ClientFixture(person: person)
        try await fixture.open().setPIN("123456", random: SeededRandom())
        var options = ClientFixture.creation()
        options.userVerification = .required
        let error = await ClientFixture.failure { () throws(SecurityKeyError) in
            try await fixture.client.register(options, caller: ClientFixture.caller)
        }
        #expect(error == .mustBeReinserted)
        #expect(person.log.pinRequests.map(\.triesLeft) == [8, 7, 6])
        #expect(
            person.log.pinRequests.map(\.problem)
                == [nil, .wrongPIN(triesLeft: 7), .wrongPIN(triesLeft: 6)])
    }

    @Test("Attack 37: a PIN without tries left is blocked, and the key is not asked again")
    func blockedPIN() async throws {
        let wrong = (0..<8).map { "wrong\($0)" }
        let person = TestPerson(pins: wrong)
        let fixture = try ClientFixture(person: person)
        try await fixture.open().setPIN("123456", random: SeededRandom())
        var options = ClientFixture.creation()
        options.userVerification = .required
        var errors: [SecurityKeyError?] = []
        for _ in 0..<4 {
            errors.append(
                await ClientFixture.failure { () throws(SecurityKeyError) in
                    try await fixture.client.register(options, caller: ClientFixture.caller)
                })
            await fixture.key.powerCycle()
        }
        #expect(errors == [.mustBeReinserted, .mustBeReinserted, .pinBlocked, .pinBlocked])
        #expect(person.log.pinRequests.count == 8)
    }

    @Test(
        "Attack 37: a PIN of 64 bytes is refused before it is sent, one of another form is the same"
    )
    func pinForms() async throws {
        let fixture = try ClientFixture(person: TestPerson(pins: ["caf\u{E9}s"]))
        let key = try await fixture.open()
        let long = await ClientFixture.failure { () throws(SecurityKeyError) in
            try await key.setPIN(String(repeating: "x", count: 64), random: SeededRandom())
        }
        #expect(long == .pinTooLong)
        // Decomposed when it is set, composed when it is entered.
        try await key.setPIN("cafe\u{301}s", random: SeededRandom())
        var options = ClientFixture.creation()
        options.userVerification = .required
        _ = try await fixture.client.register(options, caller: ClientFixture.caller)
    }

    @Test("Attack 37: protocol two is used whatever the key lists first")
    func protocolOrder() async throws {
        let fixture = try ClientFixture(person: TestPerson(pins: ["123456"])) { request, reply in
            guard case .getInfo = request, reply.first == 0,
                var info = try? AuthenticatorInfo(cbor: Array(reply.dropFirst()))
            else { return reply }
            info.pinUvAuthProtocols = [1, 2]
            return [0] + info.encode()
        }
        try await fixture.open().setPIN("123456", random: SeededRandom())
        let protocols = fixture.transport.requests.compactMap { request in
            if case .clientPIN(let pin) = request { pin.pinUvAuthProtocol } else { nil }
        }
        #expect(!protocols.isEmpty && protocols.allSatisfy { $0 == 2 })
    }

    @Test("Attack 37: a token is asked for with one permission and one relying party")
    func permissions() async throws {
        let fixture = try ClientFixture(person: TestPerson(pins: ["123456", "123456"]))
        try await fixture.open().setPIN("123456", random: SeededRandom())
        var options = ClientFixture.creation()
        options.userVerification = .required
        _ = try await fixture.client.register(options, caller: ClientFixture.caller)
        let tokens = fixture.transport.requests.compactMap { request -> ClientPINRequest? in
            guard case .clientPIN(let pin) = request, pin.permissions != nil else { return nil }
            return pin
        }
        #expect(tokens.map(\.permissions) == [PINPermissions.makeCredential.rawValue])
        #expect(tokens.map(\.rpId) == ["example.org"])
    }

    @Test("Attack 37: a key-agreement key off the curve is refused before a PIN is sent")
    func offCurve() async throws {
        var configuration = AuthenticatorConfiguration()
        configuration.misbehaviour = [.keyAgreementOffCurve]
        let fixture = try ClientFixture(configuration)
        let key = try await fixture.open()
        let error = await ClientFixture.failure { () throws(SecurityKeyError) in
            try await key.setPIN("123456", random: SeededRandom())
        }
        #expect(error == .untrustworthyReply("a key-agreement key that is no point"))
        #expect(fixture.transport.requests.count == 2)
    }

    @Test("a person who cancels the PIN prompt cancels the ceremony")
    func noPIN() async throws {
        let fixture = try ClientFixture()
        try await fixture.open().setPIN("123456", random: SeededRandom())
        var options = ClientFixture.creation()
        options.userVerification = .required
        let error = await ClientFixture.failure { () throws(SecurityKeyError) in
            try await fixture.client.register(options, caller: ClientFixture.caller)
        }
        #expect(error == .cancelled)
    }
}
