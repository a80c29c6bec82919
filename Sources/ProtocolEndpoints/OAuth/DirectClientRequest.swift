// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import Logging
import OAuth
import ProviderCore
import ProviderTokens

/// A direct request of a client: its form and the client's credentials.
struct DirectClientRequest: Sendable {
    let form: FormParameters
    let client: PresentedClient

    /// Reads the request and responds. A malformed request is refused as RFC 6749 requires. Each
    /// refusal is logged with the named client, for the person who configured it.
    ///
    /// - Parameter what: The kind of request, for the log.
    static func answer(
        _ request: ServerRequest, _ what: String, log: Logger,
        _ respond: (DirectClientRequest) async throws -> Result<ServerResponse, Refusal>
    ) async throws -> ServerResponse {
        let refuse = Refused(request: request, what: what, log: log)
        let message: DirectClientRequest
        do {
            let form = try request.form()
            message = DirectClientRequest(
                form: form,
                client: try PresentedClient.read(
                    authorization: request.headers[.authorization], form: form.values))
        } catch let error as FormError {
            return refuse(
                Refusal(ErrorCode.invalidRequest, error.message, reason: error.message), nil)
        } catch let mistake as PresentedClient.ParseError {
            return refuse(refusal(of: mistake), nil)
        }
        switch try await respond(message) {
        case .success(let response): return response
        case .failure(let refusal): return refuse(refusal, message.client)
        }
    }

    private static func refusal(of mistake: PresentedClient.ParseError) -> Refusal {
        switch mistake {
        case .invalidRequest(let message):
            Refusal(ErrorCode.invalidRequest, message, reason: message)
        case .invalidClient(let message):
            Refusal(ErrorCode.invalidClient, message, reason: message)
        }
    }

    /// The one place where a refusal of a direct request is logged and written.
    private struct Refused {
        let request: ServerRequest
        let what: String
        let log: Logger

        func callAsFunction(_ refusal: Refusal, _ client: PresentedClient?) -> ServerResponse {
            log.info(
                "\(what) refused",
                metadata: [
                    "code": "\(refusal.code)", "reason": "\(refusal.reason)",
                    "client_id": "\(client.map { LogText.bounded($0.clientID) } ?? "-")",
                    "request_id": "\(request.facts.requestID)",
                ])
            return OAuthError.response(
                refusal,
                challenges: client?.usedAuthorizationHeader
                    ?? (request.headers[.authorization] != nil))
        }
    }
}
