// SPDX-License-Identifier: Apache-2.0
import GatehouseClient
import Support
import Synchronization

/// Carries the SDK's requests, and at a chosen one has the provider killed and started again.
final class KillingTransport: HTTPTransport {
    /// When the provider dies.
    enum Moment: String, CaseIterable, Sendable {
        /// The request never arrives.
        case before
        /// It has begun to write: to its database, or already to the client.
        case during
        /// Its response was written and not read.
        case after
    }

    struct Cut: Sendable, CustomStringConvertible {
        /// How the address ends.
        let path: String
        let moment: Moment
        /// How many requests to such an address live on before.
        var sparing = 0
        var description: String { "\(moment) \(path), \(sparing) spared" }

        init(_ moment: Moment, _ path: String, sparing: Int = 0) {
            (self.moment, self.path, self.sparing) = (moment, path, sparing)
        }
    }

    /// What the SDK sees.
    struct Lost: Error {}

    private struct State {
        var cut: Cut?
        var network: NetworkTransport
    }

    private let state: Mutex<State>
    private let pid: @Sendable () -> Int32
    /// Kills the provider, and comes back when another one serves the same data.
    private let kill: @Sendable () async throws -> Void

    /// - Parameter pid: Of the provider that serves now.
    init(
        pid: @escaping @Sendable () -> Int32, kill: @escaping @Sendable () async throws -> Void
    ) throws {
        state = Mutex(State(network: try NetworkTransport()))
        self.pid = pid
        self.kill = kill
    }

    /// The next request whose address ends so is the provider's last.
    func arm(_ cut: Cut) { state.withLock { $0.cut = cut } }

    /// Whether a cut still waits for its request.
    var isArmed: Bool { state.withLock { $0.cut != nil } }

    func response(to request: ResourceRequest) async throws -> ResourceResponse {
        let (cut, network) = state.withLock { state -> (Cut?, NetworkTransport) in
            guard let cut = state.cut, request.url.hasSuffix(cut.path) else {
                return (nil, state.network)
            }
            guard cut.sparing == 0 else {
                state.cut?.sparing -= 1
                return (nil, state.network)
            }
            state.cut = nil
            return (cut, state.network)
        }
        guard let cut else { return try await network.response(to: request) }
        try await KillMoment(pid: pid()).strike(cut.moment, kill: kill) {
            _ = try await network.response(to: request)
        }
        // Connections to the killed process are unusable.
        let fresh = try NetworkTransport()
        state.withLock { $0.network = fresh }
        throw Lost()
    }
}
