// SPDX-License-Identifier: Apache-2.0
import CTAP
import Primitives
import Testing

/// authenticatorGetAssertion and authenticatorGetNextAssertion as steps of the machine.
@Suite struct GetAssertionCommandTests {
    private static let touch = TestMachine.Step.gesture(
        .confirm(.getAssertion(rpId: "example.com")))

    @Test("A touch comes first; the counter is durable before the response")
    func mainPath() throws {
        var key = try TestMachine()
        let id = try key.create()
        let saves = key.store.saves.count
        #expect(key.begin(.getAssertion(TestKey.assertion(allow: [[9], id]))) == Self.touch)
        #expect(key.store.saves.count == saves)
        guard case .finished(.ok, let cbor) = key.approve() else {
            Issue.record("a response after the touch")
            return
        }
        let response = try GetAssertionResponse(cbor: cbor)
        #expect(response.credential?.id == id)
        #expect(response.authenticatorData[36] == 2)
        #expect(key.store.saves.dropFirst(saves).map(\.signCount) == [2])
    }

    @Test("Without a touch nothing is signed", arguments: GestureCase.refusals)
    func refusedTouch(_ gesture: GestureCase) throws {
        var key = try TestMachine()
        _ = try key.create()
        let saves = key.store.saves.count
        #expect(key.begin(.getAssertion(TestKey.assertion())) == Self.touch)
        #expect(
            key.finish(gesture.outcome, isCancelled: gesture.isCancelled)
                == .status(gesture.status))
        #expect(key.store.saves.count == saves)
    }

    @Test("A request that the key does not support is refused without a touch")
    func refusals() throws {
        var key = try TestMachine()
        #expect(key.begin(.getAssertion(TestKey.assertion())) == .status(.noCredentials))
        var request = TestKey.assertion()
        request.options = CTAPOptions(rk: true)
        #expect(key.begin(.getAssertion(request)) == .status(.unsupportedOption))
        request = TestKey.assertion(allow: (0..<17).map { [$0] })
        #expect(key.begin(.getAssertion(request)) == .status(.limitExceeded))
        request = TestKey.assertion()
        request.pinUvAuthParam = [1]
        #expect(key.begin(.getAssertion(request)) == .status(.missingParameter))
        request = TestKey.assertion()
        request.options = CTAPOptions(uv: true)
        #expect(key.begin(.getAssertion(request)) == .status(.invalidOption))
    }

    @Test("An empty parameter is a probe")
    func probe() throws {
        var key = try TestMachine()
        var request = TestKey.assertion()
        request.pinUvAuthParam = []
        #expect(key.begin(.getAssertion(request)) == .gesture(.confirm(.probe)))
        #expect(key.approve() == .status(.pinNotSet))
    }

    @Test("Without presence no gesture is required, and the flag is clear")
    func withoutPresence() throws {
        var key = try TestMachine()
        let id = try key.create()
        var request = TestKey.assertion(allow: [id])
        request.options = CTAPOptions(up: false)
        guard case .finished(.ok, let cbor) = key.begin(.getAssertion(request)) else {
            Issue.record("a response without a touch")
            return
        }
        #expect(try GetAssertionResponse(cbor: cbor).authenticatorData[32] == 0)
    }

    @Test("Three attempts of built-in verification fail; the counter falls before each")
    func verification() throws {
        var key = try TestMachine { $0.verification = .platform }
        var request = TestKey.assertion(allow: [try key.create(discoverable: false)])
        request.options = CTAPOptions(uv: true)
        let gesture = TestMachine.Step.gesture(.verify(.getAssertion(rpId: "example.com")))
        #expect(key.begin(.getAssertion(request)) == gesture)
        #expect(key.store.saves.last?.verificationRetries == 4)
        #expect(key.finish(.verification(.failed)) == gesture)
        #expect(key.store.saves.last?.verificationRetries == 3)
        #expect(key.finish(.verification(.failed)) == gesture)
        #expect(key.finish(.verification(.failed)) == .status(.operationDenied))
        #expect(key.store.saves.last?.verificationRetries == 2)
        // A timeout restores the attempt, also if the client cancelled.
        #expect(key.begin(.getAssertion(request)) == gesture)
        #expect(
            key.finish(.verification(.timedOut), isCancelled: true) == .status(.keepaliveCancel))
        #expect(key.store.saves.last?.verificationRetries == 2)
        #expect(key.begin(.getAssertion(request)) == gesture)
        guard case .finished(.ok, _) = key.finish(.verification(.verified)) else {
            Issue.record("a response after verification")
            return
        }
        #expect(key.machine.state.verificationRetries == 5)
    }

    @Test("Further assertions follow for 30 seconds each, newest credential first")
    func next() throws {
        var key = try TestMachine()
        let ids = try [1, 2, 3].map { try key.create(user: $0) }
        let first = try GetAssertionResponse(
            cbor: key.run(.getAssertion(TestKey.assertion())))
        #expect(first.numberOfCredentials == 3 && first.credential?.id == ids[2])
        key.now = key.now + .seconds(29)
        let second = try GetAssertionResponse(cbor: key.run(.getNextAssertion))
        #expect(second.credential?.id == ids[1])
        key.now = key.now + .seconds(30)
        #expect(key.begin(.getNextAssertion) == .status(.notAllowed))
    }

    @Test("Another command ends the further assertions")
    func interrupted() throws {
        var key = try TestMachine()
        for user: UInt8 in 1...2 { _ = try key.create(user: user) }
        _ = try key.run(.getAssertion(TestKey.assertion()))
        _ = try key.run(.getInfo)
        #expect(key.begin(.getNextAssertion) == .status(.notAllowed))
    }
}
