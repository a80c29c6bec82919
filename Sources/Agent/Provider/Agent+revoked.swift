// SPDX-License-Identifier: Apache-2.0
import Primitives
import SingleSignOn

/// A machine that its provider does not know any more: it was revoked, or taken back.
extension Agent {
    /// Nobody on it is signed in any more, and nothing that was kept opens anything, whatever else is under
    /// way: in one step with what follows, for a machine that is cut off in between asks nobody. It
    /// registers again, silently where it may, unless somebody was taking it off the provider.
    ///
    /// - Parameter asked: As what; a machine that registered anew meanwhile is not the one that is unknown, and
    ///   a key that is not the machine's any more ends nothing.
    func deviceUnknown(to failure: ProviderError, asked: RequestOrigin) async {
        let owner = asked.owner
        guard isUnknown(asked) else { return }
        notices.failed("asking the provider as this machine", failure)
        // It may know the machine by a key that was to take the place of this one.
        if await finishRotations(of: owner) { return }
        let next = await registrationOfUnknown(owner)
        // Another answer may have said the same, and the machine be registered again.
        guard isUnknown(asked), let plan = record.machine.plan else { return }
        end(.device(owner))
        let people = record.people.keys.filter { plan.owner(of: $0) == owner }
        for name in people { lent[name] = nil }
        do {
            try await take(next) { record in
                for name in people {
                    record.people[name]?.session = nil
                    record.people[name]?.tokens = nil
                    record.people[name]?.kept = []
                }
            }
        } catch { onFailure?(error) }
    }

    private func isUnknown(_ asked: RequestOrigin) -> Bool {
        isStill(asked) && record.devices[asked.owner]?.signing == asked.signing
    }

    /// What becomes of the registration of a machine that is not known by its key.
    private func registrationOfUnknown(_ owner: DeviceOwner) async -> [RegistrationEvent] {
        guard let device = record.devices[owner], device.isLeaving,
            let login = device.configuration
        else { return [.needsRepair(.device(owner))] }
        leavings[owner, default: LeavingCount()].begin()
        defer { leavings[owner]?.end() }
        // It may still be known by another key: it has left when it has by all of them.
        do {
            let isTold = try await tell(device, leaves: login, named: nil)
            return isTold ? [.unregistered(.device(owner))] : []
        } catch {
            notices.failed("telling the provider that this machine leaves", error)
            return []
        }
    }
}
