// SPDX-License-Identifier: Apache-2.0
package import JOSE
import NIOCore
import NIOPosix

/// The client of the agent's socket: sends one request, and answers the prompts.
package struct AgentSocketClient: Sendable {
    package static let standardPath = "/run/gatehouse/agent.sock"

    private let path: String

    package init(path: String = Self.standardPath) { self.path = path }

    /// No process listens at the path.
    package struct Absent: Error, CustomStringConvertible {
        let path: String
        package var description: String {
            "no agent answers at \(path); have systemd run it with sudo gatehouse-agent install, or run it "
                + "by hand: sudo gatehouse-agent run"
        }
    }

    /// Another user listens at the path: a person who may set the path could otherwise receive
    /// passwords, or report that people are admitted.
    package struct Foreign: Error, CustomStringConvertible {
        let path: String
        let account: String
        package var description: String {
            "\(path) is served by \(account), not by root; nothing was said to it"
        }
    }

    /// - Parameters:
    ///   - answer: to a question; what it throws gives up.
    /// - Throws: ``Absent``, ``Foreign``, `AgentRefusal`, and what `answer` throws.
    package func send(
        _ request: AgentRequest, tell: @Sendable (AgentStep) async -> Void = { _ in },
        answer: @Sendable (AgentPrompt) async throws -> String = { _ in
            throw PresentationError.notAllowed
        }
    ) async throws -> JSONValue {
        let channel: NIOAsyncChannel<JSONObject, JSONObject>
        do {
            channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(unixDomainSocketPath: path) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.addAgentFrames()
                        return try NIOAsyncChannel(wrappingChannelSynchronously: channel)
                    }
                }
        } catch { throw Absent(path: path) }
        return try await channel.executeThenClose { messages, writer in
            let listener = try await AgentCaller.of(channel.channel)
            guard listener.mayDoAnything else {
                throw Foreign(path: path, account: listener.account)
            }
            try await Self.write(request.json, writer)
            // A process that ends with unread data of this one resets the connection.
            do {
                for try await message in messages {
                    switch AgentResponse(message) {
                    case .step(let step)?: await tell(step)
                    case .ask(let question)?:
                        let text = try await answer(question)
                        guard question.isAnswered else { continue }
                        try await Self.write(
                            JSONObject([.init(name: "answer", value: .string(text))]), writer)
                    case .result(let value)?: return value
                    case .refusal(let refusal)?: throw refusal
                    case nil: throw AgentFrame.ParseError()
                    }
                }
            } catch is IOError {}
            throw AgentRefusal.gone
        }
    }

    /// Sends a message. The agent may end at any moment, also while the person types.
    private static func write(
        _ message: JSONObject, _ writer: NIOAsyncChannelOutboundWriter<JSONObject>
    ) async throws {
        do { try await writer.write(message) } catch { throw AgentRefusal.gone }
    }
}
