// SPDX-License-Identifier: Apache-2.0
package import HTTPServer
import HTTPTypes
package import Primitives
import ProviderCore
package import WebPages

/// A demo app (Shop or Wiki) that signs people in with the provider and displays what it received.
package struct DemoApp: HTTPRouteGroup {
    package struct Settings: Sendable {
        /// `Shop`; in lower case its client_id.
        package var name: String
        /// `http://localhost:8081`, without a trailing slash.
        package var address: String
        package var issuer: String
        package var clientSecret: Secret
        /// The other sample app.
        package var neighbour: (name: String, address: String)

        package init(
            name: String, address: String, issuer: String, clientSecret: Secret,
            neighbour: (name: String, address: String)
        ) {
            self.name = name
            self.address = address
            self.issuer = issuer
            self.clientSecret = clientSecret
            self.neighbour = neighbour
        }

        package var clientID: String { name.lowercased() }
        package var redirectURI: String { address + "/callback" }
        package var postLogoutRedirectURI: String { address + "/" }
    }

    private let settings: Settings
    private let party: OpenIDRelyingParty
    private let visitors = DemoVisitors()
    private let random: any RandomSource
    private let fetch: HTTPFetch
    private let assets: AssetRoutes

    package init(
        _ settings: Settings, web: WebResources, random: any RandomSource,
        fetch: @escaping HTTPFetch
    ) {
        self.settings = settings
        self.random = random
        self.fetch = fetch
        assets = AssetRoutes(web)
        party = OpenIDRelyingParty(
            registration: OpenIDRelyingParty.Registration(
                issuer: settings.issuer, clientID: settings.clientID,
                clientSecret: settings.clientSecret, redirectURI: settings.redirectURI,
                postLogoutRedirectURI: settings.postLogoutRedirectURI),
            fetch: fetch, random: random)
    }

    package func routes() -> [HTTPRoute] {
        assets.routes() + [
            HTTPRoute(.get, "/", bodyLimit: 0) { home($0) },
            HTTPRoute(.get, "/sign-in", bodyLimit: 0) { try await signIn($0) },
            HTTPRoute(.get, "/callback", bodyLimit: 0) { try await callback($0) },
            HTTPRoute(.get, "/pay", bodyLimit: 0) { try await pay($0) },
            HTTPRoute(.get, "/till", bodyLimit: 0) { try await DemoTill(party: party).respond($0) },
            HTTPRoute(.post, "/sign-out") { try await signOut($0) },
        ]
    }

    // Cookies of one host are shared by its ports, so the names must differ.
    private var cookieName: String { "demo-\(settings.clientID)" }

    private func cookie(_ request: ServerRequest) -> String? { request.cookie(cookieName) }

    private func home(_ request: ServerRequest) -> ServerResponse {
        page.home(visitors[cookie(request)]?.arrival)
    }

    private func signIn(_ request: ServerRequest) async throws -> ServerResponse {
        do {
            let (location, pending) = try await party.begin()
            return leave(to: location, request, DemoVisitors.Visitor(pending: pending))
        } catch let refused as OpenIDRelyingParty.Refused {
            return page.refused(refused.reason)
        }
    }

    private func callback(_ request: ServerRequest) async throws -> ServerResponse {
        guard let answer = try? request.queryForm() else {
            return page.refused("The provider's answer cannot be read.")
        }
        let pending = visitors[cookie(request)]?.pending
        do {
            let arrival = try await party.finish(answer, pending: pending, now: request.facts.now)
            let place = pending?.isStepUp == true ? "/pay?answered=1" : "/"
            return leave(
                to: settings.address + place, request, DemoVisitors.Visitor(arrival: arrival))
        } catch let refused as OpenIDRelyingParty.Refused {
            return page.refused(refused.reason)
        }
    }

    /// Requests the till. If the till requires more than the access token, the provider asks the
    /// person once; a refusal of the person is final.
    private func pay(_ request: ServerRequest) async throws -> ServerResponse {
        guard let arrival = visitors[cookie(request)]?.arrival else {
            return .redirect(to: settings.address + "/")
        }
        let answer = try await fetch(
            "GET", settings.address + "/till",
            [("authorization", "Bearer \(arrival.accessToken)")], nil)
        if answer.status == 200 { return page.paid() }
        let isAnswered = (try? request.queryForm())?["answered"] != nil
        guard !isAnswered, let challenge = DemoTill.read(answer.challenge) else {
            return page.refused("Sign in with a passkey or security key first.")
        }
        do {
            let (location, pending) = try await party.begin(answering: challenge)
            return leave(
                to: location, request, DemoVisitors.Visitor(pending: pending, arrival: arrival))
        } catch let refused as OpenIDRelyingParty.Refused {
            return page.refused(refused.reason)
        }
    }

    private func signOut(_ request: ServerRequest) async throws -> ServerResponse {
        let arrival = visitors[cookie(request)]?.arrival
        visitors.forget(cookie(request))
        guard let arrival else { return .redirect(to: settings.address + "/") }
        do {
            return .redirect(to: try await party.signOut(arrival))
        } catch let refused as OpenIDRelyingParty.Refused {
            return page.refused(refused.reason)
        }
    }

    private func leave(
        to location: String, _ request: ServerRequest, _ visitor: DemoVisitors.Visitor
    ) -> ServerResponse {
        var response = ServerResponse.redirect(to: location)
        let fresh = visitors.replace(cookie(request), with: visitor, random: random)
        response.setCookie(cookieName, fresh, isSecure: false)
        return response
    }

    private var page: DemoPage { DemoPage(settings: settings, web: assets.web) }
}
