// SPDX-License-Identifier: Apache-2.0
import Foundation
import Primitives
import Storage
import StorageSQLite
import Support
import Testing

/// A process that is killed while many verbs are under way. What was answered must be there.
@Suite struct SQLiteCrashTests {
    private let folder = TestFolder()

    @Test("every verb that was answered before a kill is there afterwards", arguments: 1...3)
    func killed(round: Int) async throws {
        let path = folder.path("store")
        let notes = folder.path("notes")
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, notes = notes as String, round = round as Int] in
            try await Victim(path: path, notes: notes).run(dyingAfter: 60 * round)
        }
        let store = try await SQLiteStore.open(path: path)
        #expect(try await store.maintenance.verify().isEmpty)
        let answered = try String(contentsOfFile: notes, encoding: .utf8).split(separator: "\n")
        #expect(answered.count >= 60 * round)
        for line in answered {
            let words = line.split(separator: " ")
            let id = try #require(Identifier<Grant>(String(words[0])))
            let grant = try #require(
                try await store.grants.grant(id), "a committed grant is missing")
            #expect(grant.generation >= Int64(words[1]) ?? .max)
        }
        await store.maintenance.close()
    }
}

/// Rotates refresh tokens with many tasks, and notes each rotation after it was answered.
struct Victim {
    let path: String
    let notes: String

    func run(dyingAfter limit: Int) async throws {
        let store = try await SQLiteStore.open(path: path)
        let f = try await StoreFixture(store)
        let file = open(notes, O_CREAT | O_WRONLY | O_APPEND, 0o600)
        let count = Counter()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    var grant = try await f.redeemedGrant()
                    while true {
                        guard
                            case .rotated(let next) = try await f.rotate(grant.id, grant.generation)
                        else { return }
                        grant = next
                        let line = Array("\(grant.id) \(grant.generation)\n".utf8)
                        _ = line.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
                        if await count.next() == limit { kill(getpid(), SIGKILL) }
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}

private actor Counter {
    private var value = 0

    func next() -> Int {
        value += 1
        return value
    }
}
