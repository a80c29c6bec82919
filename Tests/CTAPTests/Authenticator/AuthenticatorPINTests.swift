// SPDX-License-Identifier: Apache-2.0
import CTAP
import Primitives
import Support
import Testing

/// `authenticatorClientPIN` from the key's side.
@Suite struct AuthenticatorPINTests {
    @Test("A PIN is set once, gives tokens, and has eight tries", arguments: PINProtocol.allCases)
    func setting(_ number: PINProtocol) async throws {
        let key = try TestKey()
        #expect(try await key.info().options?["clientPin"] == false)
        try await key.setPIN("1234", number)
        #expect(try await key.info().options?["clientPin"] == true)
        #expect(try await key.retries() == 8)
        _ = try await key.token("1234", nil, number)
        _ = try await key.token("1234", .getAssertion, rpId: "example.com", number)
        await #expect(throws: CTAPStatus.pinAuthInvalid) { try await key.setPIN("9999", number) }
    }

    @Test("A PIN change requires the old PIN", arguments: PINProtocol.allCases)
    func changing(_ number: PINProtocol) async throws {
        let key = try TestKey()
        await #expect(throws: CTAPStatus.pinNotSet) {
            try await key.changePIN(from: "1234", to: "5678", number)
        }
        try await key.setPIN("1234", number)
        await #expect(throws: CTAPStatus.pinInvalid) {
            try await key.changePIN(from: "0000", to: "5678", number)
        }
        try await key.changePIN(from: "1234", to: "5678", number)
        _ = try await key.token("5678", nil, number)
    }

    @Test("Attack 37: every wrong PIN costs a try, and the eighth blocks the key")
    func blocked() async throws {
        let key = try TestKey()
        try await key.setPIN("1234")
        for left in (1...7).reversed() {
            await #expect(throws: left == 5 || left == 2 ? CTAPStatus.pinAuthBlocked : .pinInvalid)
            {
                try await key.token("0000")
            }
            #expect(try await key.retries() == left)
            if left == 5 || left == 2 { await key.key.powerCycle() }
        }
        await #expect(throws: CTAPStatus.pinBlocked) { try await key.token("0000") }
        await key.key.powerCycle()
        await #expect(throws: CTAPStatus.pinBlocked) { try await key.token("1234") }
        await #expect(throws: CTAPStatus.pinBlocked) {
            try await key.changePIN(from: "1234", to: "5678")
        }
        #expect(try await key.retries() == 0)
    }

    @Test(
        "Attack 37: three wrong PINs in a row require a power cycle, and further ones subtract no attempt"
    )
    func powerCycle() async throws {
        let key = try TestKey()
        try await key.setPIN("1234")
        for status in [CTAPStatus.pinInvalid, .pinInvalid, .pinAuthBlocked, .pinAuthBlocked] {
            await #expect(throws: status) { try await key.token("0000") }
        }
        await #expect(throws: CTAPStatus.pinAuthBlocked) { try await key.token("1234") }
        let state = try await key.pin(ClientPINRequest(.getPINRetries))
        #expect(state.pinRetries == 5)
        #expect(state.powerCycleState == true)
        await key.key.powerCycle()
        _ = try await key.token("1234")
        #expect(try await key.retries() == 8)
    }

    @Test("A right PIN between wrong ones restarts the count of three")
    func counting() async throws {
        let key = try TestKey()
        try await key.setPIN("1234")
        for _ in 0..<3 {
            for _ in 0..<2 {
                await #expect(throws: CTAPStatus.pinInvalid) { try await key.token("0000") }
            }
            _ = try await key.token("1234")
        }
    }

    @Test("Attack 37: a wrong PIN ends the key agreement, so a recorded guess is worth nothing")
    func freshAgreement() async throws {
        let key = try TestKey()
        try await key.setPIN("1234")
        let (public1, secret) = try await key.agree()
        var request = ClientPINRequest(.getPinToken, pinUvAuthProtocol: 2)
        request.keyAgreement = public1
        let right = try #require(ClientPIN("1234")).hash
        await #expect(throws: CTAPStatus.pinInvalid) { try await key.token("0000") }
        request.pinHashEnc = try secret.encrypt(right, random: key.random)
        await #expect(throws: CTAPStatus.pinInvalid) { try await key.pin(request) }
    }

    @Test(
        "Attack 37: a PIN of 64 bytes, of three characters, or with bytes behind its end is refused"
    )
    func policy() async throws {
        let key = try TestKey()
        let padding = [UInt8](repeating: 0, count: 61)
        for padded in [
            [UInt8](repeating: 0x39, count: 64), Array("123".utf8) + padding,
            Array("1234".utf8) + [0, 1] + [UInt8](repeating: 0, count: 58),
            [0xFF, 0xFE, 0xFD, 0xFC] + [UInt8](repeating: 0, count: 60),
        ] {
            await #expect(throws: CTAPStatus.pinPolicyViolation) {
                try await key.setPIN(padded: Secret(padded))
            }
        }
        for length in [48, 80] {
            await #expect(throws: CTAPStatus.invalidParameter) {
                try await key.setPIN(padded: Secret([UInt8](repeating: 0x39, count: length)))
            }
        }
        #expect(try await key.info().options?["clientPin"] == false)
    }

    @Test("Attack 37: a key agreement point off the curve is refused")
    func offCurve() async throws {
        let key = try TestKey()
        try await key.setPIN("1234")
        let (sent, secret) = try await key.agree()
        var y = sent.y
        y[31] ^= 1
        var request = ClientPINRequest(.getPinToken, pinUvAuthProtocol: 2)
        request.keyAgreement = KeyAgreementKey(x: sent.x, y: y)
        request.pinHashEnc = try secret.encrypt(
            Secret([UInt8](repeating: 0, count: 16)), random: key.random)
        await #expect(throws: CTAPStatus.invalidParameter) { try await key.pin(request) }
        #expect(try await key.retries() == 8)
    }

    @Test("Attack 37: what protocol two's client sends is not taken for protocol one's")
    func downgrade() async throws {
        let key = try TestKey()
        let (sent, secret) = try await key.agree(.two)
        var request = ClientPINRequest(.setPIN, pinUvAuthProtocol: 1)
        request.keyAgreement = sent
        let encrypted = try secret.encrypt(
            try #require(ClientPIN("1234")).padded, random: key.random)
        request.newPinEnc = encrypted
        request.pinUvAuthParam = secret.authenticate(encrypted)
        await #expect(throws: CTAPStatus.pinAuthInvalid) { try await key.pin(request) }
        request.pinUvAuthParam = Array(secret.authenticate(encrypted).prefix(16))
        await #expect(throws: CTAPStatus.pinAuthInvalid) { try await key.pin(request) }
    }

    @Test("A request without a required parameter, or with an unknown protocol, is refused")
    func incomplete() async throws {
        let key = try TestKey()
        for subcommand in [
            ClientPINRequest.Subcommand.getKeyAgreement, .setPIN, .getPinToken,
            .getPinUvAuthTokenUsingPinWithPermissions,
        ] {
            await #expect(throws: CTAPStatus.missingParameter, "\(subcommand)") {
                try await key.pin(ClientPINRequest(subcommand))
            }
        }
        await #expect(throws: CTAPStatus.invalidParameter) {
            try await key.pin(ClientPINRequest(.getKeyAgreement, pinUvAuthProtocol: 3))
        }
        await #expect(throws: CTAPStatus.pinNotSet) { try await key.token("1234") }
    }

    @Test("Permissions: none, too many, without a relying party, or for what the key has not")
    func permissions() async throws {
        let key = try TestKey()
        try await key.setPIN("1234")
        await #expect(throws: CTAPStatus.invalidParameter) { try await key.token("1234", []) }
        await #expect(throws: CTAPStatus.missingParameter) {
            try await key.token("1234", .makeCredential)
        }
        await #expect(throws: CTAPStatus.unauthorizedPermission) {
            try await key.token("1234", .bioEnrollment)
        }
        await #expect(throws: CTAPStatus.unauthorizedPermission) {
            try await key.token(
                "1234", [.persistentCredentialManagementReadOnly, .credentialManagement])
        }
        await #expect(throws: CTAPStatus.invalidSubcommand) {
            try await key.tokenByVerification(.credentialManagement)
        }
        #expect(try await key.retries() == 8)
    }

    @Test(
        "Attack 37: a token is valid for its permissions, its relying party and its lifetime only")
    func tokenBounds() async throws {
        let key = try TestKey()
        try await key.setPIN("1234")
        let creation = TestKey.creation(discoverable: true)
        var token = try await key.token("1234", .getAssertion, rpId: "example.com")
        await #expect(throws: CTAPStatus.pinAuthInvalid) {
            try await key.make(creation.authenticated(by: token))
        }
        token = try await key.token("1234", .makeCredential, rpId: "example.org")
        await #expect(throws: CTAPStatus.pinAuthInvalid) {
            try await key.make(creation.authenticated(by: token))
        }
        token = try await key.token("1234", .makeCredential, rpId: "example.com")
        key.clock.advance(by: .seconds(31))
        await #expect(throws: CTAPStatus.pinAuthInvalid) {
            try await key.make(creation.authenticated(by: token))
        }
        token = try await key.token("1234", .makeCredential, rpId: "example.com")
        _ = try await key.make(creation.authenticated(by: token))
        await #expect(throws: CTAPStatus.pinAuthInvalid) {
            try await key.make(creation.authenticated(by: token))
        }
    }

    @Test("Attack 37: a token of CTAP 2.0 binds itself to the first relying party")
    func implicitToken() async throws {
        let key = try TestKey()
        try await key.setPIN("1234")
        let token = try await key.token("1234")
        _ = try await key.make(
            TestKey.creation(discoverable: true).authenticated(by: token))
        let other = try await key.token("1234")
        var silent = TestKey.assertion()
        silent.options = CTAPOptions(up: false)
        _ = try await key.get(silent.authenticated(by: other))
        await #expect(throws: CTAPStatus.pinAuthInvalid) {
            try await key.get(TestKey.assertion("example.org").authenticated(by: other))
        }
    }

    @Test("A used token lives ten minutes; changing the PIN or power ends it at once")
    func tokenLife() async throws {
        let key = try TestKey()
        try await key.setPIN("1234")
        _ = try await key.make(
            TestKey.creation(discoverable: true)
                .authenticated(by: key.token("1234", .makeCredential, rpId: "example.com")))
        var silent = TestKey.assertion()
        silent.options = CTAPOptions(up: false)
        var token = try await key.token("1234", .getAssertion, rpId: "example.com")
        _ = try await key.get(silent.authenticated(by: token))
        key.clock.advance(by: .minutes(9))
        _ = try await key.get(silent.authenticated(by: token))
        key.clock.advance(by: .minutes(2))
        await #expect(throws: CTAPStatus.pinAuthInvalid) {
            try await key.get(silent.authenticated(by: token))
        }
        token = try await key.token("1234", .getAssertion, rpId: "example.com")
        try await key.changePIN(from: "1234", to: "4321")
        await #expect(throws: CTAPStatus.pinAuthInvalid) {
            try await key.get(silent.authenticated(by: token))
        }
        token = try await key.token("4321", .getAssertion, rpId: "example.com")
        await key.key.powerCycle()
        await #expect(throws: CTAPStatus.pinAuthInvalid) {
            try await key.get(silent.authenticated(by: token))
        }
    }

    @Test("Attack 37: a parameter of the other protocol's form does not verify")
    func parameterOfOtherProtocol() async throws {
        let key = try TestKey()
        try await key.setPIN("1234")
        let token = try await key.token("1234", .makeCredential, rpId: "example.com", .two)
        var request = TestKey.creation().authenticated(by: token)
        request.pinUvAuthProtocol = 1
        request.pinUvAuthParam = request.pinUvAuthParam.map { Array($0.prefix(16)) }
        await #expect(throws: CTAPStatus.pinAuthInvalid) { try await key.make(request) }
        request.pinUvAuthProtocol = nil
        await #expect(throws: CTAPStatus.missingParameter) { try await key.make(request) }
        request.pinUvAuthProtocol = 9
        await #expect(throws: CTAPStatus.invalidParameter) { try await key.make(request) }
    }

    @Test("A forced change issues no token before the PIN is another one")
    func forcedChange() async throws {
        let key = try TestKey()
        try await key.setPIN("1234")
        var request = ConfigRequest(.setMinPINLength)
        request.forceChangePin = true
        let token = try await key.token("1234", .authenticatorConfiguration)
        request.pinUvAuthProtocol = 2
        request.pinUvAuthParam = token.authenticate(request.authenticatedBytes)
        try await key.send(.config(request))
        #expect(try await key.info().forcePINChange == true)
        await #expect(throws: CTAPStatus.pinPolicyViolation) { try await key.token("1234") }
        await #expect(throws: CTAPStatus.pinPolicyViolation) {
            try await key.changePIN(from: "1234", to: "1234")
        }
        try await key.changePIN(from: "1234", to: "12345")
        _ = try await key.token("12345")
    }
}
