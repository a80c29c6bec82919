// SPDX-License-Identifier: Apache-2.0
import Primitives
import SingleSignOn

/// Handles a device that the provider does not know any longer: it was revoked or unregistered.
@AgentActor
struct DeviceRecovery {
    let records: RecordStore
    let rotations: Rotations
    let departures: Departures
    let unlock: MachineBox<UnlockMachine>
    let notices: any AgentEventLog
    let events: any AgentEvents

    /// Signs out all people of the device and deletes their agreements, in one step with what follows: an
    /// interrupted device would not repeat the request. The device registers again, silently if that is
    /// possible, unless it was being unregistered.
    ///
    /// - Parameter origin: The registrations of the request. Those of another registration or key change
    ///   nothing.
    func recover(from failure: ProviderError, _ origin: RequestOrigin) async {
        let owner = origin.owner
        guard isUnknown(origin) else { return }
        notices.failed("request to the provider as this device", failure)
        // The provider may know the device by the new key of a rotation.
        if await rotations.finishOffered(of: owner) { return }
        let next = await departures.eventsOfUnknown(owner)
        // Another response may have led to a new registration.
        guard isUnknown(origin), let plan = records.record.registrations.plan else { return }
        records.end(.device(owner))
        let people = records.record.people.keys.filter { plan.owner(of: $0) == owner }
        for name in people { unlock.machine.handle(.forgotten(name), now: records.now) }
        await events.handle(next, in: records) { record in
            for name in people {
                record.people[name]?.session = nil
                record.people[name]?.tokens = nil
                record.people[name]?.cachedKeyAgreements = []
            }
        }
    }

    private func isUnknown(_ origin: RequestOrigin) -> Bool {
        records.isCurrent(origin)
            && records.record.devices[origin.owner]?.signing == origin.signing
    }
}
