// SPDX-License-Identifier: Apache-2.0
import AgentClient
import PlatformSSO
import SingleSignOn

/// Unregisters devices and people, at the provider and on this device.
@AgentActor
struct Departures {
    let records: RecordStore
    let profiles: ActiveProfiles
    let notices: any AgentEventLog
    let events: any AgentEvents

    /// Unregisters a device with all of its people.
    ///
    /// - Parameters:
    ///   - person: The person of the device, if each person has a registration of the device.
    ///   - localOnly: Whether the provider is not notified, because it cannot be reached.
    func unregisterDevice(of person: String, localOnly: Bool) async throws {
        let owner = records.record.registrations.deviceOwner(for: person)
        guard records.record.registrations.plan != nil else { throw AgentRefusal.notConfigured }
        // A provider that is unreachable for good leaves the device in its tries to register.
        let isUnderWay = records.record.registrations.devices[owner]?.phase.isUnderWay == true
        guard isRegistered(owner) || localOnly && isUnderWay else {
            throw AgentRefusal.deviceNotRegistered
        }
        try await records.whileLeaving(owner) {
            if !localOnly { try await notifyProvider(of: owner) }
            try await events.apply([.unregistered(.device(owner))])
        }
    }

    /// Unregisters a person from this device: their session, their key, and their unlock key.
    func unregisterPerson(_ person: String, localOnly: Bool) async throws {
        guard records.record.registrations.people[person]?.phase.isRegistered == true,
            let plan = records.record.registrations.plan,
            let name = records.record.people[person]?.loginUserName
        else { throw AgentRefusal.notRegistered }
        let owner = plan.owner(of: person)
        guard isRegistered(owner) else { throw AgentRefusal.deviceNotRegistered }
        try await records.whileLeaving(owner) {
            if !localOnly {
                guard let device = records.record.devices[owner],
                    let login = device.configuration
                else { throw AgentRefusal.deviceNotRegistered }
                guard try await notify(device, leaving: login, named: name) else {
                    throw AgentRefusal.cannotTell
                }
            }
            try await events.apply([.unregistered(.person(person))])
        }
    }

    /// Notifies the provider while the keys exist. The departure is saved before: an interrupted device
    /// that the provider does not know any longer has left, and does not register again by itself.
    private func notifyProvider(of owner: DeviceOwner) async throws {
        records.record.devices[owner]?.leavingSince = records.now
        try await records.save()
        guard let device = records.record.devices[owner], let login = device.configuration else {
            throw AgentRefusal.deviceNotRegistered
        }
        guard try await notify(device, leaving: login, named: nil) else {
            records.record.devices[owner]?.leavingSince = nil
            try await records.save()
            throw AgentRefusal.cannotTell
        }
    }

    /// Sends the departure with every key by which the provider may know the device: a pending rotation
    /// may have replaced its key already.
    ///
    /// - Returns: `false` if the extension cannot notify its provider.
    private func notify(
        _ device: DeviceRecord, leaving login: LoginConfiguration, named name: String?
    ) async throws -> Bool {
        guard let serving = profiles.serving else { return false }
        for key in [device.managed.pending[.deviceSigning], device.signing].compactMap(\.self) {
            let leaving = Unregistration(configuration: login, signing: key, loginUserName: name)
            guard try await serving.registration.unregister(leaving) else { return false }
        }
        return true
    }

    /// Notifies the provider of keys that other keys replaced. Without an extension they just end.
    func leave(_ owner: DeviceOwner) async {
        let record = records.record
        // A device whose answer was lost has no configuration, and belongs to the same provider.
        let known = record.registrations.devices.keys.compactMap {
            record.devices[$0]?.configuration
        }
        // An extension that is missing now may be installed later.
        var isTold = profiles.serving != nil
        records.end(.device(owner))
        if let device = record.devices[owner], let login = device.configuration ?? known.first {
            do { _ = try await notify(device, leaving: login, named: nil) } catch {
                notices.failed("telling the provider which keys have left it", error)
                isTold = false
            }
        }
        await events.handle(.left(owner, isTold))
    }

    /// Returns the events for a device that the provider does not know by its key. A device that was
    /// leaving is notified with all of its keys; every other device registers again.
    func eventsOfUnknown(_ owner: DeviceOwner) async -> [RegistrationEvent] {
        guard let device = records.record.devices[owner], device.isLeaving,
            let login = device.configuration
        else { return [.needsRepair(.device(owner))] }
        do {
            let isTold = try await records.whileLeaving(owner) {
                try await notify(device, leaving: login, named: nil)
            }
            return isTold ? [.unregistered(.device(owner))] : []
        } catch {
            notices.failed("notifying the provider that this device unregisters", error)
            return []
        }
    }

    private func isRegistered(_ owner: DeviceOwner) -> Bool {
        records.record.registrations.devices[owner]?.phase == .registered
            && records.record.devices[owner]?.configuration != nil
    }
}
