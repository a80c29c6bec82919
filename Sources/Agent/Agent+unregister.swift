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

    /// First at the provider, while there are keys to say so with, then here. That it was to leave is on
    /// the disk before: a machine that was cut off in between, or lost the answer, and that the provider
    /// does not know any more, has left, and does not register anew by itself.
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
        leavings[owner, default: LeavingCount()].begin()
        defer { leavings[owner]?.end() }
        if !localOnly {
            if case .device = subject {
                record.devices[owner]?.leavingSince = now
                try await keep()
            }
            guard let device = record.devices[owner], let login = device.configuration else {
                throw AgentRefusal.deviceNotRegistered
            }
            guard try await tell(device, leaves: login, named: name) else {
                record.devices[owner]?.leavingSince = nil
                try await keep()
                throw AgentRefusal.cannotTell
            }
        }
        try await take([.unregistered(subject)])
    }

    /// By every key that the provider may know the device by: one that is about to take the place of
    /// another may have done so already.
    ///
    /// - Returns: `false` where the extension has no way to.
    func tell(
        _ device: DeviceRecord, leaves login: LoginConfiguration, named name: String?
    ) async throws -> Bool {
        guard let serving else { return false }
        for key in [device.managed.pending[.deviceSigning], device.signing].compactMap(\.self) {
            let leaving = Unregistration(configuration: login, signing: key, loginUserName: name)
            guard try await serving.registration.unregister(leaving) else { return false }
        }
        return true
    }

    /// Keys that others have taken the place of. Where nobody can tell the provider they just end.
    func leave(_ owner: DeviceOwner) async {
        // One whose answer was lost has no configuration, and is known to the same provider.
        let known = record.machine.devices.keys.compactMap { record.devices[$0]?.configuration }
        // An extension that is away now may be there later.
        var isTold = serving != nil
        end(.device(owner))
        if let device = record.devices[owner], let login = device.configuration ?? known.first {
            do { _ = try await tell(device, leaves: login, named: nil) } catch {
                notices.failed("telling the provider which keys have left it", error)
                isTold = false
            }
        }
        await handle(.left(owner, isTold))
    }

    private func isRegistered(_ owner: DeviceOwner) -> Bool {
        record.machine.devices[owner]?.phase == .registered
            && record.devices[owner]?.configuration != nil
    }
}
