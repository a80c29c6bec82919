// SPDX-License-Identifier: Apache-2.0
import HummingbirdCore
import HummingbirdHTTP2
import Logging
package import NIOCore
import NIOPosix
import ProviderCore
package import ServiceLifecycle

/// The HTTP server of the provider: HTTP/1.1, and with TLS also HTTP/2.
package struct Listener: Sendable {
    package struct Options: Sendable {
        package var host: String
        package var port: Int
        /// `nil` serves plain HTTP: for loopback, or behind a proxy that speaks TLS.
        package var tls: TLSIdentity?
        package var proxies: TrustedProxies
        package var limits: ConnectionLimits

        package init(
            host: String, port: Int, tls: TLSIdentity? = nil, proxies: TrustedProxies = .init(),
            limits: ConnectionLimits = .init()
        ) {
            self.host = host
            self.port = port
            self.tls = tls
            self.proxies = proxies
            self.limits = limits
        }
    }

    private let options: Options
    private let exchange: HTTPRequestHandler
    let gate: ConnectionGate
    private let log: Logger
    private let group: any EventLoopGroup

    package init(
        _ options: Options, dispatcher: Dispatcher, observer: (any RequestObserver)? = nil,
        group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    ) {
        self.options = options
        self.group = group
        log = dispatcher.provider.log
        gate = ConnectionGate(options.limits, proxies: options.proxies)
        exchange = HTTPRequestHandler(
            dispatcher: dispatcher, proxies: options.proxies,
            ids: RequestIDs(random: dispatcher.provider.random), dates: DateHeader(),
            observer: observer)
    }

    /// Returns the service to run. After a graceful shutdown of its `ServiceGroup` it accepts no
    /// connections, and ends after the responses to pending requests.
    ///
    /// - Parameter onReady: Called with the port when the server accepts connections.
    package func service(onReady: @escaping @Sendable (Int) async -> Void) throws -> any Service {
        let listening = StartLatch()
        let server = try server { port in
            listening.open()
            await onReady(port)
        }
        guard let server = server as? any StoppableServer else { return server }
        let (host, port) = (options.host, options.port)
        return ListenerService(server: server, listening: listening) {
            ListenError(host: host, port: port, error: $0)
        }
    }

    /// Checks that the host and port can be bound, early in the start of the process. Throws a
    /// ``ListenError`` if not.
    ///
    /// A client that connects during the check is disconnected at the end of the check and has to
    /// connect again.
    ///
    /// - Parameter whileBound: Runs while the port is bound. For tests.
    package static func check(
        host: String, port: Int, whileBound: () async throws -> Void = {}
    ) async throws {
        // Port 0 selects a free port, which always exists.
        guard port != 0 else { return }
        do {
            let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .serverChannelOption(.autoRead, value: false)
                .bind(host: host, port: port).get()
            try await whileBound()
            try await channel.close().get()
        } catch {
            throw ListenError(host: host, port: port, error: error)
        }
    }

    private func server(
        onReady: @escaping @Sendable (Int) async -> Void
    ) throws -> any Service {
        try builder().buildServer(
            configuration: .init(
                address: .hostname(options.host, port: options.port), backlog: 1024),
            eventLoopGroup: group, logger: Self.quiet(log),
            responder: { [exchange] request, writer, channel in
                try await HTTP2Exchange(exchange: exchange).run(request, writer, channel)
            },
            onServerRunning: { channel in await onReady(channel.localAddress?.port ?? 0) })
    }

    private func builder() throws -> HTTPServerBuilder {
        let http1 = HTTP1ServerChannel(
            exchange: exchange, headLimit: .seconds(options.limits.headSeconds))
        guard let tls = options.tls else {
            return HTTPServerBuilder { [gate] _ in GatedServerChannel(gate: gate, inner: http1) }
        }
        let limits = HTTP1ServerChannel.headerLimits
        var streams = HTTP1Channel.Configuration(idleTimeout: .seconds(60))
        streams.httpDecoder = .init(
            maxHeaderFieldSize: limits.field, maxHeaderListSize: limits.list,
            maxHeaderFieldCount: limits.count)
        let http2 = HTTP2ChannelConfiguration(
            idleTimeout: .seconds(60), gracefulCloseTimeout: .seconds(15),
            streamConfiguration: streams)
        return HTTPServerBuilder { [gate] responder in
            GatedServerChannel(
                gate: gate,
                inner: try SecureServerChannel(
                    tls, http1, HTTP2Channel(responder: responder, configuration: http2)))
        }
    }

    /// Returns the logger without levels below `warning`. Messages of these levels report, for
    /// example, connections that a client broke.
    private static func quiet(_ log: Logger) -> Logger {
        var log = log
        if log.logLevel < .warning { log.logLevel = .warning }
        return log
    }
}
