// SPDX-License-Identifier: Apache-2.0
import AgentClient
import Primitives
import SingleSignOn

/// Decides which keys are rotated and when: a value that holds the last failure.
struct RotationMachine: Sendable, Equatable {
    enum Event: Sendable, Equatable {
        /// Rotations may start.
        ///
        /// - Parameters:
        ///   - all: Whether keys are rotated before they are due.
        ///   - isBusy: Whether a person signs in or a call of an extension runs.
        case started(all: Bool, isBusy: Bool)
        case failed
        case finished
    }

    enum Effect: Sendable, Equatable {
        case rotate([PendingRotation])
        /// Rotations are due and must wait.
        case postpone
    }

    private(set) var failedAt: Timestamp?

    /// - Parameter configuration: The configuration of the device.
    @discardableResult
    mutating func handle(
        _ event: Event, _ record: AgentRecord, _ configuration: SSOConfiguration?, now: Timestamp
    ) -> [Effect] {
        switch event {
        case .started(let all, let isBusy):
            let due = due(record, configuration, all: all, now: now)
            guard !due.isEmpty else { return [] }
            guard isBusy else { return [.rotate(due)] }
            failedAt = now
            return [.postpone]
        case .failed: failedAt = now
        case .finished: failedAt = nil
        }
        return []
    }

    private func due(
        _ record: AgentRecord, _ configuration: SSOConfiguration?, all: Bool, now: Timestamp
    ) -> [PendingRotation] {
        let schedule = schedule(configuration)
        return Self.rotations(in: record, configuration).filter { rotation in
            all || rotation.due(schedule, now: now).map { $0 <= now } ?? false
        }
    }

    private func schedule(_ configuration: SSOConfiguration?) -> KeyRotationSchedule {
        KeyRotationSchedule(configuration, failedAt: failedAt)
    }

    /// When the next rotation is due.
    ///
    /// - Parameter owner: The device whose rotations count; `nil` for all keys.
    func next(
        of owner: DeviceOwner? = nil, _ record: AgentRecord, _ configuration: SSOConfiguration?,
        now: Timestamp
    ) -> Timestamp? {
        let schedule = schedule(configuration)
        return Self.rotations(in: record, configuration)
            .filter { rotation in owner.map { rotation.isOfDevice($0) } ?? true }
            .compactMap { $0.due(schedule, now: now) }.min()
    }

    /// The rotations of a device that the provider may know already.
    func offered(
        of owner: DeviceOwner, _ record: AgentRecord, _ configuration: SSOConfiguration?
    ) -> [PendingRotation] {
        Self.rotations(in: record, configuration).filter { $0.isOffered && $0.isOfDevice(owner) }
    }

    /// Keys that the agent may rotate without a person. A key behind a PIN belongs to the person.
    private static func rotations(
        in record: AgentRecord, _ configuration: SSOConfiguration?
    ) -> [PendingRotation] {
        deviceRotations(record) + personRotations(record, configuration)
    }

    private static func deviceRotations(_ record: AgentRecord) -> [PendingRotation] {
        record.devices.sorted { $0.key.text < $1.key.text }.flatMap { owner, device in
            guard record.registrations.devices[owner]?.phase == .registered else {
                return [PendingRotation]()
            }
            let place = KeyOwner(owner: owner, account: nil)
            return [AgentKeyRole.deviceSigning, .deviceEncryption].map { role in
                let since = device.managed.since[role] ?? device.registeredAt
                return PendingRotation(role, place, device.managed, since: since)
            }
        }
    }

    private static func personRotations(
        _ record: AgentRecord, _ configuration: SSOConfiguration?
    ) -> [PendingRotation] {
        guard configuration?.authenticationMethod == .userSecureEnclaveKey,
            let plan = record.registrations.plan
        else { return [] }
        return record.people.sorted { $0.key < $1.key }.compactMap { account, person in
            guard let key = person.key, key.guarded == nil,
                record.registrations.people[account]?.phase.isRegistered == true
            else { return nil }
            let place = KeyOwner(owner: plan.owner(of: account), account: account)
            let since = person.managed.since[.person]
            return PendingRotation(.person, place, person.managed, since: since)
        }
    }
}
