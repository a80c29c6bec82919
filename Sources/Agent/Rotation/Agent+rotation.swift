// SPDX-License-Identifier: Apache-2.0
import Primitives
import SingleSignOn

/// Keys that the agent replaces by itself (Apple `keyWillRotate(for:newKey:loginManager:completion:)`).
///
/// The new key is on the disk, then the provider hears of it, and then it takes the place of the old
/// one. Whoever is cut off in between goes on with the same new key: the provider knows both for a while.
extension Agent {
    private struct Rotation {
        let role: AgentKeyRole
        let place: KeyOwner
        /// When the key was taken into use.
        let since: Timestamp?
        let isOffered: Bool

        init(_ role: AgentKeyRole, _ place: KeyOwner, _ managed: ManagedKeys, since: Timestamp?) {
            (self.role, self.place, self.since) = (role, place, since)
            isOffered = managed.offered.contains(role)
        }

        /// When it is due; `nil` for never.
        func due(_ schedule: KeyRotationSchedule, now: Timestamp) -> Timestamp? {
            schedule.due(since: since, isOffered: isOffered, now: now)
        }
    }

    private var rotationSchedule: KeyRotationSchedule {
        KeyRotationSchedule(configuration, failedAt: rotationFailedAt)
    }

    /// Keys that the agent may replace while nobody is there. What a person typed a PIN for is theirs.
    private var rotations: [Rotation] {
        var found: [Rotation] = []
        for (owner, device) in record.devices.sorted(by: { $0.key.text < $1.key.text }) {
            guard record.machine.devices[owner]?.phase == .registered else { continue }
            let place = KeyOwner(owner: owner, account: nil)
            for role in [AgentKeyRole.deviceSigning, .deviceEncryption] {
                let since = device.managed.since[role] ?? device.registeredAt
                found.append(Rotation(role, place, device.managed, since: since))
            }
        }
        guard configuration?.authenticationMethod == .userSecureEnclaveKey,
            let plan = record.machine.plan
        else { return found }
        for (account, person) in record.people.sorted(by: { $0.key < $1.key }) {
            guard let key = person.key, key.guarded == nil,
                record.machine.people[account]?.phase.isRegistered == true
            else { continue }
            let place = KeyOwner(owner: plan.owner(of: account), account: account)
            let since = person.managed.since[.person]
            found.append(Rotation(.person, place, person.managed, since: since))
        }
        return found
    }

    /// When ``rotateKeys(all:)`` is due.
    var nextRotation: Timestamp? {
        let (schedule, time) = (rotationSchedule, now)
        return rotations.compactMap { $0.due(schedule, now: time) }.min()
    }

    /// When the keys of a device are replaced next.
    func nextRotation(of owner: DeviceOwner) -> Timestamp? {
        let (schedule, time) = (rotationSchedule, now)
        return rotations.filter { $0.place.owner == owner && $0.place.account == nil }
            .compactMap { $0.due(schedule, now: time) }.min()
    }

    /// Replaces what is due, one after the other.
    ///
    /// - Parameter all: Also what is not.
    /// - Returns: Whether all of it was done.
    @discardableResult
    func rotateKeys(all: Bool = false) async -> Bool {
        let (schedule, time) = (rotationSchedule, now)
        let due = rotations.filter { rotation in
            all || rotation.due(schedule, now: time).map { $0 <= time } ?? false
        }
        guard !due.isEmpty else { return !all }
        // Not under the hands of somebody who signs in or registers.
        guard conversations.isEmpty, renewing.isEmpty, calls.isEmpty else {
            rotationFailedAt = time
            return false
        }
        for rotation in due {
            guard await rotate(rotation) else {
                rotationFailedAt = now
                changed()
                return false
            }
        }
        rotationFailedAt = nil
        changed()
        return true
    }

    private func rotate(_ rotation: Rotation) async -> Bool {
        let place = rotation.place
        guard let found = configuration(of: .device(place.owner), presence: place.account),
            let serving = extensions.find(found)
        else { return false }
        let number = openRequest()
        let isDone = await rotate(rotation, found, serving, number)
        // A registration that begins now is not to meet the next key half replaced.
        return !closeRequest(number) && isDone
    }

    private func rotate(
        _ rotation: Rotation, _ found: SSOConfiguration, _ serving: InstalledExtension,
        _ number: UInt64
    ) async -> Bool {
        let (role, place) = (rotation.role, rotation.place)
        let manager = RegistrationCallHandle(
            agent: self, attempt: number, owner: place.owner, account: place.account,
            extensionData: found.extensionData ?? [], registrationToken: nil,
            facts: facts, keys: keys, makesKeys: false,
            authenticationMethod: found.authenticationMethod ?? .password, conversation: nil)
        do {
            let key = try await beginRotation(of: role, place, attempt: number, nil)
            try await change(role, place) { $0.offered.insert(role) }
            let request = KeyRotation(
                role: role, key: key, sharesDeviceKeys: place.owner == .everyone)
            guard await serving.registration.keyWillRotate(request, manager) else { return false }
            try await completeRotation(of: role, place, attempt: number)
            return true
        } catch {
            notices.failed("replacing a key", error)
            return false
        }
    }

    /// Offers keys of a device once more that the provider may know it by already.
    ///
    /// - Returns: Whether there were any, and it knows them now.
    func finishRotations(of owner: DeviceOwner) async -> Bool {
        let offered = rotations.filter {
            $0.isOffered && $0.place.owner == owner && $0.place.account == nil
        }
        for rotation in offered { guard await rotate(rotation) else { return false } }
        return !offered.isEmpty
    }

    /// Replaces all keys that can be replaced without anybody, now.
    package func rotateNow() async throws {
        guard record.machine.plan != nil else { throw AgentRefusal.notConfigured }
        guard await rotateKeys(all: true) else { throw AgentRefusal.notRotated }
    }
}
