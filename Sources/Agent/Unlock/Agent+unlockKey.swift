// SPDX-License-Identifier: Apache-2.0
import PlatformSSO
import Primitives

/// Certificates of unlock keys end, and so the agent asks for their successors in time. What was sealed
/// before goes on naming the key that it was sealed to.
extension Agent {
    /// A provider may give the same one for as long as it is good: it is asked once a day.
    private static let retryDelay = TimeSpan.hours(24)

    /// The unlock key of that person on this machine as it is registered now. One that was given to the machine
    /// under another registration opens nothing any more, and so nothing may be sealed to it.
    func unlockKey(of person: String) -> UnlockRecord? {
        guard let plan = record.machine.plan, plan.usesKeyService,
            record.machine.devices[plan.owner(of: person)]?.phase == .registered,
            record.machine.people[person]?.phase == .registered
        else { return nil }
        return record.people[person]?.unlock
    }

    /// Whether they are registered, or being so: of anybody else a name may be known, and no more.
    func mayHaveUnlockKey(_ person: String) -> Bool {
        switch record.machine.people[person]?.phase {
        case .registering, .signingIn, .bindingKey, .bindingLater, .registered: true
        case nil, .waitingForDevice, .waiting, .retrying, .refused: false
        }
    }

    /// When a person's certificate is to be replaced; `nil` for whom there is nothing to replace.
    private func renewal(of person: String) -> Timestamp? {
        guard record.people[person]?.session != nil, let unlock = unlockKey(of: person),
            let certificate = UnlockCertificateInfo(unlock.certificate)
        else { return nil }
        guard let failedAt = unlockFailures[person], failedAt <= now else {
            return certificate.renewal
        }
        return max(certificate.renewal, failedAt + Self.retryDelay)
    }

    /// When ``renewUnlockKeys()`` is due.
    var nextUnlockRenewal: Timestamp? { record.people.keys.compactMap { renewal(of: $0) }.min() }

    func renewUnlockKeys() async {
        for person in record.people.keys.sorted() {
            guard let time = renewal(of: person), time <= now else { continue }
            await renewUnlockKey(of: person)
        }
    }

    @discardableResult
    private func renewUnlockKey(of person: String) async -> Bool {
        let before = record.people[person]?.unlock
        let isDone = await provisionKey(of: person)
        // A provider that still gives the same one is asked again later.
        let isNew = isDone && record.people[person]?.unlock?.certificate != before?.certificate
        unlockFailures[person] = isNew ? nil : now
        changed()
        return isDone
    }

    /// A certificate that is in its time: what is sealed to one that is over may never be opened.
    func livingUnlockKey(
        of person: String
    ) async throws -> (unlock: UnlockRecord, certificate: UnlockCertificateInfo) {
        guard let kept = unlockKey(of: person) else { throw AgentRefusal.noUnlockKey }
        if UnlockCertificateInfo(kept.certificate)?.isOver(now) ?? true {
            await renewUnlockKey(of: person)
        }
        guard let unlock = unlockKey(of: person),
            let certificate = UnlockCertificateInfo(unlock.certificate)
        else { throw AgentRefusal.noUnlockKey }
        guard !certificate.isOver(now) else { throw AgentRefusal.unlockKeyOver }
        return (unlock, certificate)
    }
}
