// SPDX-License-Identifier: Apache-2.0
public import GatehouseClient
import Synchronization

/// A transport that a test can break: lost requests, lost answers, a network that is away. It counts
/// what goes through it.
public final class FaultyTransport: HTTPTransport {
    /// What may happen to a request.
    public enum Fault: Sendable {
        /// It never arrives.
        case requestLost
        /// It arrives, and its answer does not.
        case answerLost
        /// Nothing is known of it until the task is cancelled.
        case hangs
    }

    /// What the SDK sees.
    public struct Lost: Error {}

    private struct State {
        var faults: [(path: String, fault: Fault)] = []
        var isDown = false
        var seen: [String] = []
        var cancelled: [String] = []
    }

    private let inner: any HTTPTransport
    private let state = Mutex(State())

    /// - Parameter inner: Who carries what is not broken.
    public init(_ inner: any HTTPTransport) { self.inner = inner }

    /// The next request whose address ends so meets that fault, once.
    public func next(_ pathEnd: String, _ fault: Fault) {
        state.withLock { $0.faults.append((pathEnd, fault)) }
    }

    /// Whether the network is away.
    public var isDown: Bool {
        get { state.withLock { $0.isDown } }
        set { state.withLock { $0.isDown = newValue } }
    }

    /// How many requests to addresses that end so were sent.
    public func count(_ pathEnd: String) -> Int {
        state.withLock { $0.seen.count { $0.hasSuffix(pathEnd) } }
    }

    /// Addresses whose requests were cancelled while they hung.
    public var cancelled: [String] { state.withLock { $0.cancelled } }

    /// See `HTTPTransport`.
    public func response(to request: ResourceRequest) async throws -> ResourceResponse {
        let (isDown, fault) = state.withLock { state in
            state.seen.append(request.url)
            let index = state.faults.firstIndex { request.url.hasSuffix($0.path) }
            return (state.isDown, index.map { state.faults.remove(at: $0).fault })
        }
        if isDown { throw Lost() }
        switch fault {
        case .requestLost: throw Lost()
        case .answerLost:
            _ = try await inner.response(to: request)
            throw Lost()
        case .hangs:
            try await hang(request)
            throw Lost()
        case nil: return try await inner.response(to: request)
        }
    }

    private func hang(_ request: ResourceRequest) async throws {
        do { try await Task.sleep(for: .seconds(3600)) } catch {
            state.withLock { $0.cancelled.append(request.url) }
            throw error
        }
    }
}
