// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Primitives
import Storage
import Support
import Testing

@testable import WebPages

/// People are made, invited, and come.
@Suite struct ConsoleInvitationTests {
    private let people = "/console/projects/default/people"

    @Test("a person is invited by a link that is displayed once, and accepts with it")
    func invites() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        _ = try await browser.get(people)
        _ = try await browser.submit(people + "/create", ["username": "bea", "name": "Bea"])
        let bea = try await house.pages.person("bea")
        let page = "\(people)/\(bea.id)"
        let sections = try await browser.get(page).text.split(separator: "<h2")
        // The next step of a new account is the first section with a title.
        #expect(sections.count > 2 && sections[1].contains(">Invite<"))
        let shown = try await browser.submit(page + "/invitation", ["mail": "1"])
        let link = try #require(
            shown.text.firstMatch(of: /\/invitation\?token=[A-Za-z0-9_.-]+/)?.output)
        #expect(shown.text.contains("No mail server is set (smtp)."))
        #expect(!(try await browser.get(page).text.contains(link)))
        #expect(try await browser.get(people).text.contains(">invited<"))
        var guest = house.pages.browser("192.0.2.9")
        let asked = try await guest.get(String(link))
        #expect(asked.status == .ok && asked.text.contains("bea"))
        let token = try #require(link.split(separator: "=").last)
        let fields = ["token": String(token), "password": "correct horse battery staple"]
        let short = try await guest.submit(
            "/invitation", ["token": String(token), "password": "short"])
        #expect(short.status == .unprocessableContent && short.text.contains("data-reregister"))
        let come = try await guest.submit("/invitation", fields)
        #expect(come.status == .seeOther)
        #expect(try await guest.get("/account").status == .ok)
        #expect(!(try await browser.get(people).text.contains(">invited<")))
        #expect(try await guest.get(String(link)).status == .notFound)
    }

    @Test("an invitation's link works for as long as was chosen")
    func lifetimes() async throws {
        let house = try await ConsoleHouse()
        try await house.person("bea")
        var browser = try await house.administrator(.owner)
        for days in [1, 7, 30] {
            let page = try await browser.get("\(people)/bea").text
            #expect(page.contains("<option value=\"\(days)\""))
            _ = try await browser.submit("\(people)/bea/invitation", ["days": "\(days)"])
            let end = try await house.pages.person("bea").invitedUntil
            #expect(end == house.pages.clock.now + .days(Int64(days)))
        }
        let wrong = try await browser.submit("\(people)/bea/invitation", ["days": "31"])
        #expect(wrong.status == .unprocessableContent)
    }

    @Test(
        "a first password is displayed once, and must be changed; the right is that of a recovery link"
    )
    func firstPassword() async throws {
        let house = try await ConsoleHouse()
        let bea = try await house.person("bea")
        let page = "\(people)/\(bea.id)"
        var support = try await house.administrator(.support, named: "sam")
        #expect(try await !support.get(page).text.contains("/first-password"))
        #expect(try await support.submit(page + "/first-password", [:]).status == .forbidden)
        var browser = try await house.administrator(.owner)
        #expect(try await browser.get(page).text.contains("Set first password"))
        let shown = try await browser.submit(page + "/first-password", [:])
        let found = shown.text.firstMatch(of: /(?:[a-z2-9]{5}-){3}[a-z2-9]{5}/)
        let password = String(try #require(found?.output))
        let after = try await browser.get(page).text
        #expect(!after.contains(password) && after.contains("must be changed"))
        var guest = house.pages.browser("192.0.2.9")
        _ = try await guest.get("/sign-in")
        let asked = try await guest.submit(
            "/sign-in", ["username": "bea@example.com", "password": password])
        #expect(asked.text.contains("name=\"ticket\""))
    }

    @Test("an invitation is withdrawn, sent again, and its end is in the list")
    func withdraws() async throws {
        let house = try await ConsoleHouse()
        try await house.person("bea")
        var browser = try await house.administrator(.owner)
        let page = "\(people)/bea"
        _ = try await browser.get(page)
        _ = try await browser.submit(page + "/invitation", [:])
        #expect(try await browser.get(page).text.contains("Invite again"))
        let gone = try await browser.submit(page + "/invitation/withdraw", [:])
        #expect(gone.location == page + "?done=invitationWithdrawn")
        #expect(!(try await browser.get(people).text.contains(">invited<")))
        let none = try await browser.submit(page + "/invitation/withdraw", [:])
        #expect(none.status == .notFound)
        _ = try await browser.submit(page + "/invitation", [:])
        let bea = try await house.pages.person("bea")
        #expect(bea.invitedUntil == house.pages.clock.now + .days(7))
        var anna = try await house.pages.registered("anna")
        _ = try await anna.get("/account")
        let refused = try await browser.submit("\(people)/anna/invitation", [:])
        #expect(refused.status == .conflict)
    }

    @Test("people are found by surname, by any word of their name and by address")
    func search() async throws {
        let house = try await ConsoleHouse()
        for name in ["anna", "bea", "carla"] { try await house.person(name) }
        var browser = try await house.administrator(.support)
        func found(_ text: String) async throws -> Set<String> {
            let page = try await browser.get("\(people)?search=\(FormText.encode(text))").text
            return Set(["anna", "bea", "carla", "olga"].filter { page.contains(">\($0)</a>") })
        }
        #expect(try await found("Owner") == ["olga"])
        #expect(try await found("person") == ["anna", "bea", "carla"])
        #expect(try await found("Person Bea") == ["bea"])
        #expect(try await found("carla@ex") == ["carla"])
    }
}
