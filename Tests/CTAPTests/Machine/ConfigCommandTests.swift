// SPDX-License-Identifier: Apache-2.0
import CTAP
import Testing

/// authenticatorConfig and authenticatorGetInfo as steps of the machine.
@Suite struct ConfigCommandTests {
    private func authenticated(
        _ request: ConfigRequest, _ token: PINUVAuthToken
    ) -> CTAPRequest {
        var request = request
        request.pinUvAuthProtocol = 2
        request.pinUvAuthParam = token.authenticate(request.authenticatedBytes)
        return .config(request)
    }

    @Test("Each change is durable")
    func mainPath() throws {
        var key = try TestMachine { $0.enterpriseRPIDs = ["example.com"] }
        for subcommand in [
            ConfigRequest.Subcommand.enableEnterpriseAttestation, .enableLongTouchForReset,
            .toggleAlwaysUv,
        ] {
            _ = try key.run(.config(ConfigRequest(subcommand)))
        }
        let saved = try #require(key.store.saves.last)
        #expect(saved.attestsEnterprise && saved.longTouchForReset && saved.alwaysVerifies)
        // A key that always verifies requires a token.
        #expect(
            key.begin(.config(ConfigRequest(.enableLongTouchForReset)))
                == .status(.pinRequired))
        let info = try AuthenticatorInfo(cbor: key.run(.getInfo))
        #expect(info.options?["alwaysUv"] == true && info.options?["ep"] == true)
    }

    @Test("The minimum PIN length rises, and a shorter PIN must be changed")
    func minimumLength() throws {
        var key = try TestMachine()
        try key.setPIN("1234")
        var request = ConfigRequest(.setMinPINLength)
        request.newMinPINLength = 6
        let token = try key.token("1234", .authenticatorConfiguration)
        _ = try key.run(authenticated(request, token))
        let saved = try #require(key.store.saves.last)
        #expect(saved.minimumPINLength == 6 && saved.forcesPINChange)
        #expect(key.begin(authenticated(request, token)) == .status(.pinAuthInvalid))
        let next = try key.tokenRequest("1234", .authenticatorConfiguration).request
        #expect(key.begin(.clientPIN(next)) == .status(.pinPolicyViolation))
        let info = try AuthenticatorInfo(cbor: key.run(.getInfo))
        #expect(info.minPINLength == 6 && info.forcePINChange == true)
    }

    @Test("A lower minimum, a complexity policy and unknown features are refused")
    func refusals() throws {
        var key = try TestMachine()
        let saves = key.store.saves.count
        var request = ConfigRequest(.setMinPINLength)
        request.newMinPINLength = 3
        #expect(key.begin(.config(request)) == .status(.pinPolicyViolation))
        request.newMinPINLength = 64
        #expect(key.begin(.config(request)) == .status(.pinPolicyViolation))
        request.newMinPINLength = nil
        request.pinComplexityPolicy = true
        #expect(key.begin(.config(request)) == .status(.invalidParameter))
        request.pinComplexityPolicy = nil
        request.forceChangePin = true
        #expect(key.begin(.config(request)) == .status(.pinNotSet))
        request.minPinLengthRPIDs = (0..<9).map { "\($0).example" }
        #expect(key.begin(.config(request)) == .status(.keyStoreFull))
        for subcommand in [
            ConfigRequest.Subcommand.enableEnterpriseAttestation, .vendorPrototype,
        ] {
            #expect(
                key.begin(.config(ConfigRequest(subcommand))) == .status(.invalidSubcommand))
        }
        #expect(key.store.saves.count == saves)
    }

    @Test("A protected key requires a token with the permission")
    func token() throws {
        var key = try TestMachine()
        try key.setPIN("1234")
        let request = ConfigRequest(.toggleAlwaysUv)
        #expect(key.begin(.config(request)) == .status(.pinRequired))
        let other = try key.token("1234", .largeBlobWrite)
        #expect(key.begin(authenticated(request, other)) == .status(.pinAuthInvalid))
        #expect(!key.machine.state.alwaysVerifies)
    }
}
