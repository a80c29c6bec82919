// SPDX-License-Identifier: Apache-2.0
import CTAP
import Primitives
import Testing

/// authenticatorClientPIN as steps of the machine.
@Suite struct ClientPINCommandTests {
    @Test("A PIN is durable when set, and issues a token")
    func mainPath() throws {
        var key = try TestMachine()
        try key.setPIN("1234")
        #expect(key.store.saves.last?.pin != nil)
        let token = try key.token("1234", .authenticatorConfiguration)
        var request = ConfigRequest(.toggleAlwaysUv)
        request.pinUvAuthProtocol = 2
        request.pinUvAuthParam = token.authenticate(request.authenticatedBytes)
        _ = try key.run(.config(request))
        #expect(key.machine.state.alwaysVerifies)
    }

    @Test(
        "Three wrong PINs block until a power cycle; each attempt is subtracted first"
    )
    func wrongPIN() throws {
        var key = try TestMachine()
        try key.setPIN("1234")
        for (retries, status) in [
            (7, CTAPStatus.pinInvalid), (6, .pinInvalid), (5, .pinAuthBlocked),
        ] {
            let request = try key.tokenRequest("9999", .credentialManagement).request
            #expect(key.begin(.clientPIN(request)) == .status(status))
            #expect(key.store.saves.last?.pinRetries == retries)
        }
        let right = try key.tokenRequest("1234", .credentialManagement).request
        #expect(key.begin(.clientPIN(right)) == .status(.pinAuthBlocked))
        #expect(key.store.saves.last?.pinRetries == 5)
        key.machine.powerCycle(now: key.now)
        _ = try key.token("1234", .credentialManagement)
        #expect(key.store.saves.last?.pinRetries == 8)
    }

    @Test("A failed save reveals nothing about the PIN")
    func failedSave() throws {
        for text in ["1234", "9999"] {
            var key = try TestMachine()
            try key.setPIN("1234")
            let request = try key.tokenRequest(text, .credentialManagement).request
            key.store.fail()
            #expect(key.begin(.clientPIN(request)) == .status(.other))
        }
    }

    @Test("A second PIN, a short PIN and an unauthenticated one are refused")
    func refusedPINs() throws {
        var key = try TestMachine()
        let (agreement, secret) = try key.agree()
        var request = ClientPINRequest(.setPIN, pinUvAuthProtocol: 2)
        #expect(key.begin(.clientPIN(request)) == .status(.missingParameter))
        request.keyAgreement = agreement
        request.newPinEnc = try secret.encrypt(
            Secret([0x31, 0x32, 0x33] + [UInt8](repeating: 0, count: 61)), random: key.random)
        request.pinUvAuthParam = [UInt8](repeating: 0, count: 32)
        #expect(key.begin(.clientPIN(request)) == .status(.pinAuthInvalid))
        request.pinUvAuthParam = secret.authenticate(request.newPinEnc ?? [])
        #expect(key.begin(.clientPIN(request)) == .status(.pinPolicyViolation))
        try key.setPIN("1234")
        #expect(key.begin(.clientPIN(request)) == .status(.pinAuthInvalid))
    }

    @Test("A token request names known permissions, and a relying party where they require one")
    func permissions() throws {
        var key = try TestMachine()
        try key.setPIN("1234")
        for (permissions, status): (PINPermissions, CTAPStatus) in [
            ([], .invalidParameter), (.bioEnrollment, .unauthorizedPermission),
            (
                [.persistentCredentialManagementReadOnly, .largeBlobWrite],
                .unauthorizedPermission
            ),
            (.getAssertion, .missingParameter),
        ] {
            let request = try key.tokenRequest("1234", permissions).request
            #expect(key.begin(.clientPIN(request)) == .status(status))
        }
    }

    private func verificationRequest(_ key: inout TestMachine) throws -> ClientPINRequest {
        var request = ClientPINRequest(
            .getPinUvAuthTokenUsingUvWithPermissions, pinUvAuthProtocol: 2)
        request.keyAgreement = try key.agree().key
        request.permissions = PINPermissions.credentialManagement.rawValue
        return request
    }

    @Test("Built-in verification issues a token after the gesture")
    func verification() throws {
        var key = try TestMachine { $0.verification = .platform }
        let request = try verificationRequest(&key)
        let gesture = TestMachine.Step.gesture(.verify(.verifyForToken(rpId: nil)))
        #expect(key.begin(.clientPIN(request)) == gesture)
        #expect(key.finish(.verification(.failed)) == gesture)
        guard case .finished(.ok, let cbor) = key.finish(.verification(.verified)) else {
            Issue.record("a token after verification")
            return
        }
        #expect(try ClientPINResponse(cbor: cbor).pinUvAuthToken != nil)
    }

    @Test("Built-in verification that is denied, cancelled, blocked or absent issues no token")
    func refusedVerification() throws {
        var key = try TestMachine { $0.verification = .platform }
        let request = try verificationRequest(&key)
        _ = key.begin(.clientPIN(request))
        #expect(key.finish(.verification(.denied)) == .status(.operationDenied))
        _ = key.begin(.clientPIN(request))
        #expect(
            key.finish(.verification(.verified), isCancelled: true) == .status(.keepaliveCancel))
        _ = key.begin(.clientPIN(request))
        for _ in 1...2 { _ = key.finish(.verification(.failed)) }
        #expect(key.finish(.verification(.failed)) == .status(.uvInvalid))
        _ = key.begin(.clientPIN(request))
        _ = key.finish(.verification(.failed))
        #expect(key.finish(.verification(.failed)) == .status(.uvBlocked))
        #expect(key.begin(.clientPIN(request)) == .status(.uvBlocked))
        var plain = try TestMachine()
        let unsupported = try verificationRequest(&plain)
        #expect(plain.begin(.clientPIN(unsupported)) == .status(.invalidSubcommand))
    }

    @Test("Retries are read without a token")
    func retries() throws {
        var key = try TestMachine()
        #expect(try key.pin(ClientPINRequest(.getPINRetries)).pinRetries == 8)
        #expect(
            key.begin(.clientPIN(ClientPINRequest(.getUVRetries))) == .status(.invalidParameter))
    }
}
