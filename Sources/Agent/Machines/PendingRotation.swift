// SPDX-License-Identifier: Apache-2.0
import AgentClient
import Primitives

/// A key that the agent may rotate without a person.
struct PendingRotation: Sendable, Equatable {
    let role: AgentKeyRole
    let place: KeyOwner
    /// When the key became active.
    let since: Timestamp?
    /// Whether the provider may know the new key already.
    let isOffered: Bool

    init(_ role: AgentKeyRole, _ place: KeyOwner, _ managed: ManagedKeys, since: Timestamp?) {
        (self.role, self.place, self.since) = (role, place, since)
        isOffered = managed.offered.contains(role)
    }

    /// Returns when it is due; `nil` for never.
    func due(_ schedule: KeyRotationSchedule, now: Timestamp) -> Timestamp? {
        schedule.due(since: since, isOffered: isOffered, now: now)
    }

    func isOfDevice(_ owner: DeviceOwner) -> Bool {
        place.owner == owner && place.account == nil
    }
}
