// SPDX-License-Identifier: Apache-2.0
import CTAP
import Primitives
import Support
import Testing

/// `authenticatorConfig` and `authenticatorReset` from the key's side.
@Suite struct AuthenticatorConfigurationTests {
    @Test("With a PIN every change needs a token with its permission")
    func permission() async throws {
        let key = try await TestKey.filled()
        let request = ConfigRequest(.toggleAlwaysUv)
        await #expect(throws: CTAPStatus.pinRequired) { try await key.configure(request) }
        let other = try await key.token("1234", .credentialManagement)
        await #expect(throws: CTAPStatus.pinAuthInvalid) {
            try await key.configure(request, other)
        }
        let token = try await key.token("1234", .authenticatorConfiguration)
        try await key.configure(request, token)
        #expect(try await key.info().options?["alwaysUv"] == true)
    }

    @Test("What the key does not have cannot be configured")
    func unsupported() async throws {
        let key = try TestKey()
        for subcommand in [ConfigRequest.Subcommand.enableEnterpriseAttestation, .vendorPrototype] {
            await #expect(throws: CTAPStatus.invalidSubcommand) {
                try await key.configure(ConfigRequest(subcommand))
            }
        }
    }

    @Test("The least PIN length only rises, and a short PIN must then be changed")
    func minimumLength() async throws {
        let key = try await TestKey.filled()
        var request = ConfigRequest(.setMinPINLength)
        request.newMinPINLength = 6
        request.minPinLengthRPIDs = ["example.com"]
        try await key.configure(request, try await key.token("1234", .authenticatorConfiguration))
        #expect(try await key.info().minPINLength == 6)
        #expect(try await key.info().forcePINChange == true)
        await #expect(throws: CTAPStatus.pinPolicyViolation) {
            try await key.changePIN(from: "1234", to: "12345")
        }
        try await key.changePIN(from: "1234", to: "123456")
        let token = try await key.token("123456", .authenticatorConfiguration)
        request.newMinPINLength = 5
        await #expect(throws: CTAPStatus.pinPolicyViolation) {
            try await key.configure(request, token)
        }
        request.newMinPINLength = 64
        await #expect(throws: CTAPStatus.pinPolicyViolation) {
            try await key.configure(request, token)
        }
        request.newMinPINLength = 6
        request.minPinLengthRPIDs = (0..<9).map { "\($0).example" }
        await #expect(throws: CTAPStatus.keyStoreFull) { try await key.configure(request, token) }
    }

    @Test("Only a relying party of the list learns the least PIN length")
    func minimumLengthOutput() async throws {
        let key = try TestKey()
        var request = ConfigRequest(.setMinPINLength)
        request.minPinLengthRPIDs = ["example.com"]
        try await key.configure(request)
        for (rpId, isTold) in [("example.com", true), ("example.org", false)] {
            var creation = TestKey.creation(rpId)
            var extensions = MakeCredentialExtensions()
            extensions.minPinLength = true
            creation.extensions = extensions
            let data = try await key.make(creation).authenticatorData
            #expect((data[32] & 0x80 != 0) == isTold)
        }
        request.forceChangePin = true
        await #expect(throws: CTAPStatus.pinNotSet) { try await key.configure(request) }
    }

    @Test("Attack 38: a reset is refused ten seconds after power-up")
    func resetWindow() async throws {
        let key = try await TestKey.filled()
        key.clock.advance(by: .seconds(11))
        _ = key.gesture.takePrompts()
        await #expect(throws: CTAPStatus.notAllowed) { try await key.send(.reset) }
        #expect(key.gesture.takePrompts().isEmpty)
        await key.key.powerCycle()
        try await key.send(.reset)
        await #expect(throws: CTAPStatus.noCredentials) { try await key.get(TestKey.assertion()) }
        #expect(try await key.info().options?["clientPin"] == false)
    }

    @Test("A long touch for reset is asked for once it is switched on")
    func longTouch() async throws {
        let key = try TestKey()
        try await key.configure(ConfigRequest(.enableLongTouchForReset))
        #expect(try await key.info().longTouchForReset == true)
        try await key.send(.reset)
        #expect(key.gesture.takePrompts() == [.reset(longTouch: true)])
        #expect(try await key.info().longTouchForReset == false)
    }
}
