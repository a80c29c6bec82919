// SPDX-License-Identifier: Apache-2.0
import Agent
import Logging
import Primitives

/// Serves the socket and watches profiles until the agent becomes idle.
struct AgentServingPeriod: Sendable {
    private let server: AgentServer
    private let serving: Task<Void, Never>
    private let watch: ProfileWatch?
    private let quiet: Task<Void, Never>?

    /// - Parameter quiet: Called if no client connected for the time `restAfter` and none is
    ///   connected.
    init(
        _ agent: Agent, _ server: AgentServer, profiles: String, restAfter: TimeSpan?,
        _ log: Logger, quiet: @escaping @Sendable () -> Void
    ) {
        self.server = server
        serving = Task { try? await server.run() }
        watch = ProfileWatch(profiles) { Task { await agent.reload() } }
        if watch == nil {
            log.warning(
                "changes of profiles are not noticed; use SIGHUP",
                metadata: ["folder": "\(profiles)"])
        }
        // Loads profiles that changed between their first reading and the start of the watch.
        Task { await agent.reload() }
        self.quiet = restAfter.map { span in
            Task { if await Self.becomesQuiet(server, span) { quiet() } }
        }
    }

    private static func becomesQuiet(_ server: AgentServer, _ span: TimeSpan) async -> Bool {
        var before = -1
        while true {
            let (all, open) = server.visitors
            if all == before, open == 0 { return true }
            before = all
            do { try await Task.sleep(for: .milliseconds(span.milliseconds)) } catch {
                return false
            }
        }
    }

    /// Stops accepting connections. Open connections are served until they close.
    ///
    /// - Returns: Whether no connection is open.
    func end() async -> Bool {
        quiet?.cancel()
        await server.close()
        watch?.stop()
        return server.visitors.open == 0
    }

    /// Closes all connections.
    func stop() { serving.cancel() }
}
