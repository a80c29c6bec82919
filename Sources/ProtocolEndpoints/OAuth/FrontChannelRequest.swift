// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import OAuth
import ProviderCore

/// What a client sends through a person's browser: the same form by GET and POST, and a page for
/// the person when it cannot be answered.
struct FrontChannelRequest: Sendable {
    /// What is done about parameters that cannot be read: the refusal, once it is on record.
    typealias Unreadable = @Sendable (FormError, ServerRequest) async throws -> Refusal

    let errorPage: Dispatcher.ErrorPage?
    var unreadable: Unreadable = { error, _ in
        Refusal(ErrorCode.invalidRequest, error.message, reason: "form")
    }

    /// Both routes of `path`.
    func routes(
        _ path: String,
        respond: @escaping @Sendable (ServerRequest, FormParameters) async throws -> ServerResponse
    ) -> [HTTPRoute] {
        [
            HTTPRoute(.get, path, bodyLimit: 0) { request in
                let form: FormParameters
                do throws(FormError) { form = try request.queryForm() } catch {
                    return refuse(try await unreadable(error, request), request)
                }
                return try await respond(request, form)
            },
            HTTPRoute(.post, path) { request in
                let form: FormParameters
                do throws(FormError) { form = try request.form() } catch {
                    return refuse(try await unreadable(error, request), request)
                }
                return try await respond(request, form)
            },
        ]
    }

    func refuse(_ refusal: Refusal, _ request: ServerRequest) -> ServerResponse {
        if let errorPage, request.wantsPage { return errorPage(request, .badRequest, refusal) }
        return Problem.response(refusal, requestID: request.facts.requestID)
    }
}
