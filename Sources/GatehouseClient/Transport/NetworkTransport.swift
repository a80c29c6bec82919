// SPDX-License-Identifier: Apache-2.0
import UserClient

/// HTTP over the network.
public struct NetworkTransport: HTTPTransport {
    /// A proxy that https is tunnelled through.
    public struct Proxy: Sendable, Hashable, Codable {
        /// Its name or address.
        public var host: String
        /// Its port, 1 to 65,535.
        public var port: Int

        /// A proxy at that place.
        public init(host: String, port: Int) {
            self.host = host
            self.port = port
        }

        /// Whether there can be such a place: the library below traps on a port that is none.
        var isPossible: Bool { !host.isEmpty && (1...65_535).contains(port) }

        static let wanted = "proxy needs a host, and a port of 1 to 65535"
    }

    private let web: WebClient
    private let timeout: Duration

    /// Longest answer that is read, in bytes.
    private static let greatestAnswer = 4_194_304
    /// One day, in seconds.
    private static let greatestTimeout: Int64 = 86_400

    /// - Parameters:
    ///   - pinnedCertificates: Authorities in PEM. With any, only what they have signed is trusted,
    ///     whatever the system trusts. Pin an authority's certificate, not the server's own, which
    ///     changes every few weeks.
    ///   - proxy: The proxy for HTTPS tunnels; with `nil` none.
    ///   - timeout: The limit for a whole request, from one second to one day.
    /// - Throws: ``IdentityError/Code/configurationInvalid`` for certificates that cannot be read,
    ///   and for a proxy that cannot be.
    public init(
        pinnedCertificates: [String] = [], proxy: Proxy? = nil, timeout: Duration = .seconds(30)
    ) throws {
        guard proxy?.isPossible != false else {
            throw IdentityError(.generic, .configurationInvalid, Proxy.wanted)
        }
        do {
            web = try WebClient(
                pins: pinnedCertificates, proxy: proxy.map { ($0.host, $0.port) })
        } catch {
            throw IdentityError(
                .generic, .configurationInvalid, "a pinned certificate cannot be read",
                underlying: error)
        }
        self.timeout = timeout
    }

    /// See ``HTTPTransport``.
    public func response(to request: ResourceRequest) async throws -> ResourceResponse {
        let answer = try await web.send(
            request.method, request.url, headers: request.headers.map { ($0.name, $0.value) },
            body: request.body, limit: Self.greatestAnswer,
            seconds: min(max(1, timeout.components.seconds), Self.greatestTimeout))
        return ResourceResponse(
            status: answer.status, headers: answer.headers, body: answer.body)
    }
}
