// SPDX-License-Identifier: Apache-2.0
import CTAP
import Primitives
import Testing

/// authenticatorReset and authenticatorSelection as steps of the machine.
@Suite struct ResetCommandTests {
    private static let touch = TestMachine.Step.gesture(.confirm(.reset(longTouch: false)))

    @Test("After a touch the key is new, except for its attestation")
    func mainPath() throws {
        var key = try TestMachine()
        let id = try key.create()
        try key.setPIN("1234")
        let before = key.machine.state
        #expect(key.begin(.reset) == Self.touch)
        #expect(key.machine.state.credentials.map(\.id) == [id])
        #expect(key.approve() == .finished(.ok, []))
        let after = try #require(key.store.saves.last)
        #expect(after.credentials.isEmpty && after.pin == nil)
        #expect(after.attestationKey == before.attestationKey)
        #expect(after.credentialKey != before.credentialKey)
        #expect(
            key.begin(.getAssertion(TestKey.assertion(allow: [id]))) == .status(.noCredentials))
    }

    @Test("Without a touch nothing is destroyed", arguments: GestureCase.refusals)
    func refusedTouch(_ gesture: GestureCase) throws {
        var key = try TestMachine()
        let id = try key.create()
        #expect(key.begin(.reset) == Self.touch)
        #expect(
            key.finish(gesture.outcome, isCancelled: gesture.isCancelled)
                == .status(gesture.status))
        #expect(key.store.saves.last?.credentials.map(\.id) == [id])
    }

    @Test("Ten seconds after power-up a reset is refused without a touch; a power cycle permits it")
    func window() throws {
        var key = try TestMachine()
        key.now = key.now + .seconds(10)
        #expect(key.begin(.reset) == Self.touch)
        #expect(key.approve() == .finished(.ok, []))
        key.now = key.now + .seconds(1)
        #expect(key.begin(.reset) == .status(.notAllowed))
        key.machine.powerCycle(now: key.now)
        #expect(key.begin(.reset) == Self.touch)
    }

    @Test("A selection is a touch", arguments: GestureCase.refusals)
    func selection(_ gesture: GestureCase) throws {
        var key = try TestMachine()
        #expect(key.begin(.selection) == .gesture(.confirm(.select)))
        #expect(key.approve() == .finished(.ok, []))
        #expect(key.begin(.selection) == .gesture(.confirm(.select)))
        #expect(
            key.finish(gesture.outcome, isCancelled: gesture.isCancelled)
                == .status(gesture.status))
    }
}
