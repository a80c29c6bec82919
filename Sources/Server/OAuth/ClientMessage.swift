// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import IdentityProvider
import OAuth

/// A direct request of a client: its form, and who it says it is.
struct ClientMessage: Sendable {
    let form: Form
    let client: PresentedClient

    /// Reads the request and answers it; what cannot be read is refused as RFC 6749 says.
    static func answer(
        _ request: ServerRequest,
        _ respond: (ClientMessage) async throws -> Result<ServerResponse, Refusal>
    ) async throws -> ServerResponse {
        let message: ClientMessage
        do {
            let form = try request.form()
            message = ClientMessage(
                form: form,
                client: try PresentedClient.read(
                    authorization: request.headers[.authorization], form: form.values))
        } catch let error as FormError {
            return OAuthError.invalidRequest(error.message)
        } catch let mistake as PresentedClient.Mistake {
            return refuse(mistake, request)
        }
        switch try await respond(message) {
        case .success(let response): return response
        case .failure(let refusal):
            return OAuthError.response(
                refusal, challenges: message.client.usedAuthorizationHeader)
        }
    }

    private static func refuse(
        _ mistake: PresentedClient.Mistake, _ request: ServerRequest
    ) -> ServerResponse {
        switch mistake {
        case .invalidRequest(let message): OAuthError.invalidRequest(message)
        case .invalidClient(let message):
            OAuthError.response(
                Refusal(ErrorCode.invalidClient, message, reason: message),
                challenges: request.headers[.authorization] != nil)
        }
    }
}
