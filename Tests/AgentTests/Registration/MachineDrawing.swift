// SPDX-License-Identifier: Apache-2.0
import Agent
import Primitives

/// Every transition that the explorer saw, drawn as a state diagram of Mermaid.
struct MachineDrawing {
    private var devices: [String: Set<String>] = [:]
    private var people: [String: Set<String>] = [:]
    private var outgoing: [String: Set<String>] = [:]

    init(_ steps: [MachineExplorer.Step]) {
        for step in steps {
            let event = Self.name(of: step)
            Self.add(
                Self.device(step.before), Self.device(step.after), event, to: &devices)
            Self.add(Self.person(step.before), Self.person(step.after), event, to: &people)
            Self.add(
                Self.outgoing(step.before), Self.outgoing(step.after), event, to: &outgoing)
        }
    }

    var text: String {
        """
        ```mermaid
        stateDiagram-v2
            state "The device" as device {
        \(Self.lines(devices))
            }
        ```

        ```mermaid
        stateDiagram-v2
            state "A person" as person {
        \(Self.lines(people))
            }
        ```

        ```mermaid
        stateDiagram-v2
            state "Keys that others take the place of" as outgoing {
        \(Self.lines(outgoing))
            }
        ```
        """
    }

    /// With the keys that the plan wants.
    private static func device(_ machine: RegistrationStateMachine) -> String {
        machine.registrations.device.map { identifier($0.name) } ?? "[*]"
    }

    private static func person(_ machine: RegistrationStateMachine) -> String {
        machine.registrations.people["anna"].map { identifier($0.phase.name) } ?? "[*]"
    }

    private static func outgoing(_ machine: RegistrationStateMachine) -> String {
        if machine.registrations.outgoing.isEmpty { return "[*]" }
        if machine.registrations.leavingAt != nil { return "leaving_later" }
        return machine.registrations.isMigrating ? "kept" : "leaving"
    }

    private static func identifier(_ name: String) -> String {
        String(name.map { $0 == "-" ? "_" : $0 })
    }

    /// A step that leads back to where it began is drawn only when it does something.
    private static func add(
        _ from: String, _ to: String, _ event: String, to lines: inout [String: Set<String>]
    ) {
        guard from != to else { return }
        lines["\(from) --> \(to)", default: []].insert(event)
    }

    private static func lines(_ transitions: [String: Set<String>]) -> String {
        transitions.keys.sorted().map { arrow in
            let events = (transitions[arrow] ?? []).sorted().joined(separator: ", ")
            return "        \(arrow): \(events)"
        }.joined(separator: "\n")
    }

    private static func name(of step: MachineExplorer.Step) -> String {
        switch step.event {
        case .planned(nil): "configuration removed"
        case .planned(let plan?) where step.before.registrations.plan?.migrates(to: plan) == true:
            "other keys"
        case .planned: "configuration"
        case .resumed: "restart of the agent"
        case .arrived: "arrives"
        case .departed: "account removed"
        case .begun(.device, _): "device begun by hand"
        case .begun(.person, _): "begun by hand"
        case .answered(.device, _, let result): "device \(result)"
        case .answered(.person, _, let result): "person \(result)"
        case .cancelled: "cancelled"
        case .signedIn: "signed in"
        case .keyBound(_, _, true): "key bound"
        case .keyBound(_, _, false): "no key"
        case .needsRepair(.device): "repair of the device"
        case .needsRepair(.person): "repair of the person"
        case .unregistered(.device): "device taken back"
        case .unregistered(.person): "person taken back"
        case .left(_, true): "provider told"
        case .left(_, false): "provider not told"
        case .woke: "time"
        }
    }
}
