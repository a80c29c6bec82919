// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Primitives
import ProviderCore
import Storage
import Support
import Testing

/// Refused forms of the account page are displayed again with the submitted values.
@Suite struct PagesRefusedFormTests {
    @Test("a refused name and a refused email address are displayed again")
    func profile() async throws {
        let house = try await PagesHouse(mail: Mailbox())
        var browser = try await house.registered()
        _ = try await browser.get("/account")
        let name = String(repeating: "n", count: 129)
        for (field, value) in [("name", name), ("email", "no-address")] {
            let refused = try await browser.submit("/account/\(field)", [field: value])
            #expect(refused.status == .unprocessableContent, "\(field)")
            #expect(refused.text.contains("value=\"\(value)\""), "\(field)")
        }
    }

    @Test("a refused name of a passkey is displayed again, in its open form")
    func label() async throws {
        let house = try await PagesHouse()
        var browser = try await house.registered()
        let person = try await house.person("anna")
        let key = Credential(
            id: Identifier(now: house.clock.now, random: house.random),
            project: house.project.id, person: person.id, kind: .publicKey,
            externalID: house.random.bytes(32), publicPart: house.random.bytes(77),
            label: "Blue key", assurance: "passkey", createdAt: house.clock.now)
        #expect(try await house.provider.store.credentials.add(key))
        let open = "<details class=\"change\" open>"
        let page = try await browser.get("/account").text
        #expect(page.contains("value=\"Blue key\"") && !page.contains(open))
        let label = String(repeating: "l", count: 65)
        let refused = try await browser.submit(
            "/account/credentials/\(key.id)/rename", ["label": label])
        #expect(refused.status == .unprocessableContent && refused.text.contains(open))
        #expect(refused.text.contains("value=\"\(label)\""))
    }

    @Test("the page for a code names the address again after a wrong code")
    func code() async throws {
        let house = try await PagesHouse(mail: Mailbox())
        var browser = try await house.registered()
        _ = try await browser.get("/account")
        let sent = try await browser.submit("/account/email", ["email": "anna@example.com"])
        let form = try UntouchedForm.fields(to: "/account/email/code", in: sent.text)
        let refused = try await browser.submit(
            "/account/email/code", form.merging(["code": "00000000"]) { $1 })
        #expect(refused.status == .unprocessableContent)
        #expect(refused.text.contains("A code has been sent to anna@example.com."))
    }
}
