// SPDX-License-Identifier: Apache-2.0
public import GatehouseClient

/// Requirements of a store during device faults and alongside other processes.
extension SecureStoreConformance {
    /// The faults that the tests can cause below a store.
    public struct Faults: Sendable {
        let fillDisk: @Sendable (Bool) throws -> Void
        let damage: @Sendable (RecordName) async throws -> Void

        /// - Parameters:
        ///   - fillDisk: With `true` the disk has no free space, with `false` it has again.
        ///   - damage: Changes what is kept of a record, behind the store's back.
        public init(
            fillDisk: @escaping @Sendable (Bool) throws -> Void,
            damage: @escaping @Sendable (RecordName) async throws -> Void
        ) {
            (self.fillDisk, self.damage) = (fillDisk, damage)
        }
    }

    /// A requirement of a store during a fault.
    public struct FaultCase: Sendable, CustomStringConvertible {
        /// As a sentence.
        public let description: String
        let check: @Sendable (Open, Faults) async throws -> Void

        /// - Parameters:
        ///   - open: Must begin with an empty store.
        ///   - faults: How to harm it.
        /// - Throws: ``ConformanceError``, and whatever the store throws.
        public func run(_ open: @escaping Open, _ faults: Faults) async throws {
            try await check(open, faults)
        }
    }

    /// All of them.
    public static let faultCases: [FaultCase] = [
        FaultCase(
            description: "On a full disk a write fails, and the previous content is unchanged"
        ) {
            open, faults in
            let store = try open()
            try await store.write([1, 2, 3], to: record)
            try faults.fillDisk(true)
            try await expectUnavailable { try await store.write([9, 9], to: record) }
            try await expectUnavailable { try await store.write([9, 9], to: other) }
            try expectSame(try await store.read(record), [1, 2, 3])
            try faults.fillDisk(false)
            try expectSame(try await open().read(record), [1, 2, 3])
            try expectSame(try await open().read(other), nil)
        },
        FaultCase(description: "Writes succeed again when the disk has space") { open, faults in
            let store = try open()
            try await store.write([1], to: record)
            try faults.fillDisk(true)
            try await expectUnavailable { try await store.write([2], to: record) }
            try faults.fillDisk(false)
            try await store.write([3], to: record)
            try expectSame(try await open().read(record), [3])
        },
        FaultCase(description: "Records can be removed on a full disk") { open, faults in
            let store = try open()
            try await store.write([1], to: record)
            try faults.fillDisk(true)
            try await store.remove(record)
            try faults.fillDisk(false)
            try expectSame(try await open().read(record), nil)
        },
        FaultCase(description: "A record that was changed is damaged: it is not nothing") {
            open, faults in
            try await open().write([1, 2, 3], to: record)
            try await open().write([4], to: other)
            try await faults.damage(record)
            do {
                _ = try await open().read(record)
                throw ConformanceError(description: "what was changed is read")
            } catch StoreError.damaged {}
            try expectSame(try await open().read(other), [4])
        },
        FaultCase(description: "A damaged record is listed, can be replaced, and can be removed") {
            open, faults in
            try await open().write([1, 2, 3], to: record)
            try await open().write([1, 2, 3], to: other)
            try await faults.damage(record)
            try await faults.damage(other)
            let names = Set(try await open().names().map(\.rawValue))
            guard names == [record.rawValue, other.rawValue] else {
                throw ConformanceError(description: "listed: \(names)")
            }
            try await open().write([7], to: record)
            try await open().remove(other)
            try expectSame(try await open().read(record), [7])
            try expectSame(try await open().read(other), nil)
        },
    ]

    // MARK: Other processes

    /// Counts to `times` in a record under a lock. Run it in several processes with one store: then
    /// ``counted(in:)`` says how often all of them counted together.
    public static func count(in store: some SecureStore, times: Int) async throws {
        for _ in 0..<times {
            try await store.withLock(record) {
                let so = try await counted(in: store)
                try await store.write(Array("\(so + 1)".utf8), to: record)
            }
        }
    }

    /// See ``count(in:times:)``.
    public static func counted(in store: some SecureStore) async throws -> Int {
        guard let bytes = try await store.read(record) else { return 0 }
        guard let count = Int(String(decoding: bytes, as: UTF8.self)) else {
            throw ConformanceError(description: "not a whole record")
        }
        return count
    }

    private static let record = RecordName(testing: "a")
    private static let other = RecordName(testing: "b")

    private static func expectSame(_ read: [UInt8]?, _ wanted: [UInt8]?) throws {
        guard read == wanted else {
            throw ConformanceError(description: "read \(String(describing: read))")
        }
    }

    private static func expectUnavailable(_ body: @Sendable () async throws -> Void) async throws {
        do { try await body() } catch StoreError.unavailable { return }
        throw ConformanceError(description: "a full disk was not noticed")
    }
}
