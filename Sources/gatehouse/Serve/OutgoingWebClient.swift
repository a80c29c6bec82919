// SPDX-License-Identifier: Apache-2.0
import Platform
import ProviderCore
import UserClient

/// The provider's questions to others, over TLS with the system's authorities: of machines that
/// `OutgoingRequestPolicy` allow, and of no others.
final class OutgoingWebClient: OutgoingHTTP {
    private let client: RestrictedWebClient

    init(
        _ rules: OutgoingRequestPolicy,
        lookup: @escaping BoundedHostResolver.Lookup = HostResolver.addresses
    ) {
        client = RestrictedWebClient(rules, lookup: lookup)
    }

    func send(_ request: OutgoingRequest) async throws(OutgoingHTTPError) -> OutgoingResponse {
        do {
            return OutgoingResponse(
                try await client.send(
                    request.method, request.address.text, host: request.address.host,
                    headers: request.headers.map { ($0.name, $0.value) }, body: request.body,
                    limit: request.maximumResponseLength, seconds: request.seconds))
        } catch { throw Self.failure(error, request) }
    }

    private static func failure(
        _ error: any Error, _ request: OutgoingRequest
    ) -> OutgoingHTTPError {
        if let refused = error as? RestrictedWebClient.NotAllowed {
            return OutgoingHTTPError(
                .notAllowed,
                "\(refused.host) is \(refused.address), which outgoing-allow does not name")
        }
        return switch ConnectionError.kind(of: error) {
        case .tooLong:
            OutgoingHTTPError(.tooLong, "more than \(request.maximumResponseLength) bytes")
        case .tooSlow: OutgoingHTTPError(.timedOut, "more than \(request.seconds) seconds")
        case .unreachable:
            OutgoingHTTPError(.unreachable, ConnectionError.words(for: error, advice: .system))
        }
    }
}

extension OutgoingResponse {
    fileprivate init(_ answer: WebClient.Response) {
        self.init(status: answer.status, headers: answer.headers, body: answer.body)
    }
}
