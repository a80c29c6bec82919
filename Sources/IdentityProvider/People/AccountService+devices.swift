// SPDX-License-Identifier: Apache-2.0
import JOSE
package import Primitives
package import Storage

/// The machines on which somebody signs in (Platform SSO), and the keys that those hold for them: as
/// good as a passkey, and taken back by their owner in the same way.
extension AccountService {
    /// Shown of one account; nobody has as many.
    static let mostMachines = 100

    /// Takes the person off the machine: the key that it holds for them, their tokens and unlock
    /// keys there. The machine and everybody else on it stay.
    package func remove(
        machine id: Identifier<Device>
    ) async throws -> Result<PersonDevice, Refusal> {
        let outcome = try await fresh { try await removing(machine: id) }
        let settled = try await context.settle(
            "credential.machine.removed", outcome,
            details: { (["device": .string($0.device.id.description)] as JSONValue).text },
            person: { _ in signedIn.person.id })
        if case .success(let machine) = settled {
            Mailer(context: context).send(
                .machineRemoved(label: machine.name), to: signedIn.person)
        }
        return settled
    }

    private func removing(
        machine id: Identifier<Device>
    ) async throws -> Result<PersonDevice, CeremonyRefusal> {
        let person = signedIn.person.id
        let machines = try await context.store.machines(
            of: person, now: context.now, limit: Self.mostMachines)
        guard let machine = machines.first(where: { $0.device.id == id }),
            try await context.store.remove(user: person, from: id, now: context.now)
        else {
            return .refused(.unknownCredential, because: "unknown machine", person: person)
        }
        return .success(machine)
    }
}

extension PersonDevice {
    /// What its owner calls it.
    package var name: String {
        let names = [device.facts.hostName, device.facts.model, device.facts.serial]
        return names.first { !$0.isEmpty } ?? device.id.description
    }
}
