// SPDX-License-Identifier: Apache-2.0
package import AgentClient
package import Primitives

/// Everything that the agent must not forget: one value, one file.
package struct AgentRecord: Sendable, Equatable {
    package var machine: RegistrationStateMachine
    package var devices: [DeviceOwner: DeviceRecord] = [:]
    package var people: [String: PersonRecord] = [:]
    /// The latest time that was ever seen: grace periods do not grow when the clock is set back.
    package var latest: Timestamp
    /// Who is let in; `nil` while no profile says anything.
    package var terms: EffectiveAdmissionPolicy?
    /// Attests the device's keys if they are in a TPM.
    package var attestationKey: AgentKey?

    package init(machine: RegistrationStateMachine, latest: Timestamp) {
        self.machine = machine
        self.latest = latest
    }

    /// The registrations of the device and its people.
    package var registrations: Registrations { machine.registrations }

    /// Every key that it knows.
    var keys: [AgentKey] {
        devices.values.flatMap { [$0.signing, $0.encryption] + $0.managed.pending.values }
            + people.values.flatMap { [$0.key].compactMap(\.self) + $0.managed.pending.values }
            + [attestationKey].compactMap(\.self)
    }
}
