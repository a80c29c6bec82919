// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOPosix
import NIOSSL

/// A transport that sends each message to one mail server over a new connection.
package struct SMTPTransport: MailTransport {
    private let server: SMTPServer
    private let clientName: String
    private let connectTimeout: TimeAmount
    private let timeout: TimeAmount
    private let tls: NIOSSLContext

    /// - Parameters:
    ///   - clientName: The client's name in EHLO: a host name, or an address literal.
    ///   - trustedCertificates: The path of a PEM file to trust instead of the system's
    ///     authorities.
    ///   - connectTimeout: The timeout of the connection in seconds.
    ///   - timeout: The timeout of the whole transaction in seconds, after the connection.
    package init(
        server: SMTPServer, clientName: String = "[127.0.0.1]",
        trustedCertificates: String? = nil, connectTimeout: Int64 = 10, timeout: Int64 = 30
    ) throws {
        self.server = server
        self.clientName = clientName
        self.connectTimeout = .seconds(connectTimeout)
        self.timeout = .seconds(timeout)
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.certificateVerification = .fullVerification
        if let trustedCertificates { configuration.trustRoots = .file(trustedCertificates) }
        tls = try NIOSSLContext(configuration: configuration)
    }

    package func send(_ message: MailMessage) async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let promise = loop.makePromise(of: Void.self)
        let dialogue = SMTPDialogue(server: server, message: message, clientName: clientName)
        // The handlers are added after the connection: of several attempts (RFC 8305) only one is
        // used. Reading starts after that, because otherwise an immediate greeting of the server
        // would be lost.
        ClientBootstrap(group: loop)
            .connectTimeout(connectTimeout)
            .channelOption(.autoRead, value: false)
            .connect(host: server.host, port: server.port)
            .flatMapThrowing { [server, tls, timeout] channel in
                let pipeline = channel.pipeline.syncOperations
                let makeTLS = { try Self.tlsHandler(tls, server) }
                let handler = SMTPHandler(
                    dialogue: dialogue, promise: promise, timeout: timeout, makeTLS: makeTLS)
                try pipeline.addHandler(handler)
                if server.encryption == .implicit {
                    try pipeline.addHandler(makeTLS(), position: .first)
                }
                try channel.syncOptions?.setOption(.autoRead, value: true)
            }
            .whenFailure { error in promise.fail(SMTPError.connection("\(error)")) }
        try await promise.futureResult.get()
    }

    /// Verifies the certificate against the host's name, or against its address when it has none.
    private static func tlsHandler(
        _ context: NIOSSLContext, _ server: SMTPServer
    ) throws -> NIOSSLClientHandler {
        let isAddress =
            server.host.contains(":") || server.host.allSatisfy { $0.isNumber || $0 == "." }
        return try NIOSSLClientHandler(
            context: context, serverHostname: isAddress ? nil : server.host)
    }
}
