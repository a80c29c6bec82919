import Agent
// SPDX-License-Identifier: Apache-2.0
import AgentClient
import Primitives
import SingleSignOn
import Testing

/// The rules of keys that take each other's place, asked of every step that the machine can take.
@Suite struct MachineMigrationTests {
    private let steps = MachineExplorer.migrating.steps

    /// Whose keys the machine knows.
    private func owners(_ machine: RegistrationStateMachine) -> Set<DeviceOwner> {
        Set(machine.registrations.devices.keys).union(machine.registrations.outgoing)
    }

    @Test("The device has the keys that the plan wants, and no others are registered")
    func planned() {
        for machine in MachineExplorer.migrating.states {
            let wanted =
                machine.registrations.plan.map { [$0.owner(of: MachineExplorer.person)] } ?? []
            // Keys of the person's own are there when they come.
            #expect(Set(machine.registrations.devices.keys).subtracting(wanted).isEmpty)
            #expect(
                Set(machine.registrations.outgoing).isDisjoint(
                    with: machine.registrations.devices.keys))
        }
    }

    @Test(
        "No keys are let go of but by a word of the provider's, of an administrator or with their person"
    )
    func forgotten() {
        for step in steps where step.before != step.after {
            for owner in owners(step.before).subtracting(owners(step.after)) {
                #expect(step.effects.contains(.forget(.device(owner))))
                switch step.event {
                case .left(owner, true): #expect(step.before.registrations.outgoing.contains(owner))
                case .planned(nil): break
                case .departed(let person): #expect(owner == .person(person))
                default: Issue.record("\(step.event)")
                }
            }
        }
    }

    @Test("Keys leave only when those that take their place are registered, or given up")
    func leave() {
        for step in steps {
            for case .leave(let owner) in step.effects {
                #expect(step.after.registrations.outgoing.contains(owner))
                #expect(!step.after.registrations.isMigrating)
            }
        }
    }

    @Test("Old keys leave after the migration; a failed notification is retried within ten minutes")
    func leaving() {
        for step in steps
        where !step.after.registrations.outgoing.isEmpty && !step.after.registrations.isMigrating {
            guard
                step.before.registrations.outgoing.isEmpty || step.before.registrations.isMigrating
            else { continue }
            let left = step.effects.compactMap { effect -> DeviceOwner? in
                if case .leave(let owner) = effect { owner } else { nil }
            }
            #expect(left == step.after.registrations.outgoing)
        }
        for step in steps {
            guard case .left(let owner, false) = step.event,
                step.before.registrations.outgoing.contains(owner),
                !step.before.registrations.isMigrating
            else { continue }
            #expect(step.after.registrations.nextWake.map { $0 <= step.now + .minutes(10) } == true)
        }
    }

    @Test("The extension is told of a migration at each attempt until it succeeds")
    func said() {
        for step in steps {
            for case .begin(.device(let owner), let attempt) in step.effects {
                let pending = step.after.registrations.devices[owner]?.pending ?? []
                #expect(attempt.options.isSuperset(of: pending))
                guard
                    step.before.registrations.devices[owner]?.pending.contains(
                        .registrationDeviceKeyMigration)
                        == true
                else { continue }
                #expect(pending.contains(.registrationDeviceKeyMigration))
            }
        }
    }

    @Test("All people register again with migrated keys")
    func people() {
        for step in steps {
            guard case .planned(let plan?) = step.event, let old = step.before.registrations.plan,
                old.migrates(to: plan)
            else { continue }
            #expect(
                step.after.registrations.people.values.allSatisfy {
                    $0.phase == .waitingForDevice
                        && $0.pending.contains(.registrationDeviceKeyMigration)
                })
        }
    }
}
