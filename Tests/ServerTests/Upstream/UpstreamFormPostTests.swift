// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import OAuth
import Primitives
import ProviderCore
import Storage
import Support
import Testing

@testable import HTTPServer
@testable import WebPages

/// Answers that an upstream provider has had posted.
@Suite struct UpstreamFormPostTests {
    private let house: UpstreamHouse

    init() async throws { house = try await UpstreamHouse(["response_mode": "form_post"]) }

    /// What Acme's page posts: cookies do not come along from another site.
    private func post(
        _ answer: String, to path: String = "/sign-in/with/acme/callback"
    ) async throws -> Answer {
        var stranger = house.pages.browser()
        stranger.fetchSite = "cross-site"
        let body = Array(answer.split(separator: "?")[1].utf8)
        return try await stranger.send(
            .post, path,
            headers: [.contentType: FormParameters.mediaType, .secFetchSite: "cross-site"],
            body: body)
    }

    @Test("It is asked for, and comes in a form; then the browser comes with its cookies")
    func signIn() async throws {
        var browser = house.pages.browser()
        let location = try await house.leave(&browser)
        #expect(location.contains("response_mode=form_post"))
        let answer = try house.acme.authorize(location)
        let posted = try await post(answer)
        #expect(posted.status == .seeOther && posted.response.headers[.setCookie] == nil)
        let next = try #require(posted.location)
        let code = try #require(
            try FormParameters(Array(answer.split(separator: "?")[1].utf8))["code"])
        #expect(!next.contains(code))
        #expect(try await browser.get(next).location == "/account")
        #expect(try await house.signedIn(browser)?.person.username == "anna")
    }

    @Test("A posted answer works once, in the browser that began, for a minute, at its provider")
    func refusals() async throws {
        var browser = house.pages.browser()
        let next = try #require(
            try await post(try house.acme.authorize(try await house.leave(&browser))).location)
        var other = house.pages.browser()
        #expect(try await other.get(next).status == .unprocessableContent)
        try await house.put(identifier: "other")
        let elsewhere = next.replacing("/acme/", with: "/other/")
        #expect(try await browser.get(elsewhere).status == .unprocessableContent)
        #expect(try await browser.get(String(next.dropLast(4))).status == .unprocessableContent)
        #expect(try await house.signedIn(browser) == nil)
        #expect(try await browser.get(next).location == "/account")
        #expect(try await browser.get(next).status == .unprocessableContent)
        var late = house.pages.browser()
        let stale = try #require(
            try await post(try house.acme.authorize(try await house.leave(&late))).location)
        house.pages.clock.advance(by: .seconds(61))
        #expect(try await late.get(stale).status == .unprocessableContent)
        #expect(try await house.signedIn(late) == nil)
    }

    @Test("A denial there is displayed, and a response that is too long is refused")
    func others() async throws {
        var browser = house.pages.browser()
        let answer = try house.acme.authorize(
            try await house.leave(&browser),
            adding: ["iss": UpstreamStub.issuer, "error": "access_denied"])
        let next = try #require(try await post(answer).location)
        let told = try await browser.get(next)
        #expect(told.status == .unprocessableContent && told.text.contains("cancelled"))
        let long = "x?code=" + String(repeating: "a", count: 5000)
        #expect(try await post(long).status == .badRequest)
    }
}
