// SPDX-License-Identifier: Apache-2.0
import AgentClient
import JOSE
package import NIOCore
import NIOPosix

/// Serves the agent's socket, `/run/gatehouse/agent.sock`: all users may send requests, each about
/// their own account.
package struct AgentServer: Sendable {
    /// Where it listens.
    package enum SocketSource: Sendable, Equatable {
        case path(String)
        /// A socket that another program has opened, such as systemd.
        case descriptor(Int32)
    }

    private typealias Connection = NIOAsyncChannel<JSONObject, JSONObject>
    private let tasks: ConnectionTasks
    private let listener: any Channel

    /// Listens and serves.
    ///
    /// - Parameters:
    ///   - programs: The paths of programs that may request tokens; empty for all.
    ///   - patience: The time limit of ``IdleConnectionHandler``.
    package init(
        _ agent: Agent, at place: SocketSource, programs: [String] = [],
        patience: TimeAmount = IdleConnectionHandler.patience
    ) async throws {
        let tasks = ConnectionTasks()
        self.tasks = tasks
        let service = ConnectionService(agent: agent, programs: programs)
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.addAgentFrames()
                    try channel.pipeline.syncOperations.addHandler(
                        IdleConnectionHandler(patience: patience))
                    let connection = try Connection(wrappingChannelSynchronously: channel)
                    tasks.start { try? await service.serve(connection) }
                }
            }
        listener =
            switch place {
            case .path(let path):
                try await bootstrap.bind(
                    unixDomainSocketPath: path, cleanupExistingSocketFile: true
                ).get()
            case .descriptor(let descriptor):
                try await bootstrap.withBoundSocket(descriptor).get()
            }
    }

    /// Serves until the task is cancelled, which closes the listener and the connections.
    package func run() async throws {
        try await withTaskCancellationHandler {
            try await listener.closeFuture.get()
            await tasks.finished()
        } onCancel: {
            listener.close(promise: nil)
            tasks.cancel()
        }
    }
}

/// Serves one connection.
private struct ConnectionService: Sendable {
    let agent: Agent
    let programs: [String]
    let counts = ConnectionLimiter()

    func serve(_ connection: NIOAsyncChannel<JSONObject, JSONObject>) async throws {
        try await connection.executeThenClose { messages, writer in
            let caller = try await AgentCaller.of(connection.channel)
            guard counts.enter(caller) else { return }
            defer { counts.leave(caller) }
            let conversation = AgentConnection(agent: agent, caller: caller, programs: programs) {
                try await writer.write($0)
            }
            do {
                for try await message in messages { await conversation.receive(message) }
            } catch {
                // What cannot be read ends the connection, as its end would.
            }
            await conversation.gone()
        }
    }
}
