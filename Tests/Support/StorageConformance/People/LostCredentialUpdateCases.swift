// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

/// Of changes to one person's credentials at the same moment each keeps what the others did.
extension ConformanceCase {
    static let credentialsLost: [ConformanceCase] = [
        ConformanceCase("of passwords that are set over the same one, one is set") { f in
            let first = f.makeCredential(.password)
            try expect(await f.store.credentials.add(first))
            let passwords = (0..<24).map { _ in f.makeCredential(.password) }
            let count = try await withThrowingTaskGroup(of: Bool.self) { group in
                for password in passwords {
                    group.addTask { try await f.set(password, replacing: .only(first.id)) }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            try expectEqual(count, 1)
            let stored = try await f.store.credentials.credentials(of: f.person.id)
            try expect(stored.count == 1 && passwords.contains(stored[0]))
        },
        ConformanceCase("a password that goes with an edit is set with it, or not at all") { f in
            let first = f.makeCredential(.password)
            try expect(await f.store.credentials.add(first))
            let session = f.makeSession()
            try await f.store.sessions.create(session, replacing: nil, now: f.now)
            try expect(await !f.change(password: f.makeCredential(.password), refused: true))
            try expectEqual(await f.store.credentials.credentials(of: f.person.id), [first])
            try expectEqual(await f.store.sessions.sessions(of: f.person.id, now: f.now), [session])
            let event = TransactionalAuditEvent { f.makeEvent("admin.person.update") }
            let second = f.makeCredential(.password)
            let isKept = try await f.store.recording(event).people.change(
                person: f.person.id, password: second, now: f.now, always { _ in }
            ).isKept
            try expect(isKept && event.isWritten)
            try expectEqual(await f.store.credentials.credentials(of: f.person.id), [second])
            try expectEqual(await f.store.sessions.sessions(of: f.person.id, now: f.now), [])
        },
        ConformanceCase("of recovery codes that are made at once one set is kept, whole") { f in
            let sets = (0..<24).map { _ in (0..<3).map { _ in f.makeCredential(.recoveryCode) } }
            _ = try await race(24) { racer in
                try await f.store.credentials.replaceRecoveryCodes(
                    of: f.person.id, with: sets[racer])
            }
            let kept = Set(try await f.store.credentials.credentials(of: f.person.id).map(\.id))
            try expect(sets.contains { Set($0.map(\.id)) == kept })
        },
        ConformanceCase("a key that is used while it is renamed keeps name and counter") { f in
            let key = f.makeCredential()
            try expect(await f.store.credentials.add(key))
            _ = try await race(24) { racer in
                guard racer > 0 else {
                    try expect(
                        await f.store.credentials.rename(
                            credential: key.id, of: f.person.id, label: "blue"))
                    return
                }
                _ = try await f.store.credentials.recordUse(
                    ofUnchanged: key, to: 1, details: key.details, now: f.now)
            }
            let kept = try await f.store.credentials.credentials(of: f.person.id).first
            try expectEqual(kept?.label, "blue")
            try expectEqual(kept?.signCount, 1)
        },
    ]
}

extension StoreFixture {
    /// Sets the password of the fixture's person.
    func set(
        _ password: Credential, replacing earlier: EarlierPassword = .any,
        keeping session: Identifier<Session>? = nil
    ) async throws -> Bool {
        try await store.credentials.setPassword(
            password, replacing: earlier, keeping: session, now: now)
    }
}

extension StoreFixture {
    fileprivate func change(password: Credential, refused: Bool) async throws -> Bool {
        try await store.people.change(
            person: person.id, password: password, now: now
        ) { _ -> ChangedMeanwhile? in
            refused ? ChangedMeanwhile() : nil
        }.isKept
    }
}
