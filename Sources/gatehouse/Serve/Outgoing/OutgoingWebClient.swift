// SPDX-License-Identifier: Apache-2.0
import IdentityProvider
import Synchronization
import UserClient

/// The provider's questions to others, over TLS with the system's authorities.
///
/// The name is looked up here, each address is held against ``OutgoingRules``, and the connection
/// goes to the very address that was allowed: whatever the name leads to a moment later, nobody else
/// is asked, and no connection is begun to an address that is not.
final class OutgoingWebClient: OutgoingHTTP {
    private let rules: OutgoingRules
    private let lookups: LimitedLookup
    private let clients = Mutex<[Place: WebClient]>([:])

    private struct Place: Hashable {
        let host: String
        let address: NetworkAddress
    }

    /// So many connections are worth keeping; a provider asks few others.
    private static let mostPlaces = 32
    /// Of one name.
    private static let mostAddresses = 4

    init(
        _ rules: OutgoingRules, lookup: @escaping LimitedLookup.Lookup = HostLookup.addresses
    ) {
        self.rules = rules
        lookups = LimitedLookup(lookup)
    }

    func send(_ request: OutgoingRequest) async throws(OutgoingHTTPError) -> OutgoingAnswer {
        let host = request.address.host
        let allowed = try await allowedAddresses(of: host, for: request)
        var last: any Error = OutgoingHTTPError(.unreachable, "no address")
        for address in allowed.prefix(Self.mostAddresses) {
            do {
                let client = client(Place(host: host, address: address))
                return OutgoingAnswer(try await client.send(request))
            } catch {
                last = error
                // What was heard is never asked twice.
                guard ConnectionFailure.wasNeverConnected(error) else { break }
            }
        }
        throw Self.failure(last, request)
    }

    private func allowedAddresses(
        of host: String, for request: OutgoingRequest
    ) async throws(OutgoingHTTPError) -> [NetworkAddress] {
        let found: [NetworkAddress]
        do {
            found = try await lookups.addresses(of: host, within: .seconds(request.seconds))
        } catch { throw Self.failure(error, request) }
        let allowed = found.filter { rules.allow($0, of: host) }
        guard let first = found.first, allowed.isEmpty else { return allowed }
        throw OutgoingHTTPError(
            .notAllowed, "\(host) is \(first), which outgoing-allow does not name")
    }

    private func client(_ place: Place) -> WebClient {
        clients.withLock { clients in
            if let known = clients[place] { return known }
            // Whoever is asked just now keeps theirs until they have answered.
            if clients.count >= Self.mostPlaces { clients.removeAll() }
            let client = WebClient(reaching: place.host, at: place.address.description)
            clients[place] = client
            return client
        }
    }

    private static func failure(
        _ error: any Error, _ request: OutgoingRequest
    ) -> OutgoingHTTPError {
        if let known = error as? OutgoingHTTPError { return known }
        return switch ConnectionFailure.kind(of: error) {
        case .tooLong: OutgoingHTTPError(.tooLong, "more than \(request.longestAnswer) bytes")
        case .tooSlow: OutgoingHTTPError(.timedOut, "more than \(request.seconds) seconds")
        case .unreachable: OutgoingHTTPError(.unreachable, ConnectionFailure.words(for: error))
        }
    }
}

extension WebClient {
    fileprivate func send(_ request: OutgoingRequest) async throws -> Answer {
        try await send(
            request.method, request.address.text,
            headers: request.headers.map { ($0.name, $0.value) }, body: request.body,
            limit: request.longestAnswer, seconds: request.seconds)
    }
}

extension OutgoingAnswer {
    fileprivate init(_ answer: WebClient.Answer) {
        self.init(status: answer.status, headers: answer.headers, body: answer.body)
    }
}
