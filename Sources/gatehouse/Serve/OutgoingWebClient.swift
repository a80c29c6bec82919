// SPDX-License-Identifier: Apache-2.0
import IdentityProvider
import UserClient

/// The provider's questions to others, over TLS with the system's authorities: of machines that
/// `OutgoingRules` allow, and of no others.
final class OutgoingWebClient: OutgoingHTTP {
    private let client: JudgedWebClient

    init(
        _ rules: OutgoingRules, lookup: @escaping LimitedLookup.Lookup = HostLookup.addresses
    ) {
        client = JudgedWebClient(rules, lookup: lookup)
    }

    func send(_ request: OutgoingRequest) async throws(OutgoingHTTPError) -> OutgoingAnswer {
        do {
            return OutgoingAnswer(
                try await client.send(
                    request.method, request.address.text, host: request.address.host,
                    headers: request.headers.map { ($0.name, $0.value) }, body: request.body,
                    limit: request.longestAnswer, seconds: request.seconds))
        } catch { throw Self.failure(error, request) }
    }

    private static func failure(
        _ error: any Error, _ request: OutgoingRequest
    ) -> OutgoingHTTPError {
        if let refused = error as? JudgedWebClient.NotAllowed {
            return OutgoingHTTPError(
                .notAllowed,
                "\(refused.host) is \(refused.address), which outgoing-allow does not name")
        }
        return switch ConnectionFailure.kind(of: error) {
        case .tooLong: OutgoingHTTPError(.tooLong, "more than \(request.longestAnswer) bytes")
        case .tooSlow: OutgoingHTTPError(.timedOut, "more than \(request.seconds) seconds")
        case .unreachable:
            OutgoingHTTPError(.unreachable, ConnectionFailure.words(for: error, advice: .system))
        }
    }
}

extension OutgoingAnswer {
    fileprivate init(_ answer: WebClient.Answer) {
        self.init(status: answer.status, headers: answer.headers, body: answer.body)
    }
}
