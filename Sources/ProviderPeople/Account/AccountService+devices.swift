// SPDX-License-Identifier: Apache-2.0
import JOSE
package import Primitives
package import ProviderCore
package import Storage

/// The devices on which the person signs in (Platform SSO), with the keys that they have for the
/// person. Such a key is equivalent to a passkey, and its owner removes it in the same way.
extension AccountService {
    /// Maximum number of displayed devices of an account.
    static let maximumDevices = 100

    /// Removes the person from the device: their key, tokens and unlock keys on it. The device and
    /// its other users stay registered.
    package func remove(
        machine id: Identifier<Device>
    ) async throws -> Result<PersonDevice, Refusal> {
        let outcome = try await fresh { try await removing(machine: id) }
        return try await finish(
            "credential.machine.removed", outcome,
            notification: { .machineRemoved(label: $0.name) },
            details: { (["device": .string($0.device.id.description)] as JSONValue).text })
    }

    private func removing(
        machine id: Identifier<Device>
    ) async throws -> Result<PersonDevice, CeremonyRefusal> {
        let person = signedIn.person.id
        let machines = try await context.store.devices.machines(
            of: person, now: context.now, limit: Self.maximumDevices)
        guard let machine = machines.first(where: { $0.device.id == id }),
            try await context.store.devices.remove(user: person, from: id, now: context.now)
        else {
            return .refused(.unknownCredential, because: "unknown device", person: person)
        }
        return .success(machine)
    }
}

extension PersonDevice {
    /// The host name, model or serial number for display.
    package var name: String {
        let names = [device.facts.hostName, device.facts.model, device.facts.serial]
        return names.first { !$0.isEmpty } ?? device.id.description
    }
}
