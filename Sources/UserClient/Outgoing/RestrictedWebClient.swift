// SPDX-License-Identifier: Apache-2.0
import OAuth
package import Platform
import Synchronization

/// Questions to machines that somebody else has named, over TLS.
///
/// The name is looked up here, each address is held against ``OutgoingRequestPolicy``, and the connection
/// goes to the very address that was allowed: whatever the name leads to a moment later, nobody else
/// is asked, and no connection is begun to an address that is not.
package final class RestrictedWebClient: Sendable {
    /// All addresses of a name are behind walls.
    package struct NotAllowed: Error, CustomStringConvertible {
        package let host: String
        /// One of them.
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
    private let clients = Mutex<[Place: WebClient]>([:])

    private struct Place: Hashable {
        let host: String
        let address: NetworkAddress
    }

    /// So many connections are worth keeping; few others are asked.
    private static let mostPlaces = 32
    /// Of one name.
    private static let mostAddresses = 4

    /// - Parameter trustedCertificates: path of a PEM file to trust instead of the system's
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
    ///   - host: that of the URL, as it stands there.
    ///   - limit: longest answer in bytes.
    ///   - seconds: for the lookup, and again for the exchange with each address.
    /// - Throws: ``NotAllowed``, ``NoAddress``, and what ``ConnectionError`` knows.
    package func send(
        _ method: String, _ url: String, host: String, headers: [(String, String)] = [],
        body: [UInt8]? = nil, limit: Int, seconds: Int64
    ) async throws -> WebClient.Answer {
        var last: any Error = NoAddress()
        for address in try await allowedAddresses(of: host, seconds).prefix(Self.mostAddresses) {
            do {
                return try await client(Place(host: host, address: address)).send(
                    method, url, headers: headers, body: body, limit: limit, seconds: seconds)
            } catch {
                last = error
                // What was heard is never asked twice.
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

    private func client(_ place: Place) -> WebClient {
        clients.withLock { clients in
            if let known = clients[place] { return known }
            // Whoever is asked just now keeps theirs until they have answered.
            if clients.count >= Self.mostPlaces { clients.removeAll() }
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

    /// `https` alone, also on this machine.
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
