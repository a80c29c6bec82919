// SPDX-License-Identifier: Apache-2.0
import CTAP
import Testing

/// CTAP1 as steps of the machine.
@Suite struct U2FCommandTests {
    private let application = [UInt8](repeating: 1, count: 32)
    private let challenge = [UInt8](repeating: 2, count: 32)

    private func begin(
        _ key: inout TestMachine, _ request: U2FRequest
    ) throws -> AuthenticatorMachine.Step {
        key.machine.begin(.u2f(try #require(request.apdu.extended)), now: key.now)
    }

    /// Begins a request that requires `operation`, and finishes it.
    private func run(
        _ key: inout TestMachine, _ request: U2FRequest, _ operation: GesturePrompt.Operation,
        _ outcome: GestureOutcome = .approved
    ) throws -> ResponseAPDU {
        guard case .gesture(let gesture, let pending) = try begin(&key, request) else {
            throw CTAPStatus.other
        }
        #expect(gesture == .confirm(operation))
        let step = key.machine.resume(
            pending, GestureResult(.confirmation(outcome)), now: key.now)
        return try response(step)
    }

    private func response(_ step: AuthenticatorMachine.Step) throws -> ResponseAPDU {
        guard case .response(let bytes) = step else { throw CTAPStatus.other }
        return try #require(ResponseAPDU(bytes))
    }

    private func register(_ key: inout TestMachine) throws -> [UInt8] {
        let response = try run(
            &key, .register(challenge: challenge, application: application),
            .register(application: application))
        return try #require(U2FRegistration(response.data)).keyHandle
    }

    private func authenticate(
        _ control: U2FRequest.Control, _ keyHandle: [UInt8]
    ) -> U2FRequest {
        .authenticate(
            control, challenge: challenge, application: application, keyHandle: keyHandle)
    }

    @Test("Registration and authentication require a touch; the counter is durable")
    func mainPath() throws {
        var key = try TestMachine()
        let handle = try register(&key)
        let saves = key.store.saves.count
        let signed = try run(
            &key, authenticate(.enforcePresenceAndSign, handle),
            .authenticate(application: application))
        #expect(signed.status == .ok && signed.data.prefix(5) == [1, 0, 0, 0, 1])
        #expect(key.store.saves.dropFirst(saves).map(\.signCount) == [1])
        let silent = try response(begin(&key, authenticate(.signWithoutPresence, handle)))
        #expect(silent.status == .ok && silent.data.first == 0)
        let version = try response(begin(&key, .version))
        #expect(version.data == Array("U2F_V2".utf8))
    }

    @Test("A touch that is denied or missing is 6985")
    func refusedTouch() throws {
        var key = try TestMachine()
        let handle = try register(&key)
        let saves = key.store.saves.count
        for outcome in [GestureOutcome.denied, .timedOut] {
            let registered = try run(
                &key, .register(challenge: challenge, application: application),
                .register(application: application), outcome)
            #expect(registered.status == .conditionsNotSatisfied && registered.data.isEmpty)
            let signed = try run(
                &key, authenticate(.enforcePresenceAndSign, handle),
                .authenticate(application: application), outcome)
            #expect(signed.status == .conditionsNotSatisfied && signed.data.isEmpty)
        }
        #expect(key.store.saves.count == saves)
    }

    @Test("An unknown key handle, a check and a key that always verifies sign nothing")
    func refusals() throws {
        var key = try TestMachine()
        let handle = try register(&key)
        for (request, status) in [
            (authenticate(.enforcePresenceAndSign, [1, 2, 3]), StatusWord.wrongData),
            (authenticate(.checkOnly, handle), .conditionsNotSatisfied),
        ] {
            #expect(try response(begin(&key, request)).status == status)
        }
        _ = try key.run(.config(ConfigRequest(.toggleAlwaysUv)))
        for request in [
            authenticate(.enforcePresenceAndSign, handle),
            authenticate(.signWithoutPresence, handle),
            .register(challenge: challenge, application: application),
        ] {
            #expect(try response(begin(&key, request)).status == .conditionsNotSatisfied)
        }
        var modern = try TestMachine { $0.speaksU2F = false }
        #expect(try response(begin(&modern, .version)).status == .instructionNotSupported)
    }
}
