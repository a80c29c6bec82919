// SPDX-License-Identifier: Apache-2.0
import GatehouseClient
import GatehouseTesting
import Synchronization

/// A store of which so many acts fail, after so many that do not.
final class FailingStore: SecureStore {
    enum Act: Sendable { case read, write, lock }

    private let inner: any SecureStore
    /// With `nil` every kind of act counts and fails.
    private let only: Act?
    private let state = Mutex((spared: Int.max, failing: 0))

    init(_ inner: any SecureStore, only: Act? = nil) {
        (self.inner, self.only) = (inner, only)
    }

    func fail(_ failing: Int, after spared: Int = 0) {
        state.withLock { $0 = (spared, failing) }
    }

    func heal() { state.withLock { $0 = (.max, 0) } }

    private func act(_ act: Act) throws {
        guard only == nil || only == act else { return }
        let fails = state.withLock { state in
            guard state.spared == 0 else {
                state.spared -= 1
                return false
            }
            guard state.failing > 0 else { return false }
            state.failing -= 1
            return true
        }
        if fails { throw StoreError.unavailable("it fails now") }
    }

    func read(_ name: RecordName) async throws -> [UInt8]? {
        try act(.read)
        return try await inner.read(name)
    }

    func write(_ bytes: [UInt8], to name: RecordName) async throws {
        try act(.write)
        try await inner.write(bytes, to: name)
    }

    func remove(_ name: RecordName) async throws {
        try act(.write)
        try await inner.remove(name)
    }

    func names() async throws -> [RecordName] {
        try act(.read)
        return try await inner.names()
    }

    func withLock<Value: Sendable>(
        _ name: RecordName, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        try act(.lock)
        return try await inner.withLock(name, body)
    }

    func withLockIfFree<Value: Sendable>(
        _ name: RecordName, _ body: @Sendable () async throws -> Value
    ) async throws -> Value? {
        try act(.lock)
        return try await inner.withLockIfFree(name, body)
    }
}

/// A store on a disk that can become full. As with files, a new record is written completely before
/// it replaces the old one.
final class TightStore: SecureStore {
    private let inner: any SecureStore
    private let capacity = Mutex(Int.max)

    init(_ inner: any SecureStore) { self.inner = inner }

    /// From now on, the disk has space for the existing content only.
    func fillUp() async throws {
        let used = try await used()
        capacity.withLock { $0 = used }
    }

    func empty() { capacity.withLock { $0 = .max } }

    private func used() async throws -> Int {
        var used = 0
        for name in try await inner.names() { used += try await inner.read(name)?.count ?? 0 }
        return used
    }

    func read(_ name: RecordName) async throws -> [UInt8]? { try await inner.read(name) }

    func write(_ bytes: [UInt8], to name: RecordName) async throws {
        let needed = try await used() + bytes.count
        guard needed <= capacity.withLock({ $0 }) else {
            throw StoreError.unavailable("no space left on device")
        }
        try await inner.write(bytes, to: name)
    }

    func remove(_ name: RecordName) async throws { try await inner.remove(name) }
    func names() async throws -> [RecordName] { try await inner.names() }

    func withLock<Value: Sendable>(
        _ name: RecordName, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        try await inner.withLock(name, body)
    }
}

/// Does something when a token was given and has not come yet.
struct MeddlingTransport: HTTPTransport {
    let inner: any HTTPTransport
    /// What the address ends with.
    var after = "/token"
    let meddle: @Sendable () async throws -> Void

    func response(to request: ResourceRequest) async throws -> ResourceResponse {
        let answer = try await inner.response(to: request)
        if request.url.hasSuffix(after) { try await meddle() }
        return answer
    }
}

/// A provider that says nothing of keys for tokens: they are bound to nothing.
final class PlainTransport: HTTPTransport {
    private let inner: InProcessProvider
    private let asked = Mutex(0)

    init(_ inner: InProcessProvider) { self.inner = inner }

    /// How often a token was asked for.
    var tokenRequests: Int { asked.withLock { $0 } }

    func response(to request: ResourceRequest) async throws -> ResourceResponse {
        if request.url.hasSuffix("/token") { asked.withLock { $0 += 1 } }
        var answer = try await inner.response(to: request)
        guard request.url.hasSuffix("/openid-configuration") else { return answer }
        let text = String(decoding: answer.body, as: UTF8.self)
        answer.body = Array(
            text.replacing("dpop_signing_alg_values_supported", with: "unsupported").utf8)
        return answer
    }
}
