// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import NIOEmbedded
import ProviderSupport
import Support
import Testing

@testable import HTTPServer

/// Bodies that are made while they are sent, read by the unmodified `curl`.
@Suite(.timeLimit(.minutes(2)))
struct StreamTests {
    /// More than sockets, flow control and pipes hold.
    private static let long = [UInt8](repeating: UInt8(ascii: "x"), count: 3 << 20)

    private struct Broken: Error {}

    private struct Streams: HTTPRouteGroup {
        var stopped: AsyncStream<Void>.Continuation?

        func routes() -> [HTTPRoute] {
            [
                route("/whole") { write in
                    for text in ["one-", "", "two-"] { try await write(Array(text.utf8)) }
                    try await write(long)
                    try await write(Array("-end".utf8))
                },
                route("/broken") { write in
                    try await write(Array("one-".utf8))
                    throw Broken()
                },
                route("/endless") { write in
                    defer { stopped?.yield() }
                    while true { try await write(long) }
                },
                HTTPRoute(.get, "/hello") { _ in .json(Array("{}".utf8)) },
            ]
        }

        private func route(
            _ pattern: String, _ produce: @escaping StreamedBody.Producer
        ) -> HTTPRoute {
            HTTPRoute(.get, pattern) { _ in
                ServerResponse(status: .ok, stream: StreamedBody(produce))
            }
        }
    }

    /// The options of curl for each way that a body can travel.
    private static let ways = ["--http1.0", "--http1.1", "--http2"]

    private func served(
        _ way: String, by streams: Streams = Streams(), log: LogLines = LogLines(),
        _ body: @escaping @Sendable ([String], String) async throws -> Void
    ) async throws {
        let isSecure = way == "--http2"
        let folder = try CertificateFolder()
        let identity = try await folder.makeCertificate("first.example")
        try await listening(
            to: { _ in [streams] }, tls: isSecure ? TLSIdentity(identity) : nil, log: log.logger
        ) { port in
            let scheme = isSecure ? "https" : "http"
            try await body(["-k", way], "\(scheme)://127.0.0.1:\(port)")
        }
    }

    @Test("a streamed body arrives whole", arguments: ways)
    func whole(_ way: String) async throws {
        try await served(way) { options, base in
            let whole = try await curl(options + [base + "/whole"])
            #expect(whole.utf8.count == Self.long.count + 12)
            #expect(whole.hasPrefix("one-two-xxx") && whole.hasSuffix("xxx-end"))
            let head = try await curl(options + ["-D", "-", "-o", "/dev/null", base + "/whole"])
                .lowercased()
            #expect(!head.contains("content-length"))
            #expect(
                head.contains("transfer-encoding: chunked") == (way == "--http1.1"), "\(head)")
            #expect(head.contains("connection: close") == (way == "--http1.0"))
        }
    }

    @Test("a connection goes on after a streamed body, and after the HEAD of one")
    func keepAlive() async throws {
        try await served("--http1.1") { _, base in
            let port = base.split(separator: ":").last ?? ""
            func request(_ line: String, _ more: String = "") -> String {
                "\(line) HTTP/1.1\\r\\nHost: a\\r\\n\(more)\\r\\n"
            }
            let text =
                request("HEAD /whole") + request("GET /whole") + request("GET /whole")
                + request("GET /hello", "Connection: close\\r\\n")
            let answer = try await runTool(
                "/bin/bash",
                [
                    "-c",
                    "exec 3<>/dev/tcp/127.0.0.1/\(port); printf '\(text)' >&3; timeout 20 cat <&3",
                ])
            #expect(answer.ranges(of: "HTTP/1.1 200 OK").count == 4)
            #expect(answer.ranges(of: "Transfer-Encoding: chunked").count == 2)
            #expect(answer.ranges(of: "-end\r\n0\r\n\r\nHTTP/1.1 200 OK").count == 2)
            #expect(answer.hasSuffix("\r\n\r\n{}"))
        }
    }

    @Test(
        "a body that fails in the middle is an error for the client, and in the log",
        arguments: ways)
    func broken(_ way: String) async throws {
        let log = LogLines()
        try await served(way, log: log) { options, base in
            let answer = try await curl(
                options + ["-w", "exit %{exitcode}", base + "/broken"])
            #expect(answer.contains("exit ") && !answer.contains("exit 0"), "\(answer)")
        }
        #expect(log.lines.count { $0.contains("answer cut off") } == 1)
    }

    @Test(
        "a client that goes away in the middle stops the producer, and is no error", arguments: ways
    )
    func gone(_ way: String) async throws {
        let (stops, stopped) = AsyncStream.makeStream(of: Void.self)
        let log = LogLines()
        try await served(way, by: Streams(stopped: stopped), log: log) { options, base in
            let words = (["/usr/bin/curl", "-s"] + options + [base + "/endless"])
                .joined(separator: " ")
            let part = try await runTool("/bin/bash", ["-c", words + " | head -c 100000"])
            #expect(part.utf8.count == 100_000)
            for await _ in stops { break }
        }
        #expect(!log.lines.contains { $0.contains("cut off") })
    }

    // MARK: One piece at a time

    /// Holds what is written until it is let go.
    private final class SlowSocket: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer

        private let pieces: AsyncStream<String>.Continuation
        private var held: [EventLoopPromise<Void>] = []

        init(_ pieces: AsyncStream<String>.Continuation) { self.pieces = pieces }

        func write(
            context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
        ) {
            if let promise { held.append(promise) }
            pieces.yield(String(buffer: unwrapOutboundIn(data)))
        }

        func letGo() { held.removeFirst().succeed() }

        func handlerRemoved(context: ChannelHandlerContext) {
            for promise in held { promise.fail(ChannelError.ioOnClosedChannel) }
        }
    }

    private func slow() async throws -> (
        channel: NIOAsyncTestingChannel, letGo: @Sendable () async throws -> Void,
        pieces: AsyncStream<String>.Iterator
    ) {
        let (pieces, written) = AsyncStream.makeStream(of: String.self)
        let channel = NIOAsyncTestingChannel()
        let socket = try await channel.testingEventLoop.executeInContext {
            let socket = SlowSocket(written)
            try channel.pipeline.syncOperations.addHandler(socket)
            return NIOLoopBound(socket, eventLoop: channel.testingEventLoop)
        }
        try await channel.connect(to: SocketAddress(ipAddress: "192.0.2.1", port: 1))
        return (
            channel,
            { try await channel.testingEventLoop.executeInContext { socket.value.letGo() } },
            pieces.makeAsyncIterator()
        )
    }

    @Test("a piece is made when the one before has left")
    func backPressure() async throws {
        var (channel, letGo, pieces) = try await slow()
        let made = Shared(0)
        let body = StreamedBody { write in
            for number in 1...3 {
                made.withLock { $0 = number }
                try await write([UInt8](repeating: UInt8(ascii: "x"), count: number))
            }
        }
        let sender = HTTP1BodySender(channel: channel, isChunked: true)
        let sending = Task { try await sender.send(body) }
        for number in 1...3 {
            let text = String(repeating: "x", count: number)
            #expect(await pieces.next() == "\(number)\r\n\(text)\r\n")
            #expect(made.withLock(\.self) == number)
            try await letGo()
        }
        #expect(await pieces.next() == "0\r\n\r\n")
        try await letGo()
        try await sending.value
        _ = try? await channel.finish(acceptAlreadyClosed: true)
    }

    @Test("Attack 69: a client that does not read its answer has one minute for each piece")
    func stalled() async throws {
        var (channel, _, pieces) = try await slow()
        let body = StreamedBody { try await $0(Array("one".utf8)) }
        let sender = HTTP1BodySender(channel: channel, isChunked: false)
        let sending = Task { try await sender.send(body) }
        #expect(await pieces.next() == "one")
        await channel.testingEventLoop.advanceTime(by: .seconds(59))
        #expect(channel.isActive)
        await channel.testingEventLoop.advanceTime(by: .seconds(2))
        #expect(!channel.isActive)
        await #expect(throws: (any Error).self) { try await sending.value }
    }
}
