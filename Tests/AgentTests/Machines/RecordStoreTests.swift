// SPDX-License-Identifier: Apache-2.0
import AgentClient
import JOSE
import Primitives
import Support
import Synchronization
import Testing

@testable import Agent

@Suite @AgentActor struct RecordStoreTests {
    private let file = RecordedFile()
    private let keys = RecordedKeys()
    private let clock = ManualClock()
    private let running = ManualRunningClock()

    private func store() async throws -> RecordStore {
        RecordStore(
            try await TestRecord().record, file: file, keys: keys, notices: NoNotices(),
            clock: clock, running: running)
    }

    @Test("Records are written in the order of the changes, each as it was")
    func order() async throws {
        let store = try await store()
        let writes = (1...5).map { number in
            store.record.people["anna"]?.wrongPINs = number
            return Task { try await store.write() }
        }
        for write in writes { try await write.value }
        #expect(file.saved.last?.people["anna"]?.wrongPINs == 5)
        let numbers = file.saved.map { $0.people["anna"]?.wrongPINs ?? 0 }
        #expect(numbers == numbers.sorted() && numbers.count == 5)
    }

    @Test("A key is destroyed once the record on the disk does not contain it")
    func discards() async throws {
        let store = try await store()
        let old = try #require(store.record.devices[.everyone]?.signing)
        let new = try await TestRecord.key()
        store.record.devices[.everyone]?.managed.pending[.deviceSigning] = new
        try await store.save()
        #expect(keys.discarded.isEmpty)
        store.record.devices[.everyone]?.managed.pending = [:]
        store.record.devices[.everyone]?.signing = new
        try await store.save()
        #expect(keys.discarded == [old])
    }

    @Test("A record that cannot be saved is reported, and its keys are not destroyed")
    func failure() async throws {
        let store = try await store()
        let failures = Mutex(0)
        store.onFailure = { _ in failures.withLock { $0 += 1 } }
        file.fails = true
        store.record.devices = [:]
        await #expect(throws: KeyStoreError.self) { try await store.save() }
        #expect(failures.withLock { $0 } == 1)
        #expect(keys.discarded.isEmpty)
    }

    @Test("A waiting component resumes after the next change")
    func changes() async throws {
        let store = try await store()
        let count = Counter()
        store.onChange = { count.value += 1 }
        let waiting = Task {
            count.isWaiting = true
            await store.nextChange()
            count.isWaiting = false
        }
        while !count.isWaiting { await Task.yield() }
        store.publishChange()
        await waiting.value
        #expect(count.value == 1 && !count.isWaiting)
    }

    @AgentActor private final class Counter {
        var value = 0
        var isWaiting = false
    }

    @Test("A clock that is set back does not move the earliest time, unless a provider accepts it")
    func time() async throws {
        let store = try await store()
        running.advance(by: .seconds(60))
        #expect(store.earliest == TestRecord.start + .minutes(1))
        try await store.write()
        clock.advance(by: TimeSpan(milliseconds: -3_600_000))
        #expect(store.earliest == TestRecord.start + .minutes(1))
        store.confirmTime()
        #expect(store.earliest == store.now)
    }

    @Test("A response shows that a leaving device is registered, and clears the departure")
    func registration() async throws {
        let store = try await store()
        store.record.devices[.everyone]?.leavingSince = TestRecord.start
        let during = try await store.whileLeaving(.everyone) {
            try #require(store.origin(of: "anna"))
        }
        clock.advance(by: .hours(1))
        store.confirmRegistration(during)
        #expect(store.record.devices[.everyone]?.isLeaving == true)
        store.confirmRegistration(try #require(store.origin(of: "anna")))
        #expect(store.record.devices[.everyone]?.isLeaving == false)
    }
}

/// A file in memory.
private final class RecordedFile: RecordFile {
    private let state = Mutex((saved: [AgentRecord](), fails: false))

    var saved: [AgentRecord] { state.withLock { $0.saved } }

    var fails: Bool {
        get { state.withLock { $0.fails } }
        set { state.withLock { $0.fails = newValue } }
    }

    func save(_ record: AgentRecord) throws {
        try state.withLock { state in
            guard !state.fails else { throw KeyStoreError.unusable("the disk is full") }
            state.saved.append(record)
        }
    }
}

/// Keys in memory, which records the destroyed ones.
private final class RecordedKeys: KeySource {
    private let store = AgentKeyStore(.file, random: SystemRandomSource())
    private let state = Mutex([AgentKey]())

    var discarded: [AgentKey] { state.withLock { $0 } }

    func makeSigningKey() async throws -> AgentKey { try await store.makeSigningKey() }

    func makeAgreementKey() async throws -> AgentKey { try await store.makeAgreementKey() }

    func makeSigningKey(pin: Secret) async throws -> AgentKey {
        try await store.makeSigningKey(pin: pin)
    }

    func sign(_ message: [UInt8], with key: AgentKey) async throws -> [UInt8] {
        try await store.sign(message, with: key)
    }

    func sign(_ message: [UInt8], with key: AgentKey, pin: Secret) async throws -> [UInt8] {
        try await store.sign(message, with: key, pin: pin)
    }

    func agree(_ key: AgentKey, with other: PublicJWK) async throws -> Secret {
        try await store.agree(key, with: other)
    }

    func discard(_ key: AgentKey) async throws { state.withLock { $0.append(key) } }
}
