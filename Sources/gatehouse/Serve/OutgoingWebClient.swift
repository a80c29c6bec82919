// SPDX-License-Identifier: Apache-2.0
import IdentityProvider
import UserClient

/// The provider's questions to others, over TLS with the system's authorities.
struct OutgoingWebClient: OutgoingHTTP {
    private let client = WebClient()

    func send(_ request: OutgoingRequest) async throws(OutgoingHTTPError) -> OutgoingAnswer {
        do {
            let answer = try await client.send(
                request.method, request.address.text,
                headers: request.headers.map { ($0.name, $0.value) }, body: request.body,
                limit: request.longestAnswer, seconds: request.seconds)
            return OutgoingAnswer(
                status: answer.status, headers: answer.headers, body: answer.body)
        } catch is WebClient.TooLong {
            throw OutgoingHTTPError(.tooLong, "more than \(request.longestAnswer) bytes")
        } catch is WebClient.TooSlow {
            throw OutgoingHTTPError(.timedOut, "more than \(request.seconds) seconds")
        } catch {
            throw OutgoingHTTPError(.unreachable, "\(error)")
        }
    }
}
