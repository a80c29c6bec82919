// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Primitives
import Storage
import Support
import Testing

/// Registration, lifetimes of tokens, passkeys and Platform SSO in the console; errors at their fields; undo.
@Suite struct ConsolePolicyTests {
    private let root = "/console/projects/default"

    private func policy(_ house: ConsoleHouse) async throws -> ProjectPolicy {
        try #require(try await house.store.projects.project(house.home.id)).policy
    }

    private static let lives = [
        "settings": "tokens", "access_token_lifetime": "600", "id_token_lifetime": "3600",
        "refresh_token_idle_lifetime": "2592000", "refresh_token_lifetime": "31536000",
        "refresh_grace": "10", "session_lifetime": "43200", "session_idle_lifetime": "14400",
        "code_lifetime": "60", "device_code_lifetime": "600", "device_poll_interval": "5",
    ]

    @Test("lifetimes of tokens are changed, and the last change is taken back")
    func tokens() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.projectAdministrator, in: house.home)
        let before = try await policy(house)
        let path = root + "/token-policy"
        #expect(try await !browser.get(path).text.contains("data-action=\"undo\""))
        let saved = try await browser.submit(path + "/tokens", Self.lives)
        #expect(saved.location == path + "?done=saved")
        #expect(try await policy(house).accessTokenLifetime == 600)
        let page = try await browser.get(path + "?done=saved").text
        #expect(page.contains("data-action=\"undo\"") && page.contains("Access token"))
        let undone = try await browser.submit(path + "/tokens/undo", [:])
        #expect(undone.location == path + "?done=undone")
        #expect(try await policy(house) == before)
        let after = try await browser.get(path).text
        #expect(!after.contains("data-action=\"undo\""))
        #expect(try await browser.submit(path + "/tokens/undo", [:]).status == .conflict)
    }

    @Test(
        "the pages of people and of the project say whether people register, and lead to the switch"
    )
    func registration() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        let path = root + "/registration"
        func fact(_ page: Answer) throws -> String {
            let label = try #require(page.text.firstRange(of: "Allow self-registration</dt>"))
            return String(page.text[label.upperBound...].prefix { $0 != "\n" }.prefix(120))
        }
        for words in ["no", "yes", "no"] {
            var fields = ["settings": "registration", "username_reuse_delay": "31536000"]
            if words == "yes" { fields["self_registration"] = "1" }
            _ = try await browser.get(path)
            let saved = try await browser.submit(path + "/registration", fields)
            #expect(saved.location == path + "?done=saved")
            #expect(try await policy(house).selfRegistration == (words == "yes"))
            for page in ["/people", ""] {
                let link = "<a href=\"\(path)\">\(words)</a>"
                let shown = try fact(try await browser.get(root + page))
                #expect(shown.contains(link), "\(page): \(shown)")
            }
            let register = try await house.pages.browser().opened("/register")
            #expect((register.status == .ok) == (words == "yes"))
        }
        let page = try await browser.get(path).text
        #expect(page.contains("<h1>Registration and sign-in</h1>"))
        #expect(page.contains("name=\"self_registration\""))
        #expect(page.contains("name=\"administrators_need_key\""))
        let lifetimes = try await browser.get(root + "/token-policy").text
        #expect(lifetimes.contains("<h1>Token and session lifetimes</h1>"))
        #expect(!lifetimes.contains("name=\"self_registration\""))
        #expect(!lifetimes.contains("name=\"administrators_need_key\""))
    }

    @Test(
        "the factor policy of administrators is set next to registration, and each form changes its own"
    )
    func administrators() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        let path = root + "/registration"
        let before = try await policy(house)
        _ = try await browser.get(path)
        let saved = try await browser.submit(
            path + "/administrators",
            ["settings": "administrators", "administrators_need_key": "never"])
        #expect(saved.location == path + "?done=saved")
        #expect(try await policy(house).administratorsNeedKey == .never)
        #expect(try await policy(house).selfRegistration == before.selfRegistration)
        _ = try await browser.get(path)
        let undone = try await browser.submit(path + "/administrators/undo", [:])
        #expect(undone.location == path + "?done=undone")
        #expect(try await policy(house) == before)
    }

    @Test("a change is not undone by others, elsewhere, late, or over a newer one")
    func undoRefused() async throws {
        let house = try await ConsoleHouse()
        var olga = try await house.administrator(.owner)
        let path = root + "/token-policy"
        _ = try await olga.submit(path + "/tokens", Self.lives)
        let name = "gatehouse-console-undo"
        let cookie = try #require(olga.cookies[name])
        // Another person, with olga's cookie.
        var pia = try await house.administrator(.owner, named: "pia")
        pia.cookies[name] = cookie
        #expect(try await pia.submit(path + "/tokens/undo", [:]).status == .conflict)
        // Another project, other settings, another seal.
        _ = try await olga.get(path)
        let qa = "/console/projects/qa/token-policy/tokens/undo"
        #expect(try await olga.submit(qa, [:]).status == .conflict)
        #expect(
            try await olga.submit(root + "/webauthn/webauthn/undo", [:]).status == .conflict)
        for wrong in ["", "AAAA", cookie + "A", String(cookie.dropLast(4))] {
            olga.cookies[name] = wrong
            #expect(try await olga.submit(path + "/tokens/undo", [:]).status == .conflict)
        }
        olga.cookies[name] = cookie
        // A newer change of the same setting.
        var newer = Self.lives
        newer["access_token_lifetime"] = "700"
        _ = try await pia.get(path)
        _ = try await pia.submit(path + "/tokens", newer)
        #expect(try await !olga.get(path).text.contains("data-action=\"undo\""))
        #expect(try await olga.submit(path + "/tokens/undo", [:]).status == .conflict)
        #expect(try await policy(house).accessTokenLifetime == 700)
        // Ten minutes later.
        _ = try await olga.submit(path + "/tokens", Self.lives)
        house.pages.clock.advance(by: .seconds(601))
        _ = try await olga.get(path)
        #expect(try await olga.submit(path + "/tokens/undo", [:]).status == .conflict)
        #expect(try await policy(house).accessTokenLifetime == 600)
    }

    @Test(
        "an error is displayed at its field, with the submitted value, and nothing is saved",
        arguments: [
            ("token-policy/tokens", "tokens", "access_token_lifetime", "9", "from 10 to 86400"),
            ("token-policy/tokens", "tokens", "access_token_lifetime", "soon", "whole number"),
            ("token-policy/tokens", "tokens", "session_lifetime", "", "whole number"),
            ("webauthn/webauthn", "webauthn", "attestation_trust", "roots", "requires attestation"),
            ("webauthn/webauthn", "webauthn", "allowed_aaguids", "x", "must be a lowercase AAGUID"),
            ("webauthn/webauthn", "webauthn", "related_origins", "http://x", "must be an origin"),
            ("webauthn/webauthn", "webauthn", "user_verification", "maybe", "must be one of"),
            ("platform-sso/machines", "machines", "login_frequency", "1", "from 3600"),
            ("platform-sso/machines", "machines", "allowed_methods", "wish", "must be one of"),
            ("platform-sso/machines", "machines", "client_id", "", "must have 1 to 255"),
            ("platform-sso/hardware", "hardware", "attestation", "faith", "must be one of"),
            ("platform-sso/cards", "cards", "smart_card_revocation", "never", "must be one of"),
            ("pin-policy/pin", "pin", "blocked", "1", "which does not have"),
        ])
    func wrongFields(
        _ page: String, _ settings: String, _ field: String, _ typed: String, _ reason: String
    ) async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        let before = try await policy(house)
        let part = page.prefix { $0 != "/" }
        var fields = try UntouchedForm.fields(
            of: settings, in: await browser.get("\(root)/\(part)").text)
        fields[field] = typed
        let answer = try await browser.submit("\(root)/\(page)", fields)
        #expect(answer.status == .unprocessableContent)
        let mark = try #require(
            answer.text.firstRange(of: "id=\"\(settings)-\(field)-wrong\">"), "\(field)")
        let words = answer.text[mark.upperBound...].prefix { $0 != "<" }
        #expect(words.contains(reason), "\(words)")
        #expect(answer.text.contains("aria-invalid=\"true\""))
        #expect(answer.text.matches(of: /class="wrong"/).count == 1)
        #expect(try await policy(house) == before)
    }

    @Test("checked boxes are saved, others are removed, and none at all is refused")
    func boxes() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        let page = "\(root)/platform-sso"
        var fields = try UntouchedForm.fields(of: "machines", in: await browser.get(page).text)
        #expect(fields["allowed_methods.password"] == "1")
        fields["allowed_methods.password"] = nil
        fields["allowed_methods.smart_card"] = nil
        fields["allowed_methods.web_login"] = "1"
        fields["allowed_methods.user_key"] = "1"
        fields["enabled"] = "1"
        _ = try await browser.submit(page + "/machines", fields)
        let kept = try await house.store.projects.project(house.home.id)?.policy.platformSSO
            .allowedMethods
        #expect(kept == ["user_key", "web_login"])
        let again = try UntouchedForm.fields(of: "machines", in: await browser.get(page).text)
        #expect(again == fields)
        for method in ["user_key", "web_login"] { fields["allowed_methods.\(method)"] = nil }
        let refused = try await browser.submit(page + "/machines", fields)
        #expect(refused.status == .unprocessableContent)
        #expect(refused.text.contains("id=\"machines-allowed_methods-wrong\""))
    }

    @Test(
        "an unchanged form changes nothing, and offers no undo",
        arguments: [
            "registration/registration", "registration/administrators",
            "token-policy/tokens", "webauthn/webauthn", "platform-sso/machines",
            "platform-sso/hardware", "platform-sso/cards", "platform-sso/token-service",
            "platform-sso/setup-assistant",
            "pin-policy/pin", "app-registration/methods", "app-registration/apple",
            "app-registration/android",
        ])
    func unchanged(_ page: String) async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        let before = try await policy(house)
        let parts = page.split(separator: "/").map(String.init)
        let fields = try UntouchedForm.fields(
            of: parts[1], in: await browser.get("\(root)/\(parts[0])").text)
        #expect(!fields.isEmpty)
        let answer = try await browser.submit("\(root)/\(page)", fields)
        #expect(answer.location == "\(root)/\(parts[0])?done=saved")
        #expect(try await policy(house) == before)
        #expect(browser.cookies["gatehouse-console-undo"] == nil)
    }

    @Test("one form of a page changes nothing of another")
    func parts() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        let path = root + "/platform-sso"
        var fields = try UntouchedForm.fields(of: "machines", in: await browser.get(path).text)
        fields["enabled"] = "1"
        fields["sign_in_groups"] = "staff\nguests"
        _ = try await browser.submit(path + "/machines", fields)
        _ = try await browser.get(path)
        _ = try await browser.submit(
            path + "/setup-assistant",
            ["settings": "setup-assistant", "setup_assistant_team": "", "x": "y"])
        let kept = try await policy(house).platformSSO
        #expect(kept.enabled && kept.signInGroups == ["staff", "guests"])
        #expect(kept.clientID == "platform-sso" && kept.allowedMethods == ["password", "user_key"])
    }

    @Test("the Admin API changes one part of a project's rules, and says what")
    func endpoints() async throws {
        let house = try await AdminHouse()
        let root = "/projects/default"
        let answer = try await house.call(
            .put, root + "/token-policy", body: ["access_token_lifetime": 600])
        #expect(
            answer.body["changes"]?.array?.first?["fields"]?.array?.map { $0["name"] } == [
                "policy.access_token_lifetime"
            ])
        let shown = try await house.call(.get, root + "/token-policy")
        #expect(shown.body["access_token_lifetime"] == 600 && shown.body["code_lifetime"] == 60)
        for (part, body, place) in [
            ("token-policy", ["code_lifetime": 4], "code_lifetime"),
            ("token-policy", ["webauthn": [:]], "webauthn"),
            ("webauthn-policy", ["attestation_trust": "any"], "attestation_trust"),
            ("webauthn-policy", ["algorithms": ["RS1"]], "algorithms"),
            ("platform-sso-policy", ["enabled": true, "allowed_methods": []], "allowed_methods"),
            ("platform-sso-policy", ["allowed_methods": ["smart_card"]], "smart_card_roots"),
            ("platform-sso-policy", ["attestation": ["apple"]], "attestation_apple_roots"),
        ] as [(String, JSONValue, String)] {
            let refused = try await house.call(.put, "\(root)/\(part)", body: body)
            #expect(refused.status == 422, "\(part) \(body.text)")
            #expect(refused.body["errors"]?.array?.map { $0["path"] } == [.string(place)])
        }
        // What was shown may be sent back, and says the same as the document.
        for (part, section) in [
            ("token-policy", "policy"), ("webauthn-policy", "webauthn"),
            ("platform-sso-policy", "platform_sso"),
        ] {
            let shown = try await house.call(.get, "\(root)/\(part)").body
            let back = try await house.call(.put, "\(root)/\(part)", body: shown)
            #expect(back.body["changes"]?.array?.first?["action"] == "unchanged", "\(part)")
            let project = try await house.call(.get, root).body
            #expect(project[section] == shown, "\(section)")
        }
    }
}
