import Agent
// SPDX-License-Identifier: Apache-2.0
import AgentClient
import JOSE
import Primitives
import SingleSignOn

/// Walks through every state that one device and one person can get into, by every event, and keeps
/// what it sees. Numbers of attempts and times are made small again after each step, so that the
/// walk ends.
struct MachineExplorer {
    struct Step {
        let before: RegistrationStateMachine
        let event: RegistrationEvent
        let now: Timestamp
        let after: RegistrationStateMachine
        let effects: [RegistrationEffect]
    }

    private(set) var steps: [Step] = []
    private(set) var states: Set<RegistrationStateMachine> = []

    static let start = Timestamp(seconds: 1_800_000_000)
    static let person = "anna"
    /// Whose keys there can be.
    static let owners = [DeviceOwner.everyone, .person(person)]

    /// With shared keys, under plans that differ in each relevant property.
    static let sharing = MachineExplorer(
        [
            nil, .test(revision: "1"), .test(token: true, revision: "2"),
            .test(token: true, keys: true, revision: "3"),
            .test(token: true, method: "UserSecureEnclaveKey", revision: "4"),
        ], owners: [.everyone])
    /// With shared keys and keys of the person's own, in turn.
    static let migrating = MachineExplorer(
        [nil, .test(token: true, revision: "2"), .test(shared: false, revision: "5")],
        owners: owners)

    /// The steps of both, which are explored once for all tests.
    static let everyStep = sharing.steps + migrating.steps

    private let plans: [RegistrationPlan?]
    private let owners: [DeviceOwner]

    private init(_ plans: [RegistrationPlan?], owners: [DeviceOwner]) {
        (self.plans, self.owners) = (plans, owners)
        var queue = [RegistrationStateMachine()]
        states.insert(queue[0])
        while let machine = queue.popLast() {
            for (event, now) in events(for: machine) {
                var next = machine
                let effects = next.handle(event, now: now)
                steps.append(
                    Step(before: machine, event: event, now: now, after: next, effects: effects))
                // Most events change nothing.
                guard next != machine else { continue }
                let small = Self.small(next)
                if states.insert(small).inserted { queue.append(small) }
            }
        }
    }

    private func events(
        for machine: RegistrationStateMachine
    ) -> [(RegistrationEvent, Timestamp)] {
        let (person, start) = (Self.person, Self.start)
        let subjects = owners.map(RegistrationSubject.device) + [.person(person)]
        var events: [RegistrationEvent] = plans.map(RegistrationEvent.planned)
        events += [
            .resumed, .arrived(person), .departed(person), .cancelled(person), .signedIn(person),
            .woke,
        ]
        events += subjects.flatMap { subject -> [RegistrationEvent] in
            [.begun(subject, by: person), .needsRepair(subject), .unregistered(subject)]
        }
        events += owners.flatMap { [RegistrationEvent.left($0, true), .left($0, false)] }
        for number in 0...machine.lastAttempt {
            events += ExtensionRegistrationResult.allCases.flatMap { result in
                subjects.map { .answered($0, attempt: number, result) }
            }
            events += [true, false].map { .keyBound(person, attempt: number, $0) }
        }
        // Waits started at the start, so that they have expired ten minutes later.
        return events.map { ($0, start) } + [(.woke, start + .minutes(10))]
    }

    /// The same state, as young as it can be.
    private static func small(_ machine: RegistrationStateMachine) -> RegistrationStateMachine {
        var numbers: [UInt64] = []
        for track in machine.registrations.devices.values {
            if case .registering(let attempt) = track.phase { numbers.append(attempt.number) }
        }
        switch machine.registrations.people[person]?.phase {
        case .registering(let attempt): numbers.append(attempt.number)
        case .bindingKey(let number): numbers.append(number)
        default: break
        }
        return machine.renumbered(numbers)
    }
}

extension RegistrationStateMachine {
    /// With those attempts as the numbers 1 and 2.
    fileprivate func renumbered(_ numbers: [UInt64]) -> RegistrationStateMachine {
        guard var object = json.object else { return self }
        let order = numbers.sorted()
        for list in ["devices", "people"] {
            let entries = object[list]?.array ?? []
            object[list] = .array(entries.map { Self.renumbered($0, order) })
        }
        object["last_attempt"] = .integer(Int64(order.count))
        return (try? RegistrationStateMachine(object)) ?? self
    }

    private static func renumbered(_ entry: JSONValue, _ order: [UInt64]) -> JSONValue {
        guard var object = entry.object, let old = object["attempt"]?.integer,
            let place = order.firstIndex(of: UInt64(old))
        else { return entry }
        object["attempt"] = .integer(Int64(place) + 1)
        return .object(object)
    }
}
