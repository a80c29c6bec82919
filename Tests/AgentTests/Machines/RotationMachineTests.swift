// SPDX-License-Identifier: Apache-2.0
import AgentClient
import Primitives
import SingleSignOn
import Testing

@testable import Agent

@Suite struct RotationMachineTests {
    private let start = TestRecord.start
    private var machine = RotationMachine()

    /// A configuration that rotates keys every 90 days.
    private func configuration(
        _ method: PlatformSSOAuthenticationMethod = .password
    ) -> SSOConfiguration {
        var configuration = SSOConfiguration()
        configuration.formerAuthenticationMethod = method
        configuration.extensionData = [.init("key_rotation", 90)]
        return configuration
    }

    private func roles(_ effects: [RotationMachine.Effect]) -> [AgentKeyRole] {
        effects.flatMap { effect -> [AgentKeyRole] in
            if case .rotate(let rotations) = effect { rotations.map(\.role) } else { [] }
        }
    }

    private let begin = RotationMachine.Event.started(all: false, isBusy: false)

    @Test("The keys of a registered device are rotated when they are due")
    mutating func due() async throws {
        let record = try await TestRecord().record
        let due = start + .days(90)
        #expect(machine.next(record, configuration(), now: start) == due)
        #expect(machine.handle(begin, record, configuration(), now: start) == [])
        let effects = machine.handle(begin, record, configuration(), now: due)
        #expect(roles(effects) == [.deviceSigning, .deviceEncryption])
    }

    @Test("Without a period keys are rotated on request alone")
    mutating func request() async throws {
        let record = try await TestRecord().record
        #expect(machine.next(record, nil, now: start + .days(900)) == nil)
        let all = RotationMachine.Event.started(all: true, isBusy: false)
        #expect(roles(machine.handle(all, record, nil, now: start)).count == 2)
    }

    @Test("A person's key is rotated if it signs in without the person")
    mutating func person() async throws {
        var record = try await TestRecord().record
        var key = try await TestRecord.key()
        record.people["anna"]?.key = key
        let all = RotationMachine.Event.started(all: true, isBusy: false)
        let found = configuration(.userSecureEnclaveKey)
        #expect(roles(machine.handle(all, record, found, now: start)).last == .person)
        #expect(!roles(machine.handle(all, record, configuration(), now: start)).contains(.person))
        key.guarded = KeyProtection(description: [])
        record.people["anna"]?.key = key
        #expect(!roles(machine.handle(all, record, found, now: start)).contains(.person))
    }

    @Test("A rotation waits while a person signs in or an extension is called")
    mutating func busy() async throws {
        let record = try await TestRecord().record
        let (due, busy) = (
            start + .days(90), RotationMachine.Event.started(all: false, isBusy: true)
        )
        #expect(machine.handle(busy, record, configuration(), now: due) == [.postpone])
        #expect(machine.failedAt == due)
        #expect(machine.next(record, configuration(), now: due) == due + .hours(1))
        // Without a due rotation nothing waits.
        var other = RotationMachine()
        #expect(other.handle(busy, record, configuration(), now: start) == [])
        #expect(other.failedAt == nil)
    }

    @Test("A failed rotation is repeated an hour later, and a success clears the failure")
    mutating func failure() async throws {
        let record = try await TestRecord().record
        let due = start + .days(90)
        machine.handle(.failed, record, configuration(), now: due)
        #expect(machine.handle(begin, record, configuration(), now: due) == [])
        #expect(!machine.handle(begin, record, configuration(), now: due + .hours(1)).isEmpty)
        machine.handle(.finished, record, configuration(), now: due)
        #expect(machine.failedAt == nil)
    }

    @Test("A key that the provider may know already is due at once, whatever the profile says")
    mutating func offered() async throws {
        var record = try await TestRecord().record
        #expect(machine.offered(of: .everyone, record, nil).isEmpty)
        record.devices[.everyone]?.managed.offered = [.deviceSigning]
        #expect(machine.offered(of: .everyone, record, nil).map(\.role) == [.deviceSigning])
        #expect(roles(machine.handle(begin, record, nil, now: start)) == [.deviceSigning])
        #expect(machine.next(of: .person("bea"), record, nil, now: start) == nil)
    }

    @Test("A device that is not registered rotates no keys")
    mutating func unregistered() async throws {
        var record = try await TestRecord().record
        _ = record.machine.handle(.needsRepair(TestRecord.device), now: start)
        let all = RotationMachine.Event.started(all: true, isBusy: false)
        #expect(machine.handle(all, record, configuration(), now: start) == [])
    }
}
