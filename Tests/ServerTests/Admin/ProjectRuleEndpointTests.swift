// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import JOSE
import Primitives
import ProviderCore
import Storage
import Testing

/// Parts and lists of a project's rules that are changed by themselves.
@Suite struct ProjectRuleEndpointTests {
    private let house: AdminHouse
    private let root = "/projects/default"

    init() async throws { house = try await AdminHouse() }

    private func policy() async throws -> RegistrationPolicy {
        try #require(try await house.provider.store.projects.project(named: "default")).policy
            .registration
    }

    private func changed(_ answer: AdminHouse.Answer) -> [String] {
        answer.body["changes"]?.array?.first?["fields"]?.array?
            .compactMap { $0["name"]?.string } ?? []
    }

    private func places(_ answer: AdminHouse.Answer) -> [String] {
        answer.body["errors"]?.array?.compactMap { $0["path"]?.string } ?? []
    }

    private static let fingerprint: JSONValue = .string(
        Array(repeating: "AB", count: 32).joined(separator: ":"))

    // MARK: Parts

    @Test("what a body does not name stays, and a second time changes nothing")
    func pin() async throws {
        let answer = try await house.call(
            .put, root + "/pin-policy", body: ["length": 6, "blocked": ["112233"]])
        #expect(answer.status == 200 && changed(answer) == ["registration.pin"])
        #expect(try await policy().pin.length == 6)
        let again = try await house.call(.put, root + "/pin-policy", body: ["attempts": 5])
        #expect(again.body["changes"]?.array?.first?["action"] == "unchanged")
        let shown = try await house.call(.get, root + "/pin-policy")
        #expect(shown.body["length"] == 6 && shown.body["blocked"] == ["112233"])
        #expect(shown.body["use"] == "optional")
    }

    @Test(
        "what does not go together is refused, and nothing is kept",
        arguments: [
            ("pin-policy", ["length": 3]), ("pin-policy", ["length": "six"]),
            ("pin-policy", ["use": "maybe"]), ("pin-policy", ["maximum_repeats": 99]),
            ("pin-policy", ["blocked": ["12"]]), ("pin-policy", ["surprise": 1]),
            ("version-policy", ["listed_applications_only": "yes"]),
            ("version-policy", ["methods": []]),
            ("registration-policy", ["methods": ["magic"]]),
            // A method that is offered has what it needs.
            ("registration-policy", ["methods": ["appAttest"]]),
            ("registration-policy", ["methods": ["keyAttestation"]]),
            ("attestation/apple", ["applications": ["notes"]]),
            ("attestation/apple", ["environment": "sandbox"]),
            ("attestation/apple", ["device_check_key": "no key"]),
            ("attestation/apple", ["device_check_key": 7]),
            ("attestation/apple", ["play_decryption_key": "x"]),
            ("attestation/android", ["minimum_level": "high"]),
            ("attestation/android", ["applications": []]),
            ("attestation/android", ["has_play_decryption_key": "yes"]),
            ("attestation/android", ["play_decryption_key": "c2hvcnQ="]),
        ] as [(String, JSONValue)])
    func refused(part: String, body: JSONValue) async throws {
        let before = try await policy()
        let answer = try await house.call(.put, "\(root)/\(part)", body: body)
        #expect(answer.status == 422 && answer.code == "invalid_state")
        #expect(try await policy() == before)
    }

    @Test("a vendor's key is sealed, never shown, and stays when none is sent")
    func secrets() async throws {
        let key: JSONValue = .string(Base64.encode([UInt8](repeating: 7, count: 32)))
        let path = root + "/attestation/android"
        #expect(try await house.call(.get, path).body["has_play_decryption_key"] == false)
        let answer = try await house.call(.put, path, body: ["play_decryption_key": key])
        #expect(changed(answer) == ["registration.play_decryption_key"])
        #expect(!answer.body.text.contains("BwcH"))
        let shown = try await house.call(.get, path)
        #expect(shown.body["has_play_decryption_key"] == true)
        #expect(shown.body["play_decryption_key"] == nil)
        // What was shown may be sent back.
        let back = try await house.call(.put, path, body: shown.body)
        #expect(back.status == 200)
        let kept = try await policy().secrets
        #expect(kept["play_decryption_key"] != nil)
        #expect(!kept.values.contains { $0.contains("BwcH") })
        let state = try await house.call(.get, "/state")
        #expect(!state.body.text.contains("decryption_key"))
    }

    @Test("a change to one part leaves another that changes at the same moment")
    func parts() async throws {
        async let one = house.call(.put, root + "/pin-policy", body: ["length": 8])
        async let two = house.call(
            .put, root + "/version-policy", body: ["listed_applications_only": true])
        async let three = house.call(.put, root + "/systems/ios", body: ["minimum_version": "15"])
        for answer in try await [one, two, three] { #expect(answer.status == 200) }
        let kept = try await policy()
        #expect(kept.pin.length == 8 && kept.listedApplicationsOnly)
        #expect(kept.systems.map(\.name) == ["ios"])
    }

    // MARK: Lists

    private static let entries: [(list: String, name: String, body: JSONValue)] = [
        ("signing-fingerprints", "com.example.notes", ["fingerprints": [fingerprint]]),
        ("applications", "com.example.notes", ["minimum_version": "2.0"]),
        ("systems", "android", ["blocked_versions": ["13.0.1"]]),
        ("custom-identity-providers", "club", ["url": "https://club.example/gatehouse"]),
    ]

    @Test("an entry is made, shown, listed, replaced wholly and removed", arguments: entries)
    func life(list: String, name: String, body: JSONValue) async throws {
        let path = "\(root)/\(list)/\(name)"
        #expect(try await house.call(.get, path).status == 404)
        #expect(try await house.call(.put, path, body: body).status == 200)
        let shown = try await house.call(.get, path)
        for member in body.object?.members ?? [] {
            #expect(shown.body[member.name] == member.value)
        }
        let again = try await house.call(.put, path, body: shown.body)
        #expect(again.body["changes"]?.array?.first?["action"] == "unchanged")
        let listed = try await house.call(.get, "\(root)/\(list)")
        #expect(listed.body["items"]?.array == [shown.body])
        let state = try await house.call(.get, "/state")
        let plan = try await house.call(.post, "/state/plan", body: state.body)
        #expect(plan.body["changes"]?.array?.allSatisfy { $0["action"] == "unchanged" } == true)
        #expect(try await house.call(.delete, path).status == 204)
        #expect(try await house.call(.delete, path).status == 404)
        #expect(try await house.call(.get, "\(root)/\(list)").body["items"] == [])
        var filter = AuditFilter()
        filter.action = "admin.project.update"
        let events = try await house.provider.store.auditLog.auditEvents(
            filter, before: nil, limit: 10)
        #expect(events.count == 2)
    }

    @Test(
        "an entry that makes no sense is refused at its place",
        arguments: [
            ("applications/notes", "minimum_version", ["minimum_version": 2]),
            ("applications/notes", "minimum_version", ["minimum_version": "2.x"]),
            ("applications/notes", "blocked_versions", ["blocked_versions": [""]]),
            ("applications/notes", "update_url", ["update_url": "javascript:alert(1)"]),
            ("applications/no%20name", "id", [:]), ("systems/iOS", "name", [:]),
            ("systems/ios", "registration_version", ["registration_version": "1"]),
            ("systems/ios", "name", ["name": "android"]),
            ("signing-fingerprints/notes", "package", ["fingerprints": [fingerprint]]),
            ("signing-fingerprints/a.b", "fingerprints", ["fingerprints": ["AB"]]),
            ("signing-fingerprints/a.b", "fingerprints", [:]),
            ("custom-identity-providers/club", "url", ["url": "ftp://club.example"]),
            ("custom-identity-providers/Club", "id", ["url": "https://c.example"]),
            ("custom-identity-providers/club", "url", [:]),
        ] as [(String, String, JSONValue)])
    func misfits(path: String, place: String, body: JSONValue) async throws {
        let before = try await policy()
        let answer = try await house.call(.put, "\(root)/\(path)", body: body)
        #expect(answer.status == 422)
        #expect(places(answer) == [place])
        #expect(try await policy() == before)
    }

    @Test("what an offered method needs cannot be taken away")
    func needed() async throws {
        let path = root + "/signing-fingerprints/com.example.notes"
        _ = try await house.call(.put, path, body: ["fingerprints": [Self.fingerprint]])
        let offered = try await house.call(
            .put, root + "/registration-policy", body: ["methods": ["keyAttestation"]])
        #expect(offered.status == 200)
        let answer = try await house.call(.delete, path)
        #expect(answer.status == 422 && places(answer) == ["registration.android"])
        #expect(try await policy().android.applications.count == 1)
    }

    @Test("lists go on by a cursor of their own, and are whole when nothing is said")
    func pages() async throws {
        let path = root + "/systems"
        for name in ["c", "a", "b"] {
            #expect(try await house.call(.put, "\(path)/\(name)", body: [:]).status == 200)
        }
        let all = try await house.call(.get, path)
        #expect(all.body["items"]?.array?.compactMap { $0["name"]?.string } == ["a", "b", "c"])
        let first = try await house.call(.get, path + "?limit=2")
        let cursor = try #require(first.body["next"]?.string)
        let rest = try await house.call(.get, "\(path)?limit=2&cursor=\(cursor)")
        #expect(rest.body["items"]?.array?.compactMap { $0["name"]?.string } == ["c"])
        #expect(rest.body["next"] == nil)
        let elsewhere = try await house.call(.get, "\(root)/applications?cursor=\(cursor)")
        #expect(elsewhere.code == "invalid_cursor")
    }

    @Test("every list takes the pages that `gatehouse admin` asks for")
    func everyList() async throws {
        for list in [
            "identity-providers", "issuer-keys", "test-keys", "entitlement-sets",
            "entitlement-sequences", "custom-identity-providers", "signing-fingerprints",
            "applications", "systems", "people", "clients", "devices", "registration-tokens",
            "api-tokens",
        ] {
            let answer = try await house.call(.get, "\(root)/\(list)?limit=200")
            #expect(answer.status == 200, "\(list)")
            #expect(answer.body["items"]?.array != nil, "\(list)")
        }
    }

    @Test(
        "what should be a text and is none is refused, not passed over",
        arguments: [
            ("/projects/default/keys/rotate", ["algorithm": [:]]),
            ("/projects/default/test-keys", ["alg": [:]]),
            ("/projects/default/test-keys", ["name": 7]),
            ("/projects/default/test-keys", ["owner": .null]),
        ] as [(String, JSONValue)])
    func noTexts(path: String, body: JSONValue) async throws {
        #expect(try await house.call(.post, path, body: body).status == 422)
    }

    @Test("a role for a project that is no text is not one for every project")
    func administratorScope() async throws {
        _ = try await house.call(.put, "/projects/default/people/anna", body: [:])
        for project in [[:], 7, .null, true, []] as [JSONValue] {
            let answer = try await house.call(
                .put, "/administrators/anna", body: ["role": "owner", "project": project])
            #expect(answer.status == 422 && answer.code == "invalid_project")
        }
        #expect(try await house.call(.get, "/administrators").body["items"] == [])
    }

    @Test("the description says which calls answer 201")
    func statuses() async throws {
        let answer = try await house.call(.get, "/openapi.json")
        let paths = try #require(answer.body["paths"]?.object)
        let project = paths["/projects/{project}"]?["put"]?["responses"]?.object
        #expect(project?["200"] != nil && project?["201"] != nil)
        let backup = paths["/store/backup"]?["post"]?["responses"]?.object
        #expect(backup?["201"] != nil && backup?["200"] == nil)
    }

    @Test("a project that is not there has no rules")
    func elsewhere() async throws {
        for path in ["pin-policy", "attestation/apple", "systems", "systems/ios"] {
            #expect(try await house.call(.get, "/projects/nowhere/\(path)").status == 404)
        }
        for path in ["pin-policy", "systems/ios"] {
            #expect(
                try await house.call(.put, "/projects/nowhere/\(path)", body: [:]).status == 404)
        }
        #expect(try await house.call(.delete, "/projects/nowhere/systems/ios").status == 404)
    }
}
