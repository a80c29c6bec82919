// SPDX-License-Identifier: Apache-2.0
import AgentClient
import Primitives

/// Rotates keys (Apple `keyWillRotate(for:newKey:loginManager:completion:)`).
///
/// The new key is saved, the provider receives it, and then it replaces the old one. An interrupted
/// rotation continues with the same new key: the provider accepts both for a grace period.
@AgentActor
struct Rotations {
    let records: RecordStore
    let profiles: ActiveProfiles
    let calls: ExtensionCalls
    let keys: CallKeys
    let managers: LoginManagerFactory
    let conversations: Conversations
    let sessions: MachineBox<SessionMachine>
    let rotation: MachineBox<RotationMachine>
    let notices: any AgentEventLog
    let events: any AgentEvents

    /// When the next rotation is due.
    ///
    /// - Parameter owner: The device whose rotations count; `nil` for all keys.
    func next(of owner: DeviceOwner? = nil) -> Timestamp? {
        rotation.machine.next(
            of: owner, records.record, profiles.configuration, now: records.now)
    }

    /// Rotates the keys that are due, one after the other.
    ///
    /// - Parameter all: Whether keys are rotated before they are due.
    /// - Returns: Whether all rotations are done.
    @discardableResult
    func rotateDue(all: Bool = false) async -> Bool {
        // A person who signs in or registers is not interrupted.
        let isBusy =
            !(conversations.isEmpty && sessions.machine.renewing.isEmpty && calls.isEmpty)
        switch handle(.started(all: all, isBusy: isBusy)).first {
        case nil: return !all
        case .postpone?: return false
        case .rotate(let due)?:
            for pending in due {
                guard await rotate(pending) else {
                    handle(.failed)
                    records.publishChange()
                    return false
                }
            }
            handle(.finished)
            records.publishChange()
            return true
        }
    }

    @discardableResult
    private func handle(_ event: RotationMachine.Event) -> [RotationMachine.Effect] {
        rotation.machine.handle(event, records.record, profiles.configuration, now: records.now)
    }

    /// Rotates all keys that need no person, now.
    func rotateNow() async throws {
        guard records.record.registrations.plan != nil else { throw AgentRefusal.notConfigured }
        guard await rotateDue(all: true) else { throw AgentRefusal.notRotated }
    }

    /// Continues the rotations of a device that the provider may know already.
    ///
    /// - Returns: Whether there were any and the provider knows the new keys.
    func finishOffered(of owner: DeviceOwner) async -> Bool {
        let offered = rotation.machine.offered(
            of: owner, records.record, profiles.configuration)
        for pending in offered { guard await rotate(pending) else { return false } }
        return !offered.isEmpty
    }

    private func rotate(_ pending: PendingRotation) async -> Bool {
        let place = pending.place
        guard
            let found = profiles.state.configuration(
                of: .device(place.owner), presence: place.account),
            let serving = profiles.extensions.find(found)
        else { return false }
        let number = calls.openRequest()
        let isDone = await rotate(
            pending, serving, managers.manager(number, place, found), number)
        // A registration that the extension requested must not overlap with the next rotation.
        return !calls.closeRequest(number, events) && isDone
    }

    private func rotate(
        _ pending: PendingRotation, _ serving: InstalledExtension, _ manager: LoginManagerSession,
        _ number: UInt64
    ) async -> Bool {
        let (role, place) = (pending.role, pending.place)
        do {
            let key = try await keys.beginRotation(of: role, place, attempt: number, nil)
            try await keys.change(role, place) { $0.offered.insert(role) }
            let request = KeyRotation(
                role: role, key: key, sharesDeviceKeys: place.owner == .everyone)
            guard await serving.registration.keyWillRotate(request, manager) else { return false }
            try await keys.completeRotation(of: role, place, attempt: number)
            return true
        } catch {
            notices.failed("replacing a key", error)
            return false
        }
    }
}
