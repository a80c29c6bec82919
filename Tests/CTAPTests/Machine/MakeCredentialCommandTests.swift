// SPDX-License-Identifier: Apache-2.0
import CTAP
import Testing

/// authenticatorMakeCredential as steps of the machine.
@Suite struct MakeCredentialCommandTests {
    private static let touch = TestMachine.Step.gesture(
        .confirm(.makeCredential(rpId: "example.com", user: "user1")))

    @Test("A touch comes first; credential and counter are durable before the response")
    func mainPath() throws {
        var key = try TestMachine()
        let request = CTAPRequest.makeCredential(TestKey.creation(discoverable: true))
        #expect(key.begin(request) == Self.touch)
        #expect(key.store.saves.count == 1)
        guard case .finished(.ok, let cbor) = key.approve() else {
            Issue.record("a response after the touch")
            return
        }
        let response = try MakeCredentialResponse(cbor: cbor)
        #expect(response.format == "packed")
        let saves = key.store.saves.dropFirst()
        #expect(saves.map(\.credentials.count) == [1, 1])
        #expect(saves.map(\.signCount) == [0, 1])
        #expect(response.authenticatorData[36] == 1)
    }

    @Test("A credential that is not discoverable is in its id only")
    func notDiscoverable() throws {
        var key = try TestMachine()
        let id = try key.create(discoverable: false)
        #expect(key.machine.state.credentials.isEmpty)
        _ = try key.run(.getAssertion(TestKey.assertion(allow: [id])))
    }

    @Test("Without a touch nothing is saved", arguments: GestureCase.refusals)
    func refusedTouch(_ gesture: GestureCase) throws {
        var key = try TestMachine()
        let request = CTAPRequest.makeCredential(TestKey.creation(discoverable: true))
        #expect(key.begin(request) == Self.touch)
        #expect(
            key.finish(gesture.outcome, isCancelled: gesture.isCancelled)
                == .status(gesture.status))
        #expect(key.store.saves.count == 1)
    }

    @Test("A request that the key does not support is refused without a touch")
    func refusals() throws {
        var key = try TestMachine()
        #expect(
            key.begin(.makeCredential(TestKey.creation(algorithms: [-257])))
                == .status(.unsupportedAlgorithm))
        var request = TestKey.creation()
        request.options = CTAPOptions(up: false)
        #expect(key.begin(.makeCredential(request)) == .status(.invalidOption))
        request = TestKey.creation()
        request.options = CTAPOptions(uv: true)
        #expect(key.begin(.makeCredential(request)) == .status(.invalidOption))
        request = TestKey.creation()
        request.enterpriseAttestation = 1
        #expect(key.begin(.makeCredential(request)) == .status(.invalidParameter))
        request = TestKey.creation()
        request.excludeList = (0..<17).map { CTAPCredentialDescriptor(id: [$0]) }
        #expect(key.begin(.makeCredential(request)) == .status(.limitExceeded))
        request = TestKey.creation()
        request.pinUvAuthParam = [1]
        #expect(key.begin(.makeCredential(request)) == .status(.missingParameter))
        request.pinUvAuthProtocol = 9
        #expect(key.begin(.makeCredential(request)) == .status(.invalidParameter))
    }

    @Test("An excluded credential is refused after a touch, which may be denied but not cancelled")
    func excluded() throws {
        var key = try TestMachine()
        var request = TestKey.creation()
        request.excludeList = [CTAPCredentialDescriptor(id: try key.create())]
        let touch = TestMachine.Step.gesture(
            .confirm(.excludedCredential(rpId: "example.com")))
        for outcome in [GestureOutcome.approved, .denied, .timedOut] {
            #expect(key.begin(.makeCredential(request)) == touch)
            #expect(key.finish(.confirmation(outcome)) == .status(.credentialExcluded))
        }
        #expect(key.begin(.makeCredential(request)) == touch)
        #expect(
            key.finish(.confirmation(.denied), isCancelled: true) == .status(.keepaliveCancel))
    }

    @Test("An empty parameter is a probe: a touch, then the PIN's state")
    func probe() throws {
        var key = try TestMachine()
        var request = TestKey.creation()
        request.pinUvAuthParam = []
        #expect(key.begin(.makeCredential(request)) == .gesture(.confirm(.probe)))
        #expect(key.approve() == .status(.pinNotSet))
        try key.setPIN("1234")
        #expect(key.begin(.makeCredential(request)) == .gesture(.confirm(.probe)))
        #expect(key.approve() == .status(.pinInvalid))
        #expect(key.begin(.makeCredential(request)) == .gesture(.confirm(.probe)))
        #expect(key.finish(.confirmation(.denied)) == .status(.operationDenied))
    }

    @Test("With a PIN, a discoverable credential requires a token of its relying party")
    func token() throws {
        var key = try TestMachine()
        try key.setPIN("1234")
        let request = TestKey.creation(discoverable: true)
        #expect(key.begin(.makeCredential(request)) == .status(.pinRequired))
        let other = try key.token("1234", .makeCredential, rpId: "example.org")
        #expect(
            key.begin(.makeCredential(request.authenticated(by: other)))
                == .status(.pinAuthInvalid))
        let token = try key.token("1234", .makeCredential, rpId: "example.com")
        let authenticated = CTAPRequest.makeCredential(request.authenticated(by: token))
        _ = try key.run(authenticated)
        // The token was consumed with the touch.
        #expect(key.begin(authenticated) == .status(.pinAuthInvalid))
    }

    @Test("Built-in verification includes the touch")
    func builtIn() throws {
        var key = try TestMachine { $0.verification = .platform }
        var request = TestKey.creation()
        request.options = CTAPOptions(uv: true)
        #expect(
            key.begin(.makeCredential(request))
                == .gesture(.verify(.makeCredential(rpId: "example.com", user: "user1"))))
        guard case .finished(.ok, let cbor) = key.finish(.verification(.verified)) else {
            Issue.record("a response after verification")
            return
        }
        #expect(try MakeCredentialResponse(cbor: cbor).authenticatorData[32] & 0x05 == 0x05)
    }

    @Test("A full key refuses another account, and replaces a credential of the same account")
    func full() throws {
        var key = try TestMachine { $0.maximumDiscoverableCredentials = 1 }
        let first = try key.create(user: 1)
        let second = CTAPRequest.makeCredential(TestKey.creation(user: 2, discoverable: true))
        guard case .gesture = key.begin(second) else {
            Issue.record("a touch comes first")
            return
        }
        #expect(key.approve() == .status(.keyStoreFull))
        let replacement = try key.create(user: 1)
        #expect(key.machine.state.credentials.map(\.id) == [replacement])
        #expect(replacement != first)
    }
}
