// SPDX-License-Identifier: Apache-2.0
import Agent
import Logging
import Primitives

/// The time between two rests: the socket is served, and profiles are watched.
struct AgentServingPeriod: Sendable {
    private let server: AgentServer
    private let serving: Task<Void, Never>
    private let watch: ProfileWatch?
    private let quiet: Task<Void, Never>?

    /// - Parameter quiet: Called when nobody has come for as long as `restAfter`, and nobody is there.
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
        // What changed after they were read, and before they were watched.
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

    /// Takes nobody in any more.
    ///
    /// - Returns: Whether nobody is there; else those who are, are served to the end.
    func end() async -> Bool {
        quiet?.cancel()
        await server.close()
        watch?.stop()
        return server.visitors.open == 0
    }

    /// Sends everybody away.
    func stop() { serving.cancel() }
}
