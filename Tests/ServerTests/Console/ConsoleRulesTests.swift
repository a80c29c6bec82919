// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Primitives
import Storage
import Support
import Testing

@testable import AdminConsole

/// Identity providers, fingerprints, attestation, versions and PINs in the console.
@Suite struct ConsoleRulesTests {
    private let root = "/console/projects/default"
    private static let fingerprint = Array(repeating: "AB", count: 32).joined(separator: ":")

    private func policy(_ house: ConsoleHouse) async throws -> RegistrationPolicy {
        try #require(try await house.store.projects.project(house.home.id)).policy.registration
    }

    private func confirm(
        _ house: ConsoleHouse, _ browser: inout Browser, _ path: String, _ name: String
    ) async throws -> Answer {
        let page = try await browser.get(path)
        return try await browser.submit(
            path, ["seal": try house.seal(page), "confirmation": name])
    }

    @Test("a fingerprint keeps who added it, changes, and outlives them")
    func fingerprints() async throws {
        let house = try await ConsoleHouse()
        // In the owners' own project owners alone add one.
        let root = "/console/projects/qa"
        func policy() async throws -> AndroidAppPolicy {
            try #require(try await house.store.projects.project(house.qa.id)).policy.registration
                .android
        }
        var olga = try await house.administrator(.developer, in: house.qa)
        let made = try await olga.submit(
            root + "/fingerprints/apps/create",
            [
                "kind-of-entry": "apps", "package": "com.example.notes",
                "fingerprints": "\(Self.fingerprint)\r\n",
            ])
        let page = root + "/fingerprints/apps/com.example.notes"
        #expect(made.location == page + "?done=saved")
        let again = try await olga.submit(
            root + "/fingerprints/apps/create",
            ["kind-of-entry": "apps", "package": "com.example.notes", "fingerprints": "x"])
        #expect(again.status == .conflict && again.text.contains("An entry with this name"))
        try await house.store.people.remove(person: house.pages.person("olga").id)
        var pia = try await house.administrator(.projectAdministrator, named: "pia")
        let list = try await pia.get(root + "/fingerprints").text
        #expect(list.contains("com.example.notes") && list.contains("olga"))
        // An administrator who changes it does not become its owner.
        _ = try await pia.get(page)
        let other = Array(repeating: "CD", count: 32).joined(separator: ":")
        _ = try await pia.submit(
            page + "/change", ["fingerprints": "\(Self.fingerprint)\n\(other)"])
        let kept = try await policy().applications
        #expect(kept.map(\.owner) == ["olga"] && kept.first?.fingerprints.count == 2)
        let removed = try await pia.submit(page + "/remove", [:])
        #expect(removed.location == root + "/fingerprints?done=apps")
        #expect(try await policy().applications.isEmpty)
    }

    @Test("the Admin API's refusal is displayed in the form, with its reason")
    func refusal() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        let answer = try await browser.submit(
            root + "/versions/applications/create",
            [
                "kind-of-entry": "applications", "id": "com.example.notes",
                "minimum_version": "two", "update_url": "https://apps.example/notes",
            ])
        #expect(answer.status == .unprocessableContent)
        #expect(answer.text.contains("must be one to four numbers"))
        #expect(answer.text.contains("Nothing was saved."))
        #expect(answer.text.contains("value=\"two\""))
        #expect(answer.text.contains("value=\"https://apps.example/notes\""))
        #expect(try await policy(house).applications.isEmpty)
        let nameless = try await browser.submit(
            root + "/versions/systems/create", ["kind-of-entry": "systems", "name": " "])
        #expect(nameless.status == .conflict && nameless.text.contains("Enter a name"))
    }

    @Test("a version rule is made, changed, emptied and removed")
    func versions() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.projectAdministrator, in: house.home)
        _ = try await browser.submit(
            root + "/versions/applications/create",
            [
                "kind-of-entry": "applications", "id": "com.example.notes",
                "minimum_version": "2.0", "blocked_versions": "2.5.1\n2.5.2",
            ])
        let rule = try #require(try await policy(house).applications.first)
        #expect(rule.minimumVersion == "2.0" && rule.blockedVersions == ["2.5.1", "2.5.2"])
        let page = root + "/versions/applications/com.example.notes"
        #expect(try await browser.get(page).text.contains("2.5.1\n2.5.2"))
        _ = try await browser.submit(
            page + "/change", ["minimum_version": "", "blocked_versions": ""])
        let emptied = try #require(try await policy(house).applications.first)
        #expect(emptied.minimumVersion.isEmpty && emptied.blockedVersions.isEmpty)
        _ = try await browser.get(root + "/versions")
        _ = try await browser.submit(
            root + "/versions/unlisted", ["settings": "unlisted", "listed_applications_only": "1"])
        #expect(try await policy(house).listedApplicationsOnly)
        _ = try await browser.submit(root + "/versions/unlisted", ["settings": "unlisted"])
        #expect(try await !policy(house).listedApplicationsOnly)
        _ = try await browser.submit(page + "/remove", [:])
        #expect(try await policy(house).applications.isEmpty)
    }

    @Test("an identity provider is made, changed without its secret, and removed by its name")
    func upstream() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        let made = try await browser.submit(
            root + "/identity-providers/upstream/create",
            [
                "kind-of-entry": "upstream", "identifier": "acme", "kind": "oidc",
                "issuer": "https://acme.example", "client_id": "gatehouse",
                "secret_client_secret": "very secret", "button_text": "Acme",
                "token_endpoint_auth_method": "client_secret_basic",
            ])
        let page = root + "/identity-providers/upstream/acme"
        #expect(made.location == page + "?done=saved")
        let shown = try await browser.get(page).text
        #expect(shown.contains("/sign-in/with/acme/callback") && !shown.contains("very secret"))
        let first = try #require(
            try await house.store.upstreamProviders.upstreamProvider(
                named: "acme", in: house.home.id))
        #expect(first.isEnabled && first.sealedSecret != nil)
        let changed = try await browser.submit(
            page + "/change",
            [
                "issuer": "https://acme.example", "client_id": "gatehouse",
                "token_endpoint_auth_method": "client_secret_basic", "secret_client_secret": "",
                "claims": "username = login\nname = display", "scopes": "profile\nemail",
                "create_people": "1",
            ])
        #expect(changed.location == page + "?done=saved")
        let second = try #require(
            try await house.store.upstreamProviders.upstreamProvider(
                named: "acme", in: house.home.id))
        #expect(second.sealedSecret == first.sealedSecret && !second.isEnabled)
        #expect(second.settings.claims == ["username": "login", "name": "display"])
        #expect(second.settings.scopes == ["profile", "email"] && second.settings.createsPeople)
        #expect(second.kind == .oidc)
        let slip = try await confirm(house, &browser, page + "/remove", "acne")
        #expect(slip.status == .conflict)
        _ = try await confirm(house, &browser, page + "/remove", "acme")
        #expect(
            try await house.store.upstreamProviders.upstreamProviders(of: house.home.id).isEmpty)
    }

    @Test("PIN rules are changed, and refused when they do not go together")
    func pins() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        var fields = [
            "settings": "pin", "use": "required", "length": "6", "attempts": "3",
            "maximum_repeats": "2", "blocked": "112233",
        ]
        let saved = try await browser.submit(root + "/pin-policy/pin", fields)
        #expect(saved.location == root + "/pin-policy?done=saved")
        let rules = try await policy(house).pin
        #expect(rules.use == "required" && rules.length == 6 && rules.blocked == ["112233"])
        #expect(!rules.allowsSequences)
        for (name, value) in [("length", "many"), ("length", ""), ("blocked", "1"), ("use", "")] {
            _ = try await browser.get(root + "/pin-policy")
            fields[name] = value
            let answer = try await browser.submit(root + "/pin-policy/pin", fields)
            #expect(answer.status == .unprocessableContent, "\(name)")
            #expect(try await policy(house).pin == rules)
            fields["length"] = "6"
            fields["blocked"] = "112233"
            fields["use"] = "required"
        }
    }

    @Test("a vendor's key is taken, kept, and never shown")
    func vendorKeys() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        let pem = try PrivateJWK.generate(for: .es256).pem().revealText()
        var fields = [
            "settings": "apple", "environment": "production", "assertions": "optional",
            "applications": "ABCDE12345.com.example.notes", "device_check_team_id": "ABCDE12345",
            "device_check_key_id": "K1", "secret_device_check_key": pem,
        ]
        let saved = try await browser.submit(root + "/app-registration/apple", fields)
        #expect(saved.location == root + "/app-registration?done=saved")
        let page = try await browser.get(root + "/app-registration").text
        #expect(!page.contains("PRIVATE KEY") && page.contains(">Set<"))
        let kept = try await policy(house).secrets
        fields["secret_device_check_key"] = ""
        _ = try await browser.submit(root + "/app-registration/apple", fields)
        #expect(try await policy(house).secrets == kept && !kept.isEmpty)
    }

    @Test("who may only look sees what holds, and nothing to press")
    func looking() async throws {
        let house = try await ConsoleHouse()
        var owner = try await house.administrator(.owner)
        _ = try await owner.submit(
            root + "/versions/systems/create",
            ["kind-of-entry": "systems", "name": "android", "minimum_version": "12"])
        var browser = try await house.administrator(.auditor, named: "ada")
        for page in ConsoleRulesPage.all {
            let text = try await browser.get("\(root)/\(page.part)").text
            #expect(!text.contains("method=\"post\""), "\(page.part)")
        }
        let rule = try await browser.get(root + "/versions/systems/android").text
        #expect(rule.contains("12") && !rule.contains("method=\"post\""))
        #expect(!rule.contains("data-action=\"remove\""))
    }

    @Test("an entry of another project is not there under one's own")
    func othersEntries() async throws {
        let house = try await ConsoleHouse()
        var owner = try await house.administrator(.owner)
        _ = try await owner.submit(
            root + "/versions/systems/create", ["kind-of-entry": "systems", "name": "android"])
        var browser = try await house.administrator(
            .projectAdministrator, in: house.qa, named: "pia")
        let path = "/console/projects/qa/versions/systems/android"
        for path in [path, path + "/remove"] {
            #expect(try await browser.get(path).status == .notFound)
        }
        _ = try await browser.get("/console/projects/qa")
        for act in ["change", "remove"] {
            #expect(try await browser.submit("\(path)/\(act)", [:]).status == .notFound)
        }
        #expect(try await policy(house).systems.count == 1)
    }

    @Test("encryption keys rotate; one that was rotated out is retired by its name")
    func encryptionKeys() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        let path = root + "/encryption-keys"
        _ = try await browser.get(path)
        let before = try await house.store.encryptionKeys.encryptionKeys(of: house.home.id)
        let rotated = try await browser.submit(path + "/rotate", [:])
        #expect(rotated.location == path + "?done=encryptionRotated")
        let after = try await house.store.encryptionKeys.encryptionKeys(of: house.home.id)
        #expect(before.count == 1 && after.count == 2)
        let old = try #require(before.first)
        let active = try #require(after.first { $0.id != old.id })
        #expect(try await browser.get("\(path)/\(active.id)/retire").status == .notFound)
        let page = try await browser.get("\(path)/\(old.id)/retire")
        let jwk = try JSONParser.parseObject(Array(old.publicJWK.utf8), maximumBytes: 4096)
        let kid = try #require(jwk["kid"]?.string)
        _ = try await browser.submit(
            "\(path)/\(old.id)/retire",
            ["seal": try house.seal(page), "confirmation": kid])
        #expect(
            try await house.store.encryptionKeys.encryptionKeys(of: house.home.id).map(\.id) == [
                active.id
            ])
    }
}
