import Agent
// SPDX-License-Identifier: Apache-2.0
import AgentClient
import Foundation
import NIOCore
import Primitives
import Support
import Testing

/// Attacks on the agent's socket by processes that may open it, on a real socket with an agent.
/// Those that need another account are in `EndToEnd/Agent/AgentStrangerStory`.
@Suite("Attacks on the agent's socket")
struct AgentSocketAttackTests {
    private let setting = SignInSetting()
    private var path: String { setting.folder.path("s") }

    /// Runs a body against a server that waits so long for connections that say nothing.
    private func served(
        waits milliseconds: Int64 = 60_000, _ body: @Sendable (Agent) async throws -> Void
    ) async throws {
        let agent = try await setting.agent(serving: ScriptedExtension())
        let server = try await AgentServer(
            agent, at: .path(path), patience: .milliseconds(milliseconds))
        let running = Task { try await server.run() }
        do { try await body(agent) } catch {
            running.cancel()
            throw error
        }
        running.cancel()
        _ = await running.result
    }

    private static func frame(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        return (0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> (24 - 8 * $0)) } + bytes
    }

    private static let status = frame(#"{"version":1,"request":"status"}"#)

    /// The agent is there, and answers who keeps to the rules.
    private static func answers(_ path: String) async throws {
        let answer = try await AgentSocketClient(path: path).send(AgentRequest(.status))
        #expect(AgentStatus(answer) != nil)
    }

    /// What the agent says to those bytes before it hangs up.
    private static func said(to bytes: [UInt8], _ path: String) async throws -> [UInt8] {
        try await blocking {
            let connection = try RawConnection(path)
            try connection.send(bytes)
            return try connection.rest()
        }
    }

    /// The first answer to those bytes, and what comes after it once nothing more is said.
    private static func exchange(
        _ bytes: [UInt8], _ path: String
    ) async throws -> (first: String, rest: [UInt8]) {
        try await blocking {
            let connection = try RawConnection(path)
            try connection.send(bytes)
            let first = String(decoding: try connection.message(), as: UTF8.self)
            connection.finish()
            return (first, try connection.rest())
        }
    }

    @Test(
        "Attack: a length of nothing, or of more than 256 KiB, ends the connection before the rest comes",
        arguments: [
            [0, 0, 0, 0], [0, 4, 0, 1], [0x7F, 0xFF, 0xFF, 0xFF], [0xFF, 0xFF, 0xFF, 0xFF],
            Array("GET / HTTP/1.1\r\n\r\n".utf8),
        ] as [[UInt8]])
    func oversized(bytes: [UInt8]) async throws {
        let path = path
        try await served { _ in
            #expect(try await Self.said(to: bytes, path) == [])
            try await Self.answers(path)
        }
    }

    @Test(
        "Attack: what is no object, or too deep a one, ends the connection unanswered",
        arguments: [
            "[]", "7", "\"status\"", "{", "{}{}", "{\"a\":1,\"a\":2}", "\u{0}",
            String(repeating: "{\"a\":", count: 17) + "1" + String(repeating: "}", count: 17),
        ])
    func malformed(text: String) async throws {
        let path = path
        try await served { _ in
            #expect(try await Self.said(to: Self.frame(text), path) == [])
            try await Self.answers(path)
        }
    }

    @Test("Attack: a message of the greatest length that asks nothing is refused")
    func greatest() async throws {
        let path = path
        let padding = String(repeating: " ", count: AgentFrame.greatestLength - 2)
        try await served { _ in
            let (answer, rest) = try await Self.exchange(Self.frame("{" + padding + "}"), path)
            #expect(answer.contains("malformed") && rest == [])
            try await Self.answers(path)
        }
    }

    @Test(
        "Attack: a silent or incomplete client is disconnected",
        arguments: [0, 2, 4, 20])
    func slow(length: Int) async throws {
        let path = path
        try await served(waits: 50) { _ in
            let said = try await Self.said(to: Array(Self.status.prefix(length)), path)
            #expect(said == [])
        }
    }

    @Test("A request that comes byte by byte is one, too")
    func pieces() async throws {
        let path = path
        try await served { _ in
            let message = try await blocking {
                let connection = try RawConnection(path)
                for byte in Self.status { try connection.send([byte]) }
                return try connection.message()
            }
            #expect(String(decoding: message, as: UTF8.self).hasPrefix(#"{"result":"#))
        }
    }

    @Test("Attack: half a message and an end leave nothing behind", arguments: [1, 4, 5, 20])
    func half(length: Int) async throws {
        let path = path
        try await served { _ in
            for _ in 0..<32 {
                try await blocking {
                    let connection = try RawConnection(path)
                    try connection.send(Array(Self.status.prefix(length)))
                    connection.hangUp()
                }
            }
            try await Self.answers(path)
        }
    }

    @Test("Attack: a second request on one connection is not heard")
    func interleaved() async throws {
        let path = path
        try setting.install(TestProfile(token: "t"))
        try await served { agent in
            _ = try await setting.device(of: agent)
            let second = Self.frame(
                #"{"version":1,"request":"unregister_device","local_only":true}"#)
            let (answer, rest) = try await Self.exchange(Self.status + second, path)
            #expect(answer.hasPrefix(#"{"result":"#) && rest == [])
            #expect(await agent.record.registrations.devices[.everyone]?.phase == .registered)
        }
    }

    @Test("Attack: a response without a prompt is ignored")
    func unasked() async throws {
        let path = path
        try await served { _ in
            let answers = (0..<100).flatMap { _ in Self.frame(#"{"answer":"x"}"#) }
            let (answer, rest) = try await Self.exchange(Self.status + answers, path)
            #expect(answer.hasPrefix(#"{"result":"#) && rest == [])
            try await Self.answers(path)
        }
    }

    @Test("Attack: dozens of connections with half a request do not block other clients")
    func many() async throws {
        let path = path
        try await served { _ in
            let held = try await blocking {
                try (0..<64).map { _ in
                    let connection = try RawConnection(path)
                    try connection.send(Array(Self.status.prefix(10)))
                    return connection
                }
            }
            try await Self.answers(path)
            for connection in held { connection.hangUp() }
            try await Self.answers(path)
        }
    }

    @Test("Attack: connections that arrive while the agent stops do not end the process")
    func stopping() async throws {
        let path = path
        let agent = try await setting.agent(serving: ScriptedExtension())
        for _ in 0..<50 {
            let server = try await AgentServer(agent, at: .path(path))
            let running = Task { try await server.run() }
            let arrived = Shared(0)
            let arriving = Task {
                try await blocking {
                    // Ends when the listener refuses.
                    while let connection = try? RawConnection(path) {
                        arrived.withLock { $0 += 1 }
                        connection.hangUp()
                    }
                }
            }
            try await eventually("connections arrive") {
                arrived.withLock { $0 } > 8 ? true : nil
            }
            running.cancel()
            try await running.value
            try await arriving.value
        }
    }

    @Test("Attack: file descriptors that are sent along are closed")
    func descriptors() async throws {
        let path = path
        try await served { _ in
            let isClosed = try await blocking {
                var ends: [Int32] = [-1, -1]
                guard pipe(&ends) == 0 else { return false }
                for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
                defer { close(ends[0]) }
                let connection = try RawConnection(path)
                try connection.send(Self.status, along: ends[1])
                close(ends[1])
                _ = try connection.message()
                // The agent has read the message. An end that it kept would never be closed.
                var entry = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
                return poll(&entry, 1, 20_000) == 1 && entry.revents & Int16(POLLHUP) != 0
            }
            #expect(isClosed)
        }
    }
}
