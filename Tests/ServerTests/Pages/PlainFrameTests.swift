// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Primitives
import Support
import Testing

@testable import HTTPServer
@testable import WebPages

/// Error pages that read no session.
@Suite struct PlainFrameTests {
    /// The links of the footer to another language.
    private func links(_ page: Answer) -> [String] {
        page.text.matches(of: #/<a href="([^"]*)" lang="[a-z]+" hreflang/#)
            .map { String($0.1).replacing("&amp;", with: "&") }
    }

    @Test("an error page has links to other languages, and remembers the one that is chosen")
    func links() async throws {
        let house = try await PagesHouse(isWhole: true)
        var browser = house.browser()
        let page = try await browser.get("/nowhere?x=1&lang=xx&y=%C3%A4")
        #expect(page.status == .notFound && page.text.contains("lang=\"en\""))
        #expect(links(page) == ["/nowhere?x=1&y=%C3%A4&lang=de"])
        let german = try await browser.get(try #require(links(page).first))
        #expect(german.status == .notFound && german.text.contains("<html lang=\"de\">"))
        #expect(links(german) == ["/nowhere?x=1&y=%C3%A4&lang=en"])
        #expect(try await browser.get("/elsewhere").text.contains("<html lang=\"de\">"))
        #expect(try await browser.get("/sign-in").text.contains("<html lang=\"de\">"))
    }

    @Test("a refused request of a client has them too, and the language that the client asks for")
    func refusedRequest() async throws {
        let house = try await PagesHouse(isWhole: true)
        var browser = house.browser()
        let address = "/authorize?client_id=unknown&ui_locales=de"
        let page = try await browser.get(address)
        #expect(page.status == .badRequest && page.text.contains("<html lang=\"de\">"))
        #expect(links(page) == [address + "&lang=en"])
        let english = try await browser.get(address + "&lang=en")
        #expect(english.status == .badRequest && english.text.contains("<html lang=\"en\">"))
        let twice = try await browser.get("/authorize?client_id=a&client_id=a")
        #expect(twice.status == .badRequest)
        #expect(links(twice) == ["/authorize?client_id=a&client_id=a&lang=de"])
    }

    @Test(
        "a page about a refused request of a client has no English text in a German browser",
        arguments: [
            ("/authorize", "client_id fehlt"),
            ("/authorize?client_id=unknown", "Diese App ist hier nicht registriert."),
            ("/authorize?client_id=shop&redirect_uri=https://x.example/", "Weiterleitungsadresse"),
            ("/authorize?client_id=a&client_id=a", "Die Anfrage ist ungültig."),
            ("/authorize?client_id=%ff", "Die Anfrage ist ungültig."),
            ("/continue?continue=old", "Diese Anmeldung ist abgelaufen oder schon abgeschlossen."),
            ("/end_session?id_token_hint=x", "Die Anfrage ist ungültig."),
            ("/end_session?client_id=unknown", "Die Anfrage ist ungültig."),
            (
                "/webauthn/sign-in/options",
                "Diese Seite kann nicht auf diese Weise geöffnet werden."
            ),
        ])
    func german(path: String, text: String) async throws {
        let house = try await IssuerPathHouse()
        var browser = house.browser()
        browser.language = "de"
        let page = try await browser.get("/auth" + path)
        #expect(
            page.text.contains("<html lang=\"de\">") && page.text.contains(text), "\(page.text)")
        // The words of every English message of these refusals.
        let main = try #require(page.text.firstMatch(of: #/(?s)<main.*</main>/#)?.0)
        for word in [" is ", " the ", " not ", " must ", "Send ", "Use "] {
            #expect(!main.contains(word), "\(word)")
        }
    }

    @Test("Attack 7: the links of an error page lead to no other host, and contain no markup")
    func otherHost() async throws {
        let house = try await PagesHouse()
        for path in ["//evil.example/", "//evil.example?a=b", #"/\evil.example"#, "///x"] {
            let page = try await house.browser().opened(path)
            #expect(links(page) == ["/?lang=de"], "\(path)")
            #expect(!page.text.contains("evil.example"), "\(path)")
        }
        let marked = try await house.browser().opened(#"/x?"><script>alert(1)</script>"#)
        #expect(!marked.text.contains("<script>"))
        var forger = house.browser()
        forger.fetchSite = "cross-site"
        let forged = try await forger.submit("/sign-in", ["username": "anna"])
        #expect(forged.status == .forbidden)
        #expect(links(forged) == ["/?lang=de"])
    }
}
