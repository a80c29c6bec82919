// SPDX-License-Identifier: Apache-2.0
import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL

/// An HTTP client that reads whole responses within limits. It follows no redirect, because each
/// caller decides about its destinations.
package final class WebClient: Sendable {
    package struct Response: Sendable {
        package var status: Int
        /// Lower-case names; of repeated fields the last.
        package var headers: [String: String]
        package var body: [UInt8]
        /// Every `Set-Cookie`, in order.
        package var cookies: [String]

        package init(
            status: Int, headers: [String: String], body: [UInt8], cookies: [String] = []
        ) {
            self.status = status
            self.headers = headers
            self.body = body
            self.cookies = cookies
        }
    }

    /// The response was longer than the limit.
    package struct TooLong: Error {
        package init() {}
    }

    /// The exchange did not end in time.
    package struct TooSlow: Error {
        package init() {}
    }

    private let client: HTTPClient

    /// - Parameter trustedCertificates: The path of a PEM file to trust instead of the system's
    ///   authorities.
    package convenience init(trustedCertificates: String? = nil) {
        self.init(trustRoots: trustedCertificates.map { .file($0) }, proxy: nil)
    }

    /// Whether a file is usable as `trustedCertificates`. A connection reports an unusable file
    /// only when it is made.
    package static func holdsCertificates(_ path: String) -> Bool {
        (try? NIOSSLCertificate.fromPEMFile(path))?.isEmpty == false
    }

    /// - Parameters:
    ///   - pins: The trusted authorities in PEM instead of the system's. Empty: the system's.
    ///   - proxy: The proxy that tunnels https (RFC 9110 section 9.3.6).
    package convenience init(pins: [String], proxy: (host: String, port: Int)?) throws {
        let authorities = try pins.flatMap { try NIOSSLCertificate.fromPEMBytes(Array($0.utf8)) }
        self.init(
            trustRoots: pins.isEmpty ? nil : .certificates(authorities),
            proxy: proxy.map { .server(host: $0.host, port: $0.port) })
    }

    /// Creates a client for one server of a name: connections to that host use that IP address
    /// instead of name resolution. The certificate must match the host.
    ///
    /// - Parameters:
    ///   - host: The host as in the URL.
    ///   - trustedCertificates: The path of a PEM file to trust instead of the system's
    ///     authorities.
    package convenience init(
        reaching host: String, at address: String, trustedCertificates: String? = nil
    ) {
        self.init(
            trustRoots: trustedCertificates.map { .file($0) }, proxy: nil, places: [host: address])
    }

    private init(
        trustRoots: NIOSSLTrustRoots?, proxy: HTTPClient.Configuration.Proxy?,
        places: [String: String] = [:]
    ) {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: .init(connect: .seconds(10), read: .seconds(60)))
        configuration.proxy = proxy
        configuration.dnsOverride = places
        // The caller receives a connection error at once instead of after retries.
        configuration.connectionPool.retryConnectionEstablishment = false
        if let trustRoots {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = trustRoots
            configuration.tlsConfiguration = tls
        }
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    /// Whether the port of a URL, if present, is possible. The HTTP library traps on others.
    package static func hasPort(_ url: String) -> Bool {
        guard let start = url.firstRange(of: "://")?.upperBound else { return true }
        let authority = url[start...].prefix { !"/?#\\".contains($0) }
        let host = authority.lastIndex(of: "]") ?? authority.lastIndex(of: "@")
        let rest = authority[(host ?? authority.startIndex)...]
        guard let colon = rest.lastIndex(of: ":") else { return true }
        let port = rest[rest.index(after: colon)...]
        return port.isEmpty || UInt16(port) != nil
    }

    /// - Parameters:
    ///   - limit: The maximum size of the response in bytes.
    ///   - seconds: The timeout of the whole exchange.
    package func send(
        _ method: String, _ url: String, headers: [(String, String)] = [], body: [UInt8]? = nil,
        limit: Int = 1024 * 1024, seconds: Int64 = 60
    ) async throws -> Response {
        guard Self.hasPort(url) else { throw HTTPClientError.invalidURL }
        var request = HTTPClientRequest(url: url)
        request.method = .RAW(value: method)
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        if let body { request.body = .bytes(body) }
        let prepared = request
        // The client's timeout ends with the head, and a body may arrive slowly without limit.
        return try await withThrowingTaskGroup(of: Response.self) { group in
            group.addTask { try await self.exchange(prepared, limit: limit) }
            group.addTask {
                try await Task.sleep(for: .seconds(seconds))
                throw TooSlow()
            }
            defer { group.cancelAll() }
            guard let answer = try await group.next() else { throw CancellationError() }
            return answer
        }
    }

    private func exchange(_ request: HTTPClientRequest, limit: Int) async throws -> Response {
        let response = try await client.execute(request, deadline: .distantFuture)
        var bytes: [UInt8] = []
        for try await part in response.body {
            guard bytes.count + part.readableBytes <= limit else { throw TooLong() }
            bytes.append(contentsOf: part.readableBytesView)
        }
        var fields: [String: String] = [:]
        for (name, value) in response.headers { fields[name.lowercased()] = value }
        return Response(
            status: Int(response.status.code), headers: fields, body: bytes,
            cookies: response.headers["set-cookie"])
    }

    /// The shutdown retains the client until its connections are closed.
    deinit { client.shutdown { _ in } }
}
