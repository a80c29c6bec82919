// SPDX-License-Identifier: Apache-2.0
import Primitives

/// Opens sealed secrets while the provider cannot be reached, for the `OfflineGracePeriod` after the last
/// response of the provider.
@AgentActor
struct GracePeriods {
    let records: RecordStore
    let profiles: ActiveProfiles
    let unlock: MachineBox<UnlockMachine>

    /// Returns the end of the period; `nil` if no policy grants one, or the person is signed out.
    private func end(for person: String) -> Timestamp? {
        guard let grace = profiles.policy(of: person).offlineGrace,
            let session = records.record.people[person]?.session
        else { return nil }
        return session.refreshedAt + grace
    }

    private func isActive(_ person: String) -> Bool {
        guard let end = end(for: person) else { return false }
        // A clock that was set back grants nothing, as the time that passed is unknown.
        return records.earliest < end && records.now + SignInSchedule.leeway >= records.earliest
    }

    private func saved(of person: String) -> [CachedKeyAgreement] {
        records.record.people[person]?.cachedKeyAgreements ?? []
    }

    private func stored(of person: String) -> [CachedKeyAgreement] {
        unlock.machine.stored(of: person, saved: saved(of: person))
    }

    /// Stores an agreement with the key service until the period ends.
    func store(_ agreed: Secret, for sealed: SealedSecret, of person: String) async {
        guard isActive(person), records.record.people[person] != nil else { return }
        let agreement = CachedKeyAgreement(agreed, for: sealed)
        await apply(.agreed(person, agreement, saved: saved(of: person)))
    }

    /// Returns the stored agreement for a secret within the period. The time is saved before: a clock that
    /// is set back later does not extend the period.
    func agreement(for sealed: SealedSecret, of person: String) async throws -> Secret? {
        let name = CachedKeyAgreement.name(of: sealed)
        guard isActive(person), let found = stored(of: person).first(where: { $0.name == name })
        else { return nil }
        try await records.save()
        return found.agreed
    }

    /// Deletes the agreements whose period has ended.
    func endExpired() async {
        let saved = records.record.people.filter { !$0.value.cachedKeyAgreements.isEmpty }.keys
        let expired = Set(unlock.machine.agreements.keys).union(saved).filter { !isActive($0) }
        for person in expired { await end(of: person) }
    }

    /// Deletes the agreements of a person.
    func end(of person: String) async {
        await apply(.graceEnded(person, saved: saved(of: person)))
    }

    private func apply(_ event: UnlockMachine.Event) async {
        for case .save(let person, let all) in unlock.machine.handle(event, now: records.now) {
            records.record.people[person]?.cachedKeyAgreements = all
            try? await records.save()
        }
    }

    /// When ``endExpired()`` is due.
    var nextEnd: Timestamp? {
        records.record.people.keys.filter { !stored(of: $0).isEmpty }
            .compactMap { end(for: $0) }.min()
    }
}
