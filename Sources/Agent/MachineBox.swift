// SPDX-License-Identifier: Apache-2.0

/// A machine that several components use.
@AgentActor
final class MachineBox<Machine: Sendable> {
    var machine: Machine

    init(_ machine: Machine) { self.machine = machine }
}
