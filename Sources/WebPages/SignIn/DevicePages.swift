// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import ProviderCore
import ProviderTokens

/// The page on which a person enters the code of a device, and the consent.
struct DevicePages: HTTPRouteGroup {
    let pages: Pages

    func routes() -> [HTTPRoute] {
        guard let flow = pages.devices else { return [] }
        return [
            pages.page("/device") { visit in
                guard visit.signedIn != nil else {
                    return signIn(visit, code: visit.query["user_code"])
                }
                // A code in the address only fills in the field: a person must press a button.
                return form(visit, code: visit.query["user_code"] ?? savedCode(visit))
            },
            pages.form("/device") { try await receive($0, $1, flow) },
        ]
    }

    /// Redirects to the sign-in. A cookie preserves the code of the URL, so that the person does
    /// not type it.
    private func signIn(
        _ visit: PageContext, code: String?, again: Bool = false
    ) -> ServerResponse {
        var response = visit.redirect(Self.signInPath + (again ? Self.again : ""))
        if let code { saveCode(code, in: &response, visit) }
        return response
    }

    private static let signInPath = "/sign-in?next=device"
    private static let again = "&again=1"

    private func saveCode(_ code: String, in response: inout ServerResponse, _ visit: PageContext) {
        if Self.looksLikeCode(code) {
            response.setCookie(
                visit.cookies.deviceCode, code, isSecure: visit.request.isSecure, maxAge: 600)
        }
    }

    private func savedCode(_ visit: PageContext) -> String {
        visit.request.cookie(visit.cookies.deviceCode).flatMap {
            Self.looksLikeCode($0) ? $0 : nil
        } ?? ""
    }

    /// Whether the text contains only A–Z, a–z and hyphens, because it becomes part of a header.
    private static func looksLikeCode(_ text: String) -> Bool {
        text.utf8.count <= 16
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte & 0xDF)
                    || byte == UInt8(ascii: "-")
            }
    }

    private func form(_ visit: PageContext, code: String, refusal: Refusal? = nil) -> ServerResponse
    {
        visit.render(
            "device", title: visit.text("deviceTitle"), ["code": code], refusal: refusal)
    }

    private func receive(
        _ visit: PageContext, _ form: FormParameters, _ flow: any DeviceFlow
    ) async throws -> ServerResponse {
        let code = form["code"] ?? ""
        guard let signedIn = visit.signedIn else { return signIn(visit, code: code) }
        guard let decision = form["decision"] else {
            switch try await flow.look(code, visit.request) {
            case .failure(let refusal): return self.form(visit, code: code, refusal: refusal)
            case .success(let ask):
                guard !ask.needsFreshSignIn || signedIn.isFresh(at: visit.now) else {
                    return signIn(visit, code: ask.code, again: true)
                }
                return confirm(visit, ask, signedIn)
            }
        }
        let allow = decision == "allow"
        switch try await flow.decide(code, allow: allow, visit.request, signedIn) {
        case .failure(let refusal): return refused(visit, refusal, code: code)
        case .success:
            var response = done(visit, allow: allow)
            response.setCookie(
                visit.cookies.deviceCode, "", isSecure: visit.request.isSecure, maxAge: 0)
            return response
        }
    }

    /// Displays a refusal. After a wrong code the person enters another one. A refusal by the
    /// client's policy has a page; if a stronger factor is sufficient, that page leads to a sign-in
    /// and back to the code.
    private func refused(_ visit: PageContext, _ refusal: Refusal, code: String) -> ServerResponse {
        guard refusal.isOfClientPolicy else { return form(visit, code: "", refusal: refusal) }
        guard refusal.canStepUp else {
            return ErrorPages(pages: pages).authorization(visit, refusal)
        }
        var response = visit.render(
            "message", title: visit.text("stepUpTitle"),
            [
                "heading": visit.text("stepUpTitle"), "lead": visit.language.text(for: refusal),
                "links": [
                    [
                        "href": visit.prefix + Self.signInPath + Self.again,
                        "text": visit.text("stepUpButton"),
                    ]
                ],
                "requestID": visit.request.facts.requestID,
            ], status: .forbidden, here: "/device")
        saveCode(code, in: &response, visit)
        return response
    }

    private func confirm(
        _ visit: PageContext, _ ask: DeviceCodePrompt, _ signedIn: AuthenticatedSession
    ) -> ServerResponse {
        var values = ConsentValues(visit).values(
            ask.client, scopes: ask.scopes, action: "/device",
            heading: visit.text("deviceHeading", ["client": ask.client.name]),
            lead: visit.text("deviceConfirm", ["code": ask.code]), person: signedIn.person)
        values["userCode"] = ask.code
        if !ask.device.isEmpty { values["device"] = ask.device }
        return visit.render("consent", title: visit.text("deviceTitle"), values)
    }

    private func done(_ visit: PageContext, allow: Bool) -> ServerResponse {
        let key = allow ? "deviceAllowed" : "deviceDenied"
        return visit.render(
            "message", title: visit.text(key),
            [
                "good": allow, "heading": visit.text(key), "lead": visit.text("\(key)Lead"),
                "links": [
                    [
                        "href": visit.prefix + "/account", "text": visit.text("homeAccount"),
                        "quiet": true,
                    ]
                ],
            ])
    }
}
