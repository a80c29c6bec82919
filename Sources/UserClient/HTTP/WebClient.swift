// SPDX-License-Identifier: Apache-2.0
import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL

/// Asks servers over HTTP and reads their answers whole, within limits. Follows no redirect: each
/// caller says where its messages may go.
package final class WebClient: Sendable {
    package struct Answer: Sendable {
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

    /// The answer was longer than the limit.
    package struct TooLong: Error {
        package init() {}
    }

    /// The exchange was not over in time.
    package struct TooSlow: Error {
        package init() {}
    }

    private let client: HTTPClient

    /// - Parameter trustedCertificates: path of a PEM file to trust instead of the system's
    ///   authorities.
    package convenience init(trustedCertificates: String? = nil) {
        self.init(trustRoots: trustedCertificates.map { .file($0) }, proxy: nil)
    }

    /// Whether a file is of use as `trustedCertificates`: without asking, a connection says that it is not, when
    /// there is one.
    package static func holdsCertificates(_ path: String) -> Bool {
        (try? NIOSSLCertificate.fromPEMFile(path))?.isEmpty == false
    }

    /// - Parameters:
    ///   - pins: authorities in PEM, which are trusted instead of the system's. Empty: the system's.
    ///   - proxy: that https is tunnelled through (RFC 9110 section 9.3.6).
    package convenience init(pins: [String], proxy: (host: String, port: Int)?) throws {
        let authorities = try pins.flatMap { try NIOSSLCertificate.fromPEMBytes(Array($0.utf8)) }
        self.init(
            trustRoots: pins.isEmpty ? nil : .certificates(authorities),
            proxy: proxy.map { .server(host: $0.host, port: $0.port) })
    }

    /// For one machine of a name: connections to that host go to that address, whatever the name
    /// leads to. The certificate is the host's all the same.
    ///
    /// - Parameters:
    ///   - host: as it stands in the URL.
    ///   - trustedCertificates: path of a PEM file to trust instead of the system's authorities.
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
        // Who asks is told at once that nobody listens, instead of waiting for somebody who might.
        configuration.connectionPool.retryConnectionEstablishment = false
        if let trustRoots {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = trustRoots
            configuration.tlsConfiguration = tls
        }
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    /// Whether the port of an address, where it names one, is one that there can be. The library
    /// below traps on others.
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
    ///   - limit: longest answer in bytes.
    ///   - seconds: for the whole exchange.
    package func send(
        _ method: String, _ url: String, headers: [(String, String)] = [], body: [UInt8]? = nil,
        limit: Int = 1024 * 1024, seconds: Int64 = 60
    ) async throws -> Answer {
        guard Self.hasPort(url) else { throw HTTPClientError.invalidURL }
        var request = HTTPClientRequest(url: url)
        request.method = .RAW(value: method)
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        if let body { request.body = .bytes(body) }
        let prepared = request
        // The client's own limit ends with the head; a body may drip for ever.
        return try await withThrowingTaskGroup(of: Answer.self) { group in
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

    private func exchange(_ request: HTTPClientRequest, limit: Int) async throws -> Answer {
        let response = try await client.execute(request, deadline: .distantFuture)
        var bytes: [UInt8] = []
        for try await part in response.body {
            guard bytes.count + part.readableBytes <= limit else { throw TooLong() }
            bytes.append(contentsOf: part.readableBytesView)
        }
        var fields: [String: String] = [:]
        for (name, value) in response.headers { fields[name.lowercased()] = value }
        return Answer(
            status: Int(response.status.code), headers: fields, body: bytes,
            cookies: response.headers["set-cookie"])
    }

    /// The client is kept by its own shutting down until its connections are closed.
    deinit { client.shutdown { _ in } }
}
