// SPDX-License-Identifier: Apache-2.0
import Logging
import NIOCore
import NIOPosix
import ProviderCore
import ProviderSupport
import ServiceLifecycle
import Synchronization
import Testing

@testable import HTTPServer

/// Listeners that cannot start, or are stopped while they do.
@Suite(.timeLimit(.minutes(2)))
struct ListenerStartTests {
    private static let rounds = 20

    private let provider: Provider

    init() async throws { provider = try await TestProvider.make() }

    private func service(port: Int = 0) throws -> any Service {
        try Listener(
            .init(host: "127.0.0.1", port: port),
            dispatcher: Dispatcher(provider: provider, groups: [])
        ).service { _ in }
    }

    private func group(_ services: [any Service]) -> ServiceGroup {
        ServiceGroup(
            services: services, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    /// Runs `body` while another process listens on a port.
    private func withTakenPort(_ body: (Int) async throws -> Void) async throws {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        try await body(try #require(channel.localAddress?.port))
        try await channel.close()
    }

    @Test("Checking a port does not leave a concurrent connection waiting")
    func passer() async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let free = try await ServerBootstrap(group: group).bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(free.localAddress?.port)
        try await free.close().get()
        let passer = Mutex<(any Channel)?>(nil)
        try await Listener.check(host: "127.0.0.1", port: port) {
            let channel = try await ClientBootstrap(group: group)
                .connect(host: "127.0.0.1", port: port).get()
            passer.withLock { $0 = channel }
        }
        // Otherwise this waits until the end of the suite.
        let channel = try #require(passer.withLock { $0 })
        try await channel.closeFuture.get()
    }

    @Test("a taken port ends the group with its name, and the other listeners close in order")
    func takenPort() async throws {
        try await withTakenPort { port in
            for round in 0..<Self.rounds {
                var services = [try service(), try service()]
                services.insert(try service(port: port), at: round % 3)
                let error = await #expect(throws: ListenError.self) {
                    try await group(services).run()
                }
                #expect(
                    error?.description
                        == "cannot listen on 127.0.0.1:\(port): Address already in use")
            }
        }
    }

    @Test("a listener that is asked to stop while it starts, stops")
    func stoppedAtOnce() async throws {
        for _ in 0..<Self.rounds {
            let group = group([try service(), try service(), try service()])
            async let running: Void = group.run()
            await group.triggerGracefulShutdown()
            try await running
        }
    }

    @Test("a listener that is cancelled while it starts, stops")
    func cancelledAtOnce() async throws {
        for _ in 0..<Self.rounds {
            let group = group([try service(), try service()])
            let running = Task { try await group.run() }
            running.cancel()
            _ = await running.result
        }
    }

    @Test("an address is tried before anything is begun")
    func check() async throws {
        try await Listener.check(host: "127.0.0.1", port: 0)
        try await withTakenPort { port in
            await #expect(throws: ListenError.self) {
                try await Listener.check(host: "127.0.0.1", port: port)
            }
        }
        let foreign = await #expect(throws: ListenError.self) {
            try await Listener.check(host: "192.0.2.1", port: 4000)
        }
        #expect(foreign?.description.hasPrefix("cannot listen on 192.0.2.1:4000: ") == true)
    }

    @Test("what is asked for before the moment is done when it comes, once")
    func latch() async {
        let latch = StartLatch()
        let (done, doing) = AsyncStream.makeStream(of: Int.self)
        latch.perform { doing.yield(1) }
        latch.perform { doing.yield(2) }
        latch.open()
        latch.open()
        latch.perform { doing.yield(3) }
        doing.finish()
        #expect(await done.reduce(into: []) { $0.append($1) } == [1, 2, 3])
    }
}
