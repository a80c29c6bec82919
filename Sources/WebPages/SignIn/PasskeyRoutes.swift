// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import JOSE
import OAuth
import Primitives
import ProviderCore
import ProviderPeople
import ProviderTokens
import Storage

/// The WebAuthn ceremonies as JSON, for pages' scripts and for apps.
///
/// Options answer `{"ceremony":…,"publicKey":…}`; what the authenticator says goes to `verify` as
/// `{"ceremony":…,"credential":…}`, which answers `{"location":…}` and the session cookie.
/// Only JSON from our own pages is read: another site's page cannot send that content type
/// without asking first, and is told no.
struct PasskeyRoutes: HTTPRouteGroup {
    let pages: Pages

    func routes() -> [HTTPRoute] {
        [
            json("/webauthn/registration/options") { try await registrationOptions($0, $1) },
            json("/webauthn/registration/verify") { try await register($0, $1) },
            json("/webauthn/sign-in/options") { try await signInOptions($0, $1) },
            json("/webauthn/sign-in/verify") { try await signIn($0, $1) },
            json("/webauthn/unregister") { try await unregister($0, $1) },
        ]
    }

    private func registrationOptions(
        _ visit: PageContext, _ body: JSONObject
    ) async throws -> ServerResponse {
        let context = visit.context
        let kind = body["kind"]?.string.flatMap(PasskeyOptions.Kind.init) ?? .passkey
        let outcome: Result<PasskeyOptions, Refusal>
        if let token = body["reregister"]?.string {
            outcome = try await oneTimeLink(token, in: context).options(token: token, kind: kind)
        } else if let username = body["username"]?.string {
            let application = SignUpForm(
                username: username, name: body["name"]?.string ?? "",
                email: body["email"]?.string ?? "", setUpToken: body["setup"]?.string,
                ticket: body["registration"]?.string)
            if try await application.wasAccepted(in: context) {
                // The answer was lost: their passkey is there, and signs them in.
                let refusal = UserFacingRefusal.usernameTaken.refusal(because: "registered before")
                return problem(visit, refusal, place: signInPlace(body))
            }
            outcome = try await PasskeyOptions.register(application, kind: kind, in: context)
        } else if let signedIn = visit.signedIn {
            outcome =
                body["conditional"]?.bool == true
                ? try await PasskeyOptions.offer(for: signedIn, in: context)
                : try await PasskeyOptions.add(for: signedIn, kind: kind, in: context)
        } else {
            outcome = .failure(UserFacingRefusal.signInNeeded.refusal(because: "no session"))
        }
        return answer(visit, outcome)
    }

    private func signInOptions(
        _ visit: PageContext, _ body: JSONObject
    ) async throws -> ServerResponse {
        if let wanted = body["step_up"]?.string.flatMap(ContextClass.init(exactly:)) {
            guard let signedIn = visit.signedIn,
                let options = try await PasskeyOptions.stepUp(
                    for: signedIn, to: wanted, in: visit.context)
            else {
                return problem(
                    visit, UserFacingRefusal.signInNeeded.refusal(because: "no session or no key"))
            }
            return answer(visit, .success(options))
        }
        if let username = body["username"]?.string {
            return answer(
                visit, try await PasskeyOptions.signIn(named: username, in: visit.context))
        }
        return answer(visit, try await PasskeyOptions.signIn(in: visit.context))
    }

    private func answer(
        _ visit: PageContext, _ outcome: Result<PasskeyOptions, Refusal>
    ) -> ServerResponse {
        switch outcome {
        case .success(let options): .json(options.json.bytes)
        case .failure(let refusal): problem(visit, refusal)
        }
    }

    private func register(_ visit: PageContext, _ body: JSONObject) async throws -> ServerResponse {
        let steps = PasskeyRegistration(
            ceremony: body["ceremony"]?.string ?? "", response: body["credential"] ?? .null,
            signedIn: visit.signedIn, isAgain: body["reregister"] != nil,
            isInvited: body["reregister"]?.string.map(Invitation.isToken) ?? false)
        switch try await CeremonyRunner(visit.context).run(steps) {
        case .failure(let refusal): return problem(visit, refusal)
        case .success(let binding):
            guard visit.signedIn?.person.id != binding.person.id else {
                return location(added(visit, body))
            }
            return try await welcome(binding, visit, body)
        }
    }

    private func welcome(
        _ binding: RegistrationBinding, _ visit: PageContext, _ body: JSONObject
    ) async throws -> ServerResponse {
        do {
            let (_, cookie) = try await SessionService(provider: pages.provider).start(
                person: binding.person, factor: binding.factor, tenant: visit.tenant,
                facts: visit.request.facts, replacing: visit.signedIn?.session)
            var response = location(destination(visit, body))
            visit.setSession(cookie, in: &response)
            visit.remember(binding.person, in: &response)
            return response
        } catch let error as StorageError where error.code == .missingParent {
            // The key is registered, but the upstream provider of the person is disabled or
            // unlinked, so that no session can start.
            return problem(
                visit,
                UserFacingRefusal.invalidCredentials.refusal(
                    because: "the upstream provider is disabled or unlinked"))
        }
    }

    private func signIn(_ visit: PageContext, _ body: JSONObject) async throws -> ServerResponse {
        let steps = PasskeySignIn(
            ceremony: body["ceremony"]?.string ?? "", response: body["credential"] ?? .null,
            replacing: visit.signedIn?.session)
        let outcome = try await CeremonyRunner(visit.context).run(steps)
        switch outcome {
        case .failure(let refusal):
            return problem(visit, refusal, unknown: body["credential"]?["id"]?.string)
        case .success(let signIn):
            var response = location(destination(visit, body))
            visit.setSession(signIn.cookie, in: &response)
            visit.remember(signIn.signedIn.person, in: &response)
            return response
        }
    }

    /// `{"credential":…}`, the id that WebAuthn has for it, in base64url.
    private func unregister(_ visit: PageContext, _ body: JSONObject) async throws -> ServerResponse
    {
        guard let signedIn = visit.signedIn else {
            return problem(visit, UserFacingRefusal.signInNeeded.refusal(because: "no session"))
        }
        let id = body["credential"]?.string.flatMap { Base64URL.decode($0) } ?? []
        let changes = AccountService(visit.context, signedIn: signedIn)
        switch try await changes.remove(keyID: id) {
        case .success: return location(visit.prefix + "/account?done=removed")
        case .failure(let refusal): return problem(visit, refusal)
        }
    }

    private func signInPlace(_ body: JSONObject) -> String {
        guard let handle = body["continue"]?.string, Interaction.isHandle(handle)
        else { return "/sign-in" }
        return "/sign-in?continue=\(FormText.encode(handle))"
    }

    private func destination(_ visit: PageContext, _ body: JSONObject) -> String {
        if let handle = body["continue"]?.string, Interaction.isHandle(handle) {
            return "\(visit.prefix)/continue?continue=\(FormText.encode(handle))"
        }
        let next = body["next"]?.string.flatMap(PostSignInPage.init) ?? .account
        return visit.prefix + next.path
    }

    private func added(_ visit: PageContext, _ body: JSONObject) -> String {
        let place = destination(visit, body)
        return place == visit.prefix + PostSignInPage.account.path ? place + "?done=passkey" : place
    }

    private func location(_ path: String) -> ServerResponse {
        .json((["location": .string(path)] as JSONValue).bytes)
    }

    /// Returns the refusal in the language of the person, with a link to a page that must be opened
    /// first.
    ///
    /// - Parameter unknown: The id of a credential that no longer exists. The browser is told to
    ///   delete it (WebAuthn Level 3 section 5.1.10.2).
    private func problem(
        _ visit: PageContext, _ refusal: Refusal, unknown: String? = nil, place: String? = nil
    ) -> ServerResponse {
        var told = refusal
        told.message = visit.language.text(for: refusal)
        var response = Problem.response(
            told, status: SignInPages.status(of: refusal),
            requestID: visit.request.facts.requestID)
        let usual: String? =
            switch UserFacingRefusal(rawValue: refusal.code) {
            case .freshSignInNeeded: "/sign-in?next=passkey&again=1"
            case .signInNeeded: "/sign-in?next=passkey"
            default: nil
            }
        guard var object = try? JSONParser.parseObject(response.body, maximumBytes: 65_536) else {
            return response
        }
        object["location"] = (place ?? usual).map { .string(visit.prefix + $0) }
        if refusal.code == UserFacingRefusal.passkeyUnknown.rawValue, let unknown {
            object["signal"] = CredentialSignals(visit.context).unknown(unknown)
        }
        response.body = JSONValue.object(object).bytes
        return response
    }

    private func json(
        _ pattern: String,
        _ take: @escaping @Sendable (PageContext, JSONObject) async throws -> ServerResponse
    ) -> HTTPRoute {
        HTTPRoute(.post, pattern) { request in
            let id = request.facts.requestID
            guard CSRFProtection.isSameOrigin(request, issuer: pages.provider.issuer) else {
                return Problem.response(
                    .forbidden, code: "cross_origin", message: "Send this from our own pages.",
                    requestID: id)
            }
            guard mediaType(request.headers[.contentType] ?? "") == "application/json" else {
                return Problem.response(
                    .unsupportedMediaType, code: "unsupported_media_type",
                    message: "Send JSON as application/json.", requestID: id)
            }
            guard let query = try? request.queryForm(),
                let body = try? JSONParser.parseObject(
                    request.body, maximumBytes: 65_536, maximumDepth: 16)
            else {
                return Problem.response(
                    .badRequest, code: "invalid_json", message: "The body is not a JSON object.",
                    requestID: id)
            }
            let visit = try await PageContext(
                request, query: query, pages: pages, framed: body["framed"]?.string)
            return try await take(visit, body)
        }
    }
}
