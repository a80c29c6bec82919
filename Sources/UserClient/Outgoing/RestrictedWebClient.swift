// SPDX-License-Identifier: Apache-2.0
import OAuth
package import Platform
import Synchronization

/// An HTTPS client for servers that a third party names.
///
/// It resolves the name, checks each address against ``OutgoingRequestPolicy``, and connects to the checked
/// address. A later change of the name has no effect, and the client never connects to a forbidden
/// address.
package final class RestrictedWebClient: Sendable {
    /// The policy allows no address of the host.
    package struct NotAllowed: Error, CustomStringConvertible {
        package let host: String
        /// A forbidden address.
        package let address: NetworkAddress
        package var description: String { "\(host) is \(address), which is not allowed" }
    }

    /// A name has no address, or the URL no host.
    package struct NoAddress: Error, CustomStringConvertible {
        package var description: String { "no address" }
    }

    private let rules: OutgoingRequestPolicy
    private let lookups: BoundedHostResolver
    private let trustedCertificates: String?
    private let clients = Mutex<[Endpoint: WebClient]>([:])

    private struct Endpoint: Hashable {
        let host: String
        let address: NetworkAddress
    }

    /// The maximum number of cached clients.
    private static let maximumClients = 32
    /// The maximum number of addresses of one name.
    private static let maximumAddresses = 4

    /// - Parameter trustedCertificates: The path of a PEM file to trust instead of the system's
    ///   authorities.
    package init(
        _ rules: OutgoingRequestPolicy, trustedCertificates: String? = nil,
        lookup: @escaping BoundedHostResolver.Lookup = HostResolver.addresses
    ) {
        self.rules = rules
        self.trustedCertificates = trustedCertificates
        lookups = BoundedHostResolver(lookup)
    }

    /// - Parameters:
    ///   - host: The host as in the URL.
    ///   - limit: The maximum size of the response in bytes.
    ///   - seconds: The timeout of the lookup, and of the exchange with each address.
    /// - Throws: ``NotAllowed``, ``NoAddress``, and the errors of ``ConnectionError``.
    package func send(
        _ method: String, _ url: String, host: String, headers: [(String, String)] = [],
        body: [UInt8]? = nil, limit: Int, seconds: Int64
    ) async throws -> WebClient.Response {
        var last: any Error = NoAddress()
        for address in try await allowedAddresses(of: host, seconds).prefix(Self.maximumAddresses) {
            do {
                return try await client(Endpoint(host: host, address: address)).send(
                    method, url, headers: headers, body: body, limit: limit, seconds: seconds)
            } catch {
                last = error
                // A request that a server may have received is not sent again.
                guard ConnectionError.wasNeverConnected(error) else { break }
            }
        }
        throw last
    }

    private func allowedAddresses(
        of host: String, _ seconds: Int64
    ) async throws -> [NetworkAddress] {
        let found = try await lookups.addresses(of: host, within: .seconds(seconds))
        let allowed = found.filter { rules.allow($0, of: host) }
        guard let first = found.first, allowed.isEmpty else { return allowed }
        throw NotAllowed(host: host, address: first)
    }

    private func client(_ place: Endpoint) -> WebClient {
        clients.withLock { clients in
            if let known = clients[place] { return known }
            // Requests in progress retain their clients.
            if clients.count >= Self.maximumClients { clients.removeAll() }
            let client = WebClient(
                reaching: place.host, at: place.address.description,
                trustedCertificates: trustedCertificates)
            clients[place] = client
            return client
        }
    }
}

extension RestrictedWebClient: WebTransport {
    private static let greatestAnswer = 262_144

    /// `https` only, also to loopback addresses.
    package func answer(to request: WebRequest) async throws -> WebResponse {
        guard let url = RedirectURI(request.url), url.scheme == "https", let host = url.host else {
            throw NoAddress()
        }
        let answer = try await send(
            request.method, request.url, host: host, headers: request.headers, body: request.body,
            limit: Self.greatestAnswer, seconds: 30)
        return WebResponse(status: answer.status, body: answer.body)
    }
}
