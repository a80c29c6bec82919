// SPDX-License-Identifier: Apache-2.0
import AgentClient
import Primitives
import Testing

@testable import Agent

@Suite struct SessionMachineTests {
    private let start = TestRecord.start
    private var machine = SessionMachine()

    private func request(
        usesKey: Bool = false, hasSession: Bool = true, hasKey: Bool = true,
        isRegistered: Bool = true, isForced: Bool = false
    ) -> RenewalRequest {
        let schedule = SignInSchedule(
            policy: SignInPolicy(usesKey: usesKey),
            session: hasSession ? TestRecord.session() : nil)
        return RenewalRequest(
            schedule: schedule, isRegistered: isRegistered, hasKey: hasKey, isForced: isForced)
    }

    @Test("Tokens are renewed when they are due, and on request before")
    mutating func due() {
        let request = request()
        #expect(machine.handle(.renewalRequested("anna", request), now: start) == [])
        let later = start + .hours(4)
        #expect(
            machine.handle(.renewalRequested("anna", request), now: later)
                == [.renew("anna", .refresh)])
        #expect(
            machine.handle(.renewalRequested("bea", self.request(isForced: true)), now: start)
                == [.renew("bea", .refresh)])
    }

    @Test("A key renews instead of a refresh token")
    mutating func key() {
        #expect(
            machine.handle(
                .renewalRequested("anna", request(usesKey: true, isForced: true)), now: start)
                == [.renew("anna", .signInWithKey)])
        #expect(
            machine.handle(
                .renewalRequested("bea", request(usesKey: true, hasKey: false, isForced: true)),
                now: start) == [.refuse(.signedOut)])
    }

    @Test("One renewal runs at a time for each person")
    mutating func once() {
        let event = SessionMachine.Event.renewalRequested("anna", request(isForced: true))
        #expect(machine.handle(event, now: start).count == 1)
        #expect(machine.handle(event, now: start) == [])
        #expect(machine.renewing == ["anna"])
        machine.handle(.renewalFinished("anna"), now: start)
        #expect(machine.renewing.isEmpty)
        #expect(machine.handle(event, now: start).count == 1)
    }

    @Test("A person whose login is due is prompted, and the renewal is refused")
    mutating func prompt() {
        #expect(
            machine.handle(.renewalRequested("anna", request()), now: start + .hours(18))
                == [.prompt("anna", .loginFrequency), .refuse(.signedOut)])
        #expect(machine.renewing.isEmpty)
    }

    @Test("Without a session nothing is renewed, and without a registration it is refused")
    mutating func impossible() {
        let without = request(hasSession: false, isForced: true)
        #expect(machine.handle(.renewalRequested("anna", without), now: start) == [])
        let unregistered = request(isRegistered: false, isForced: true)
        #expect(
            machine.handle(.renewalRequested("anna", unregistered), now: start)
                == [.refuse(.deviceNotRegistered)])
    }

    @Test("A failure is stored until the next sign-in")
    mutating func failure() {
        machine.handle(.failed("anna"), now: start)
        #expect(machine.failures == ["anna": start])
        machine.handle(.signedIn("anna"), now: start)
        #expect(machine.failures.isEmpty)
    }

    @Test("The next renewal is the earliest of those that do not run")
    mutating func next() {
        let schedule = request().schedule
        let schedules = ["anna": schedule, "bea": SignInSchedule(policy: .init(), session: nil)]
        #expect(machine.nextRenewal(schedules, now: start) == start + .hours(4))
        machine.handle(.renewalRequested("anna", request(isForced: true)), now: start)
        #expect(machine.nextRenewal(schedules, now: start) == nil)
    }
}
