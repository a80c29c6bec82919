// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import OAuth
import Primitives
import ProviderCore
import ProviderUpstream
import Storage
import Support
import Testing

@testable import HTTPServer

/// A sign-out here also ends the session at the upstream provider.
@Suite struct UpstreamSignOutTests {
    private let house: UpstreamHouse

    init() async throws {
        house = try await UpstreamHouse()
        house.acme.change {
            $0.metadata["end_session_endpoint"] = .string(UpstreamStub.issuer + "/end")
        }
    }

    /// Out here; gives what the page between leads to, `nil` when there is none.
    private func signOut(_ browser: inout Browser) async throws -> String? {
        _ = try await browser.get("/sign-out")
        let left = try await browser.submit("/sign-out", [:])
        #expect(try await house.signedIn(browser) == nil)
        guard let onward = left.location else { return nil }
        let page = try await browser.get(onward)
        guard page.text.contains("http-equiv=\"refresh\"") else { return nil }
        return try UpstreamHouse.address(in: page)
    }

    @Test("A person of the provider signs out there, with the ID token as the hint, and returns")
    func there() async throws {
        var browser = house.pages.browser()
        _ = try await house.signIn(&browser)
        let address = try #require(try await signOut(&browser))
        #expect(address.hasPrefix(UpstreamStub.issuer + "/end?"))
        let query = try FormParameters(Array(address.split(separator: "?")[1].utf8)).values
        #expect(query["client_id"] == "gatehouse")
        #expect(query["id_token_hint"]?.split(separator: ".").count == 3)
        #expect(
            query["post_logout_redirect_uri"] == PagesHouse.issuer + "/sign-out/with/acme")
        #expect(browser.cookies["gatehouse-upstream"] == nil)
        let state = try #require(query["state"])
        let back = try await browser.get("/sign-out/with/acme?state=\(state)")
        #expect(back.status == .ok && back.text.contains("You are signed out"))
    }

    @Test("The hint is sealed, kept for the pages of signing out alone, and opens nowhere else")
    func cookie() async throws {
        var browser = house.pages.browser()
        let location = try await house.leave(&browser)
        let answer = try await browser.get(UpstreamHouse.path(try house.acme.authorize(location)))
        let cookies = answer.response.headers[values: .setCookie]
        let cookie = try #require(cookies.first { $0.hasPrefix("gatehouse-upstream=") })
        #expect(cookie.contains("; Path=/sign-out;") && cookie.contains("HttpOnly"))
        browser.cookies["gatehouse-upstream"] = "AAAA"
        #expect(try await signOut(&browser) == nil)
    }

    @Test("Another person's hint in the same browser signs no person out")
    func another() async throws {
        var anna = house.pages.browser()
        _ = try await house.signIn(&anna)
        house.acme.change {
            $0.subject = "acme-8"
            $0.claims["preferred_username"] = "bob"
        }
        var bob = house.pages.browser()
        _ = try await house.signIn(&bob)
        bob.cookies["gatehouse-upstream"] = anna.cookies["gatehouse-upstream"]
        #expect(try await signOut(&bob) == nil)
    }

    @Test("Where it offers none, is switched off, or away, one is signed out here at once")
    func nothingThere() async throws {
        for change in ["none", "off", "disabled", "password"] {
            let house = try await UpstreamHouse(change == "off" ? ["sign_out": false] : [:])
            if change != "none" {
                house.acme.change {
                    $0.metadata["end_session_endpoint"] = .string(UpstreamStub.issuer + "/end")
                }
            }
            var browser =
                change == "password"
                ? try await house.pages.registered() : house.pages.browser()
            if change != "password" { _ = try await house.signIn(&browser) }
            if change == "disabled" { try await house.put(["sign_out": false]) }
            _ = try await browser.get("/sign-out")
            let left = try await browser.submit("/sign-out", [:])
            let end = left.location == nil ? left : try await browser.get(left.location ?? "")
            #expect(end.text.contains("You are signed out"), "\(change)")
            #expect(try await house.signedIn(browser) == nil, "\(change)")
        }
    }

    @Test("A redirect to a URL from a link is refused")
    func openRedirect() async throws {
        var browser = house.pages.browser()
        for state in ["https://evil.example/", "e30", ""] {
            for path in ["/sign-out/with/acme?state=", "/sign-out/onward?state="] {
                let answer = try await browser.get(path + FormEncoding.encode(state))
                #expect(answer.location == nil && answer.text.contains("You are signed out"))
            }
        }
    }

    @Test("A client's own address waits behind it, for an hour")
    func place() async throws {
        let signOut = UpstreamSignOut(
            house.provider, house.pages.tenant, now: house.pages.clock.now)
        var browser = house.pages.browser()
        _ = try await house.signIn(&browser)
        let person = try #require(try await house.signedIn(browser)).person.id
        let journey = UpstreamSignOut.Journey(person: person, place: "https://shop.example/bye")
        let state = try signOut.state(of: journey)
        #expect(signOut.journey(in: state) == journey)
        let there = try await browser.get("/sign-out/onward?state=\(state)")
        #expect(there.text.contains("http-equiv=\"refresh\""))
        let back = try await browser.get("/sign-out/with/acme?state=\(state)")
        #expect(back.location == "https://shop.example/bye")
        house.pages.clock.advance(by: .minutes(61))
        let late = try await browser.get("/sign-out/with/acme?state=\(state)")
        #expect(late.location == nil)
    }
}
