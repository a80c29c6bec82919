// SPDX-License-Identifier: Apache-2.0
import Primitives

/// Opening what was sealed while the provider is away, for as long as `OfflineGracePeriod` says after the
/// provider last answered.
///
/// In the record, and so on the disk, only where a TPM or a token guards it. With keys in a file it is
/// kept in memory and ends with the agent: the disk alone must open nothing.
extension Agent {
    /// `nil` where no policy grants anything, or nobody is signed in.
    func graceEnd(of person: String) -> Timestamp? {
        guard let grace = policy(of: person).offlineGrace,
            let session = record.people[person]?.session
        else {
            return nil
        }
        return session.refreshedAt + grace
    }

    private func isInGrace(_ person: String) -> Bool {
        guard let end = graceEnd(of: person) else { return false }
        // A clock that was set back grants nothing: nobody knows how much time has passed.
        return earliest < end && now + SignInSchedule.leeway >= earliest
    }

    private func kept(of person: String) -> [CachedKeyAgreement] {
        keys.kind == .file ? lent[person] ?? [] : record.people[person]?.kept ?? []
    }

    /// The provider has agreed; the same answer holds while it is away.
    func keep(_ agreed: Secret, for sealed: SealedSecret, of person: String) async {
        let new = CachedKeyAgreement(agreed, for: sealed)
        guard isInGrace(person), record.people[person] != nil, !kept(of: person).contains(new)
        else { return }
        let others = kept(of: person).filter { $0.name != new.name }
        let all = Array((others + [new]).suffix(CachedKeyAgreement.greatestCount))
        guard keys.kind != .file else { return lent[person] = all }
        record.people[person]?.kept = all
        try? await keep()
    }

    /// What was kept for that secret, within the grace period. The time is on the disk before it is
    /// used, so that the clock cannot be set back behind it.
    func keptAgreement(for sealed: SealedSecret, of person: String) async throws -> Secret? {
        guard isInGrace(person),
            let found = kept(of: person).first(where: {
                $0.name == CachedKeyAgreement.name(of: sealed)
            })
        else { return nil }
        try await keep()
        return found.agreed
    }

    /// Nothing is kept for longer than it may be used.
    func endGrace() async {
        let over = Set(lent.keys).union(record.people.filter { !$0.value.kept.isEmpty }.keys)
            .filter { !isInGrace($0) }
        for person in over { await endGrace(of: person) }
    }

    /// Whoever is not who they were has nothing in hand either.
    func endGrace(of person: String) async {
        guard !kept(of: person).isEmpty else { return }
        lent[person] = nil
        record.people[person]?.kept = []
        try? await keep()
    }

    /// When ``endGrace()`` is due.
    var nextGraceEnd: Timestamp? {
        record.people.keys.filter { !kept(of: $0).isEmpty }.compactMap { graceEnd(of: $0) }.min()
    }
}
