// SPDX-License-Identifier: Apache-2.0
import PlatformSSO

extension Agent {
    /// Takes the device's registration back, and with it everybody's on it.
    ///
    /// - Parameters:
    ///   - person: Whose, where devices are registered for each person.
    ///   - localOnly: The provider is not told: for when it cannot be reached any more.
    package func unregisterDevice(of person: String, localOnly: Bool) async throws {
        let owner =
            record.machine.plan?.sharesDeviceKeys == false
            ? DeviceOwner.person(person) : .everyone
        try await unregister(.device(owner), of: owner, named: nil, localOnly: localOnly)
    }

    /// Takes a person off this device: their session, their key, and what unlocks what they sealed.
    package func unregisterPerson(_ person: String, localOnly: Bool) async throws {
        guard record.machine.people[person]?.phase.isRegistered == true,
            let plan = record.machine.plan, let name = record.people[person]?.loginUserName
        else { throw AgentRefusal.notRegistered }
        try await unregister(
            .person(person), of: plan.owner(of: person), named: name, localOnly: localOnly)
    }

    /// First at the provider, while there are keys to say so with, then here. Cut off in between it
    /// can be asked for again: the provider takes no offence.
    private func unregister(
        _ subject: RegistrationSubject, of owner: DeviceOwner, named name: String?, localOnly: Bool
    ) async throws {
        guard record.machine.plan != nil else { throw AgentRefusal.notConfigured }
        if localOnly, case .device = subject {
            // A provider that is gone for good leaves the machine trying to register for ever.
            guard record.machine.devices[owner]?.phase.isUnderWay == true || isRegistered(owner)
            else { throw AgentRefusal.deviceNotRegistered }
        } else {
            guard isRegistered(owner) else { throw AgentRefusal.deviceNotRegistered }
        }
        if !localOnly {
            guard let device = record.devices[owner], let login = device.configuration else {
                throw AgentRefusal.deviceNotRegistered
            }
            let leaving = Unregistration(
                configuration: login, signing: device.signing, loginUserName: name)
            guard let serving = configuration.flatMap({ extensions.find($0) }),
                try await serving.registration.unregister(leaving)
            else { throw AgentRefusal.cannotTell }
        }
        try await take([.unregistered(subject)])
    }

    private func isRegistered(_ owner: DeviceOwner) -> Bool {
        record.machine.devices[owner]?.phase == .registered
            && record.devices[owner]?.configuration != nil
    }
}
