import Agent
// SPDX-License-Identifier: Apache-2.0
import AgentClient
import Foundation
import JOSE
import Platform
import Support
import Testing

/// The commands' end of the socket, with an agent that is played.
@Suite struct AgentSocketClientTests {
    /// Listens, sends one prompt to each connection, and can be closed.
    private final class Asking: Sendable {
        private let file: Int32

        init(_ path: String) throws {
            file = try UnixSocket.listen(path, mode: 0o600, backlog: 1).rawValue
        }

        deinit { close(file) }

        /// The connection, with the question on its way.
        func ask() -> Int32 {
            let connection = accept(file, nil, nil)
            let text = JSONValue.object(AgentResponse.ask(.secret("Who?")).json).bytes
            let frame = [0, 0, 0, UInt8(text.count)] + text
            _ = write(connection, frame, frame.count)
            return connection
        }
    }

    @Test("An agent that stops during a prompt is reported, with the next step")
    func gone() async throws {
        let folder = TestFolder()
        let agent = try Asking(folder.path("agent.sock"))
        let connection = Task { try await blocking { agent.ask() } }
        let line = AgentSocketClient(path: folder.path("agent.sock"))
        await #expect(throws: AgentRefusal.gone) {
            _ = try await line.send(
                AgentRequest(.registerUser),
                answer: { _ in
                    close(try await connection.value)
                    return "anna"
                })
        }
    }

    @Test("Where no agent is, how one comes there is said")
    func absent() async throws {
        let folder = TestFolder()
        let line = AgentSocketClient(path: folder.path("agent.sock"))
        do {
            _ = try await line.send(AgentRequest(.status))
            Issue.record("somebody answered")
        } catch let absent as AgentSocketClient.Absent {
            #expect("\(absent)".contains("sudo gatehouse-agent install"))
        }
    }
}
