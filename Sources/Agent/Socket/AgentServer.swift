// SPDX-License-Identifier: Apache-2.0
import JOSE
package import NIOCore
import NIOPosix

/// Serves the agent's socket, `/run/gatehouse/agent.sock`: all users may send requests, each about
/// their own account.
package struct AgentServer: Sendable {
    /// Where it listens.
    package enum Place: Sendable, Equatable {
        case path(String)
        /// A socket that another program has opened, such as systemd.
        case descriptor(Int32)
    }

    private typealias Connection = NIOAsyncChannel<JSONObject, JSONObject>
    private let agent: Agent
    private let programs: [String]
    private let listener: NIOAsyncChannel<Connection, Never>

    /// Begins to listen.
    ///
    /// - Parameters:
    ///   - programs: Which may ask for tokens; empty for all.
    ///   - patience: With connections that ask nothing, or hear the end and stay.
    package init(
        _ agent: Agent, at place: Place, programs: [String] = [],
        patience: TimeAmount = IdleConnectionHandler.patience
    ) async throws {
        self.agent = agent
        self.programs = programs
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        let initialize: @Sendable (any Channel) -> EventLoopFuture<Connection> = { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.addAgentFrames()
                try channel.pipeline.syncOperations.addHandler(
                    IdleConnectionHandler(patience: patience))
                return try Connection(wrappingChannelSynchronously: channel)
            }
        }
        listener =
            switch place {
            case .path(let path):
                try await bootstrap.bind(
                    unixDomainSocketPath: path, cleanupExistingSocketFile: true,
                    childChannelInitializer: initialize)
            case .descriptor(let descriptor):
                try await bootstrap.bind(descriptor, childChannelInitializer: initialize)
            }
    }

    /// Serves until the task is cancelled.
    package func run() async throws {
        let counts = ConnectionLimiter()
        try await listener.executeThenClose { connections in
            try await withThrowingDiscardingTaskGroup { group in
                for try await connection in connections {
                    group.addTask { try? await serve(connection, counts) }
                }
            }
        }
    }

    private func serve(_ connection: Connection, _ counts: ConnectionLimiter) async throws {
        try await connection.executeThenClose { messages, writer in
            let caller = try await AgentCaller.of(connection.channel)
            guard counts.enter(caller) else { return }
            defer { counts.leave(caller) }
            let conversation = AgentConnection(agent: agent, caller: caller, programs: programs) {
                try await writer.write($0)
            }
            do {
                for try await message in messages { await conversation.take(message) }
            } catch {
                // What cannot be read ends the connection, as its end would.
            }
            await conversation.gone()
        }
    }
}
