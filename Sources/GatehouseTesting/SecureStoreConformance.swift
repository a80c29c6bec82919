// SPDX-License-Identifier: Apache-2.0
public import GatehouseClient
import Synchronization

/// What a `SecureStore` must do, as tests: run every case against yours.
///
/// ```swift
/// @Test(arguments: SecureStoreConformance.cases)
/// func conforms(_ kit: SecureStoreConformance.Case) async throws {
///     let place = emptyFolder()
///     try await kit.run { MyStore(place) }
/// }
/// ```
public enum SecureStoreConformance {
    /// Opens the same content in a new instance, as another process would.
    public typealias Open = @Sendable () throws -> any SecureStore

    /// A requirement of a store.
    public struct Case: Sendable, CustomStringConvertible {
        /// As a sentence.
        public let description: String
        let check: @Sendable (Open) async throws -> Void

        /// - Parameter open: Must begin with an empty store.
        /// - Throws: ``ConformanceError``, and whatever the store throws.
        public func run(_ open: @escaping Open) async throws { try await check(open) }
    }

    /// A store that does not do it.
    public struct ConformanceError: Error, CustomStringConvertible {
        /// As a sentence.
        public let description: String

        /// With what the store has not done, as a sentence.
        public init(description: String) { self.description = description }
    }

    /// All of them; those of ``faultCases`` need the means to harm the store.
    public static let cases: [Case] = [
        Case(description: "There is nothing in an empty store") { open in
            try expect(try await open().read(name("a")) == nil, "something was read")
            try expect(try await open().names().isEmpty, "something is listed")
            try await open().remove(name("a"))
        },
        Case(description: "Written records are read back, also after the store is reopened") {
            open in
            let store = try open()
            try await store.write([1, 2, 3], to: name("a"))
            try expect(try await store.read(name("a")) == [1, 2, 3], "not read here")
            try expect(try await open().read(name("a")) == [1, 2, 3], "not read after reopening")
        },
        Case(description: "An empty record is a record") { open in
            try await open().write([], to: name("a"))
            try expect(try await open().read(name("a")) == [], "not there")
        },
        Case(description: "Writing again replaces the whole record") { open in
            let store = try open()
            try await store.write([UInt8](repeating: 7, count: 5000), to: name("a"))
            try await store.write([1], to: name("a"))
            try expect(try await open().read(name("a")) == [1], "not replaced")
        },
        Case(description: "A record of 64 KiB is kept whole") { open in
            let bytes = (0..<65_536).map { UInt8(truncatingIfNeeded: $0) }
            try await open().write(bytes, to: name("a"))
            try expect(try await open().read(name("a")) == bytes, "not the same")
        },
        Case(description: "Records are kept apart, listed, and removed one by one") { open in
            let store = try open()
            for name in [name("a"), name("a.b"), name("a-b"), name("z_9")] {
                try await store.write(Array(name.rawValue.utf8), to: name)
            }
            try await store.remove(name("a.b"))
            let names = Set(try await open().names().map(\.rawValue))
            try expect(names == ["a", "a-b", "z_9"], "listed: \(names)")
            try expect(try await open().read(name("a.b")) == nil, "not removed")
            try expect(try await open().read(name("a-b")) == Array("a-b".utf8), "another's content")
        },
        Case(description: "A lock has one holder at a time, across openings of the store") { open in
            let running = Counter()
            let (one, other) = (try open(), try open())
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<20 {
                    let store = number.isMultiple(of: 2) ? one : other
                    group.addTask {
                        try await store.withLock(name("a")) {
                            running.enter()
                            await Task.yield()
                            running.leave()
                        }
                    }
                }
                try await group.waitForAll()
            }
            try expect(
                running.maximumInside == 1 && running.entered == 20,
                "\(running.maximumInside) at once")
        },
        Case(description: "Locks of two names do not wait for one another") { open in
            let store = try open()
            let value = try await store.withLock(name("a")) {
                try await store.withLock(name("b")) { 7 }
            }
            try expect(value == 7, "no value")
        },
        Case(description: "A lock is free again after its holder has thrown") { open in
            struct Thrown: Error {}
            let store = try open()
            do {
                try await store.withLock(name("a")) { throw Thrown() }
            } catch is Thrown {}
            try await open().withLock(name("a")) {}
        },
        Case(
            description: "A lock that is held is not taken; one that is free is, if it can be told"
        ) {
            open in
            let (one, other) = (try open(), try open())
            let held: Int? = try await one.withLock(name("a")) {
                try await other.withLockIfFree(name("a")) { 7 }
            }
            try expect(held == nil, "it was taken from its holder")
            let first: Bool? = try await one.withLockIfFree(name("a")) {
                try await other.withLockIfFree(name("a")) { 7 } == nil
            }
            try expect(first != false, "it was taken twice")
            try await other.withLock(name("a")) {}
        },
        Case(description: "Many that write one record leave one whole record") { open in
            let store = try open()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in UInt8(0)..<20 {
                    group.addTask {
                        try await store.write([UInt8](repeating: number, count: 900), to: name("a"))
                    }
                }
                try await group.waitForAll()
            }
            let read = try await open().read(name("a")) ?? []
            try expect(read.count == 900 && Set(read).count == 1, "a mixture")
        },
    ]

    private static func name(_ text: StaticString) -> RecordName { RecordName(testing: text) }

    private static func expect(_ holds: Bool, _ otherwise: String) throws {
        guard holds else { throw ConformanceError(description: otherwise) }
    }
}

/// Counts who is inside.
private final class Counter: Sendable {
    private let state = Mutex((inside: 0, most: 0, entered: 0))

    var maximumInside: Int { state.withLock { $0.most } }
    var entered: Int { state.withLock { $0.entered } }

    func enter() {
        state.withLock {
            $0.inside += 1
            $0.entered += 1
            $0.most = max($0.most, $0.inside)
        }
    }

    func leave() { state.withLock { $0.inside -= 1 } }
}
