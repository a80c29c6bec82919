// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOPosix
import Platform
import ProviderSupport
import ServiceLifecycle
import Support
import Testing

@testable import HTTPServer

@Suite(.timeLimit(.minutes(2)))
struct ConnectionTests {
    private struct Hello: HTTPRouteGroup {
        func routes() -> [HTTPRoute] {
            [HTTPRoute(.get, "/hello") { _ in .json(Array("{}".utf8)) }]
        }
    }

    @Test("Attack 69: thousands of half-open connections use at most the maximum number of slots")
    func halfOpen() async throws {
        let limits = ConnectionLimits(total: 200, perAddress: 10, headSeconds: 3600)
        try await withListener(limits) { port, gate in
            var channels: [any Channel] = []
            for machine in 1...40 {
                channels += try await connect(60, to: port, from: "127.0.1.\(machine)")
            }
            // What was idle for a minute gave its place to another, should the machine be that slow.
            try await eventually("all are counted") {
                gate.admitted + gate.refused == 2400 ? true : nil
            }
            #expect(gate.maximumOpen == 200 && gate.admitted >= 200)
            try await eventually("the others are closed") {
                channels.count(where: \.isActive) <= 200 ? true : nil
            }
            for channel in channels where channel.isActive { try? await channel.close() }
            try await eventually("their places are free") { gate.open == 0 ? true : nil }
            let answer = try await talk(port, "GET /hello HTTP/1.0\\r\\n\\r\\n")
            #expect(answer.contains("200 OK"))
        }
    }

    @Test(
        "Attack 69: one address cannot take all places; listed proxies may, and of IPv6 a /64 is one address"
    )
    func perAddress() throws {
        let limits = ConnectionLimits(total: 100, perAddress: 2)
        let proxies = TrustedProxies(["10.0.0.0/8"].compactMap { NetworkRange($0) })
        let gate = ConnectionGate(limits, proxies: proxies)
        func admitted(_ address: String) throws -> Int {
            try (0..<5).count { _ in
                let channel = EmbeddedChannel()
                channel.remoteAddress = try SocketAddress(ipAddress: address, port: 1)
                return gate.admit(channel)
            }
        }
        #expect(try admitted("192.0.2.1") == 2 && admitted("::ffff:192.0.2.1") == 0)
        #expect(try admitted("10.1.2.3") == 5)
        #expect(try admitted("2001:db8::1") == 2 && admitted("2001:db8::2") == 0)
        #expect(try admitted("2001:db8:0:1::1") == 2)
    }

    @Test("Attack 69: a head that does not come, or drips, has ten seconds")
    func headDeadline() async throws {
        try check(
            headDeadlineOf: Dispatcher(provider: try await TestProvider.make(), groups: [Hello()]))
    }

    private func check(headDeadlineOf dispatcher: Dispatcher) throws {
        let head = "POST /hello HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n"
        for (drops, isWhole) in [
            ([], false), (Array(head.utf8.dropLast(2)), false), (Array(head.utf8), true),
        ] {
            let channel = try channel(dispatcher)
            for (number, drop) in drops.enumerated() {
                try channel.writeInbound(ByteBuffer(bytes: [drop]))
                if number % 8 == 7 { channel.embeddedEventLoop.advanceTime(by: .seconds(1)) }
            }
            channel.embeddedEventLoop.advanceTime(to: .uptimeNanoseconds(9_900_000_000))
            #expect(channel.isActive)
            channel.embeddedEventLoop.advanceTime(to: .uptimeNanoseconds(10_100_000_000))
            #expect(channel.isActive == isWhole, "\(drops.count) bytes")
            _ = try? channel.finish(acceptAlreadyClosed: true)
        }
    }

    private func channel(_ dispatcher: Dispatcher) throws -> EmbeddedChannel {
        let exchange = HTTPRequestHandler(
            dispatcher: dispatcher, proxies: TrustedProxies(),
            ids: RequestIDs(random: SeededRandom()), dates: DateHeader(), observer: nil)
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandlers([
            HeadDeadline(.seconds(10)),
            ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes)),
            HTTP1Connection(exchange, headLimit: .seconds(10), on: channel.eventLoop),
        ])
        try channel.connect(to: SocketAddress(ipAddress: "192.0.2.1", port: 1)).wait()
        return channel
    }

    @Test("Attack 69: the head of a later request has the same time, once it has begun")
    func laterHead() async throws {
        try await withListener(ConnectionLimits(headSeconds: 1)) { port, _ in
            let whole = "GET /hello HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n"
            // The part of a head is sent when the first answer has begun to come.
            let answer = try await talk(port, whole, then: "GET /he")
            #expect(answer.ranges(of: "200 OK").count == 1 && answer.hasSuffix("ended 0\n"))
        }
    }

    // MARK: Under TLS

    @Test(
        "Attack 69: a TLS handshake that does not begin, or stops, has the time of a head",
        arguments: ["", "\\x16\\x03\\x01\\x02\\x00\\x01\\x00\\x01\\xfc\\x03\\x03"])
    func stalledHandshake(_ hello: String) async throws {
        try await withListener(ConnectionLimits(headSeconds: 1), isSecure: true) { port, gate in
            let answer = try await talk(port, hello)
            #expect(answer.hasSuffix("ended 0\n"), "\(answer)")
            try await eventually("its place is free") { gate.open == 0 ? true : nil }
        }
    }

    @Test(
        "Attack 69: a handshake that ends, and no head after it, has the same time",
        arguments: ["h2", "http/1.1"])
    func silentAfterHandshake(_ name: String) async throws {
        try await withListener(ConnectionLimits(headSeconds: 1), isSecure: true) { port, _ in
            let answer = try await talkTLS(port, name, "")
            #expect(answer != "ended 124\n")
        }
    }

    @Test("Attack 69: the head of a later request of HTTP/2 has the same time, once it has begun")
    func laterHeadOfHTTP2() async throws {
        try await withListener(ConnectionLimits(headSeconds: 1), isSecure: true) { port, gate in
            // Preface, empty SETTINGS, GET /hello, and of a second head nine bytes of forty-one.
            let settings = #"\x00\x00\x00\x04\x00\x00\x00\x00\x00"#
            let whole =
                #"\x00\x00\x0d\x01\x05\x00\x00\x00\x01\x82\x87\x04\x06/hello\x01\x01a"#
            let begun = #"\x00\x00\x20\x01\x04\x00\x00\x00\x03"#
            let answer = try await talkTLS(
                port, "h2",
                #"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"# + settings + whole + begun)
            #expect(answer != "ended 124\n" && gate.admitted == 1)
        }
    }

    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    /// A frame of stream 1 with zeros in it.
    private static func frame(_ type: UInt8, flags: UInt8 = 0, of length: UInt8 = 8) -> [UInt8] {
        let head: [UInt8] = [0, 0, length, type, flags, 0, 0, 0, 1]
        return head + [UInt8](repeating: 0, count: Int(length))
    }

    private static let whole = frame(1, flags: 4)
    private static let open = frame(1)

    @Test(
        "Attack 69: a head of HTTP/2 that begins ends within ten seconds",
        arguments: [
            open, Array(whole.dropLast()), Array(whole.prefix(5)), open + frame(9),
            frame(1, of: 0),
        ])
    func openHead(_ bytes: [UInt8]) throws {
        #expect(try !isKept(after: [Self.preface + bytes], .seconds(11)))
        #expect(try isKept(after: [Self.preface + bytes], .seconds(9)))
        // More of it does not give it more time.
        #expect(try !isKept(after: [Self.preface + Self.open, Self.frame(9), bytes], .seconds(4)))
    }

    @Test(
        "A connection of HTTP/2 without a head under way is left to the other limits",
        arguments: [
            [], whole, Array(frame(0).dropLast()), open + frame(9, flags: 4),
            frame(1, flags: 4, of: 0),
        ])
    func noHead(_ bytes: [UInt8]) throws {
        #expect(try isKept(after: [Self.preface + bytes], .seconds(59)))
    }

    @Test("A client whose reads end one head of HTTP/2 and begin the next is kept")
    func busyClient() throws {
        let (begun, rest) = (Array(Self.whole.dropLast()), [Self.whole[16]])
        #expect(
            try isKept(
                after: [Self.preface + begun, rest + begun, rest + begun, rest + begun],
                .seconds(4)))
    }

    /// Whether the connection is open when each of the reads has been followed by that time.
    private func isKept(after reads: [[UInt8]], _ time: TimeAmount) throws -> Bool {
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandler(HTTP2HeadDeadline(.seconds(10)))
        try channel.connect(to: SocketAddress(ipAddress: "192.0.2.1", port: 1)).wait()
        for bytes in reads where channel.isActive {
            try channel.writeInbound(ByteBuffer(bytes: bytes))
            channel.embeddedEventLoop.advanceTime(by: time)
        }
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        return channel.isActive
    }

    @Test(
        "A request of HTTP/1.1 has one Host field, one of HTTP/1.0 at most one",
        arguments: [
            ("1.1", 0, "400"), ("1.1", 1, "200"), ("1.1", 2, "400"), ("1.0", 0, "200"),
            ("1.0", 1, "200"), ("1.0", 2, "400"),
        ])
    func host(_ version: String, _ count: Int, _ status: String) async throws {
        try await withListener(.init()) { port, _ in
            let hosts = String(repeating: "Host: a\\r\\n", count: count)
            let answer = try await talk(
                port, "GET /hello HTTP/\(version)\\r\\n\(hosts)Connection: close\\r\\n\\r\\n")
            #expect(answer.hasPrefix("HTTP/1.1 \(status)"))
        }
    }

    // MARK: Around the tests

    private func connect(
        _ count: Int, to port: Int, from machine: String
    ) async throws -> [any Channel] {
        try await withThrowingTaskGroup(of: (any Channel).self) { tasks in
            for _ in 0..<count {
                tasks.addTask {
                    try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                        .bind(to: try SocketAddress(ipAddress: machine, port: 0))
                        .connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: port)).get()
                }
            }
            var channels: [any Channel] = []
            for try await channel in tasks { channels.append(channel) }
            return channels
        }
    }

    /// Sends `text` (as printf writes it), and gives what comes until the end, and how that was.
    private func talk(_ port: Int, _ text: String, then more: String? = nil) async throws -> String
    {
        let later = more.map { "head -c 20 <&3; printf '\($0)' >&3; " } ?? ""
        let script =
            "exec 3<>/dev/tcp/127.0.0.1/\(port); printf '\(text)' >&3; \(later)"
            + "timeout 20 cat <&3; echo ended $?"
        return try await bash(script)
    }

    /// The same by `openssl`, which speaks TLS and offers one protocol; without what comes.
    private func talkTLS(_ port: Int, _ name: String, _ text: String) async throws -> String {
        try await bash(
            "printf '\(text)' | timeout 20 openssl s_client -quiet -alpn \(name) -connect 127.0.0.1:\(port) "
                + ">/dev/null 2>&1; echo ended ${PIPESTATUS[1]}")
    }

    private func bash(_ script: String) async throws -> String {
        try await blocking {
            let (process, output) = (Process(), Pipe())
            process.executableURL = URL(filePath: "/bin/bash")
            process.arguments = ["-c", script]
            process.standardOutput = output
            try process.run()
            return String(
                decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        }
    }

    private func withListener(
        _ limits: ConnectionLimits, isSecure: Bool = false,
        _ body: @escaping @Sendable (Int, ConnectionGate) async throws -> Void
    ) async throws {
        let folder = try CertificateFolder()
        let files = isSecure ? try await folder.makeCertificate("a.example") : nil
        let listener = Listener(
            .init(
                host: "127.0.0.1", port: 0, tls: try files.map { try TLSIdentity($0) },
                limits: limits),
            dispatcher: Dispatcher(provider: try await TestProvider.make(), groups: [Hello()]),
            group: MultiThreadedEventLoopGroup.singleton)
        let (ports, ready) = AsyncStream.makeStream(of: Int.self)
        let group = ServiceGroup(
            services: [try listener.service { ready.yield($0) }],
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            for await port in ports {
                try await body(port, listener.gate)
                break
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }
}
