// SPDX-License-Identifier: Apache-2.0
import Agent
import JOSE
import Primitives
import SingleSignOn
import Testing

/// The rules of the machine, asked of every step that it can take.
@Suite struct MachineRulesTests {
    private let steps = MachineExplorer.everyStep

    private func begun(
        _ step: MachineExplorer.Step
    ) -> [(subject: RegistrationSubject, attempt: RegistrationAttempt)] {
        step.effects.compactMap {
            if case .begin(let subject, let attempt) = $0 { (subject, attempt) } else { nil }
        }
    }

    private func attempt(
        _ subject: RegistrationSubject, _ machine: RegistrationStateMachine
    ) -> RegistrationAttempt? {
        var run = MachineRun()
        run.machine = machine
        return run.attempt(subject)
    }

    @Test("The walk gets everywhere")
    func everywhere() {
        for owner in MachineExplorer.owners {
            #expect(
                Set(steps.compactMap { $0.after.registrations.devices[owner]?.phase.name }).count
                    == 5)
        }
        let people = Set(steps.compactMap { $0.after.registrations.people["anna"]?.phase.name })
        #expect(people.count == 9)
        #expect(Set(steps.map(\.after.registrations.outgoing)).count == 4)
        #expect(MachineExplorer.sharing.states.count > 100)
    }

    @Test(
        "User interaction is allowed only after the extension requested it, with a person present")
    func interface() {
        for step in steps {
            for (subject, attempt) in begun(step) where attempt.hasUserInterface {
                #expect(attempt.presence != nil)
                let before = self.attempt(subject, step.before)
                #expect(before?.hasUserInterface == false)
                #expect(
                    step.event
                        == .answered(
                            subject, attempt: before?.number ?? 0, .userInterfaceRequired))
            }
        }
    }

    @Test("A person is registered only on a device that is registered")
    func deviceFirst() {
        for step in steps where !begun(step).filter({ $0.subject == .person("anna") }).isEmpty {
            #expect(step.after.registrations.device == .registered)
        }
    }

    @Test("What was refused is begun again only by a configuration that changed")
    func refused() {
        for step in steps {
            guard step.before.registrations.device == .refused,
                step.after.registrations.device != .refused
            else { continue }
            switch step.event {
            case .planned(let plan): #expect(plan != step.before.registrations.plan)
            // Their keys go with them.
            case .departed: #expect(step.before.registrations.plan?.sharesDeviceKeys == false)
            default: Issue.record("\(step.event)")
            }
        }
        for step in steps where step.before.registrations.people["anna"]?.phase == .refused {
            guard step.after.registrations.people["anna"]?.phase != .refused else { continue }
            switch step.event {
            case .planned(let plan): #expect(plan != step.before.registrations.plan)
            case .departed: break
            default: Issue.record("\(step.event)")
            }
        }
    }

    @Test("Nothing is tried again before its time but by hand, by repair or by a change")
    func patience() {
        for step in steps where step.event == .woke && step.now == MachineExplorer.start {
            #expect(step.effects == [], "\(step.before)")
            #expect(step.before == step.after)
        }
    }

    @Test("Only the answer to the call that is under way counts")
    func lateAnswers() {
        for step in steps {
            switch step.event {
            case .answered(let subject, let number, _):
                guard attempt(subject, step.before)?.number != number else { continue }
            case .keyBound(_, let number, _):
                guard
                    step.before.registrations.people["anna"]?.phase != .bindingKey(attempt: number)
                else {
                    continue
                }
            default: continue
            }
            #expect(step.effects == [] && step.before == step.after)
        }
    }

    @Test("A call is never replaced without being answered, abandoned or cut off")
    func abandoned() {
        for step in steps where step.event != .resumed {
            let devices = MachineExplorer.owners.map(RegistrationSubject.device)
            for subject in devices + [.person("anna")] {
                guard let old = attempt(subject, step.before),
                    attempt(subject, step.after) != old
                else { continue }
                if case .answered(subject, old.number, _) = step.event { continue }
                #expect(step.effects.contains(.abandon(attempt: old.number)), "\(step)")
            }
        }
    }

    @Test("Numbers of attempts only rise, and every attempt has its own")
    func numbers() {
        for step in steps {
            let numbers = begun(step).map(\.attempt.number)
            #expect(Set(numbers).count == numbers.count)
            #expect(numbers.allSatisfy { $0 > step.before.lastAttempt })
        }
    }

    @Test("Without a configuration no person gets a prompt")
    func unconfigured() {
        for step in steps where step.after.registrations.plan == nil {
            #expect(begun(step).isEmpty && step.after.registrations.devices.isEmpty)
            #expect(
                step.after.registrations.outgoing.isEmpty
                    && step.after.registrations.nextWake == nil)
        }
    }

    @Test(
        "It is complete exactly when the person has signed in, and bound a key where there is one")
    func complete() {
        for step in steps {
            let isComplete = step.effects.contains(.complete("anna"))
            let became =
                step.before.registrations.people["anna"]?.phase != .registered
                && step.after.registrations.people["anna"]?.phase == .registered
            if isComplete != became { Issue.record("\(step)") }
            guard became else { continue }
            switch step.event {
            case .signedIn: #expect(step.after.registrations.plan?.usesKeyService == false)
            case .keyBound(_, _, true): break
            default: Issue.record("\(step.event)")
            }
        }
    }

    @Test("Whatever the state, it is the same after it lay on the disk")
    func roundTrip() throws {
        let states = MachineExplorer.sharing.states.union(MachineExplorer.migrating.states)
        for machine in states {
            let object = try #require(machine.json.object)
            #expect(try RegistrationStateMachine(object) == machine)
        }
    }

    @Test("An interrupted device resumes, or waits for the person that it needs")
    func resumed() {
        for step in steps where step.event == .resumed {
            for owner in MachineExplorer.owners {
                let device = attempt(.device(owner), step.after)
                #expect(device?.presence == nil && device?.hasUserInterface != true)
            }
            #expect(attempt(.person("anna"), step.after)?.presence == nil)
            #expect(step.before.registrations.people.keys == step.after.registrations.people.keys)
        }
    }
}
