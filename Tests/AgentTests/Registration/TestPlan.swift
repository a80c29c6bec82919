import Agent
// SPDX-License-Identifier: Apache-2.0
import AgentClient
import Primitives
import SingleSignOn

extension RegistrationPlan {
    /// Gatehouse's own extension, with passwords and a key service.
    static func test(
        shared: Bool = true, token: Bool = false, keys: Bool = false, method: String = "Password",
        exempt: Set<String> = [], revision: String = "1", team: String = "TEAM"
    ) -> RegistrationPlan {
        RegistrationPlan(
            extensionIdentifier: "\(team).org.gatehouse.sso", method: method,
            sharesDeviceKeys: shared, hasToken: token, usesKeyService: keys, exemptAccounts: exempt,
            revision: revision)
    }

    func migrates(to plan: RegistrationPlan) -> Bool { sharesDeviceKeys != plan.sharesDeviceKeys }
}

extension Registrations {
    /// The phase of the device with the keys that Anna uses under the plan.
    var device: DevicePhase? { plan.flatMap { devices[$0.owner(of: "anna")]?.phase } }

    /// Whether keys that replace others are not all registered yet.
    var isMigrating: Bool {
        devices.values.contains { $0.pending.contains(.registrationDeviceKeyMigration) }
    }
}

/// A machine and a clock.
struct MachineRun {
    var machine = RegistrationStateMachine()
    var now = Timestamp(seconds: 1_800_000_000)

    /// The effects of one event.
    @discardableResult
    mutating func callAsFunction(_ event: RegistrationEvent) -> [RegistrationEffect] {
        machine.handle(event, now: now)
    }

    mutating func wait(_ span: TimeSpan) -> [RegistrationEffect] {
        now = now + span
        return machine.handle(.woke, now: now)
    }

    /// Answers the call that is under way.
    @discardableResult
    mutating func answer(
        _ subject: RegistrationSubject, _ result: ExtensionRegistrationResult
    ) -> [RegistrationEffect] {
        self(.answered(subject, attempt: attempt(subject)?.number ?? 0, result))
    }

    func attempt(_ subject: RegistrationSubject) -> RegistrationAttempt? {
        switch subject {
        case .device(let owner):
            if case .registering(let attempt)? = registrations.devices[owner]?.phase {
                return attempt
            }
        case .person(let name):
            if case .registering(let attempt)? = registrations.people[name]?.phase {
                return attempt
            }
        }
        return nil
    }

    var registrations: Registrations { machine.registrations }
    var device: DevicePhase? { registrations.devices[.everyone]?.phase }
    var anna: PersonPhase? { registrations.people["anna"]?.phase }

    /// A machine whose device was registered by a token.
    static func registered(_ plan: RegistrationPlan = .test(token: true)) -> MachineRun {
        var run = MachineRun()
        run(.planned(plan))
        run.answer(.device(.everyone), .success)
        return run
    }

    /// And Anna, who has come, begun, registered and signed in.
    static func complete(_ plan: RegistrationPlan = .test(token: true)) -> MachineRun {
        var run = registered(plan)
        run(.arrived("anna"))
        run(.begun(.person("anna"), by: "anna"))
        run.answer(.person("anna"), .success)
        run(.signedIn("anna"))
        if case .bindingKey(let attempt)? = run.anna {
            run(.keyBound("anna", attempt: attempt, true))
        }
        return run
    }
}

extension [RegistrationEffect] {
    /// The attempts that are begun.
    var begun: [RegistrationAttempt] {
        compactMap { if case .begin(_, let attempt) = $0 { attempt } else { nil } }
    }
}
