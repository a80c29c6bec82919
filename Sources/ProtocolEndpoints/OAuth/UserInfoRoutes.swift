// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import ProviderCore
import ProviderTokens

/// `/userinfo`, OpenID Connect Core section 5.3, with the token as RFC 6750 section 2 has it: in
/// the header, or in a posted form; never in the query. With DPoP (RFC 9449) in the header alone.
struct UserInfoRoutes: HTTPRouteGroup {
    let provider: Provider

    func routes() -> [HTTPRoute] {
        [
            HTTPRoute(.get, "/userinfo", origins: .everyone) { try await respond($0) },
            HTTPRoute(.post, "/userinfo", origins: .everyone) { try await respond($0) },
        ]
    }

    private enum Presented {
        case token(PresentedAccessToken)
        case nothing
        case mistake(String)
    }

    private func respond(_ request: ServerRequest) async throws -> ServerResponse {
        switch presented(request) {
        case .nothing:
            var response = ServerResponse(
                status: .unauthorized, headers: [.cacheControl: "no-store"])
            response.headers[.wwwAuthenticate] = BearerChallenge.signIn
            return response
        case .mistake(let message): return OAuthError.invalidRequest(message)
        case .token(let token):
            switch try await UserInfoEndpoint(provider).respond(
                accessToken: token, tenant: request.tenant, facts: request.facts)
            {
            case .success(.claims(let document)): return .json(document)
            case .success(.encrypted(let token)):
                var response = ServerResponse.json(token)
                response.headers[.contentType] = "application/jwt"
                return response
            case .failure(let refusal): return refuse(refusal)
            }
        }
    }

    private func presented(_ request: ServerRequest) -> Presented {
        var tokens: [PresentedAccessToken] = []
        if let header = request.headers[.authorization] {
            guard let token = PresentedAccessToken(authorization: header) else {
                return .mistake("The Authorization header must be Bearer or DPoP.")
            }
            tokens.append(token)
        }
        if request.method == .post,
            request.headers[.contentType].map(mediaType) == FormParameters.mediaType
        {
            do {
                if let token = try request.form()["access_token"] {
                    tokens.append(PresentedAccessToken(token, .bearer))
                }
            } catch {
                return .mistake(error.message)
            }
        }
        guard tokens.count <= 1 else { return .mistake("Send the token in one way only.") }
        return tokens.first.map { .token($0) } ?? .nothing
    }

    private func refuse(_ refusal: Refusal) -> ServerResponse {
        var response = OAuthError.response(refusal)
        response.headers[.wwwAuthenticate] = BearerChallenge.refusal(
            refusal.code, scope: "openid")
        DPoPChallenge.refuse(refusal, &response)
        return response
    }
}
