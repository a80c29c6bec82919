// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import Storage
import Testing

@testable import AdminConsole
@testable import HTTPServer
@testable import WebPages

/// Every page of the console is drawn, in both languages, with nothing left to fill in.
@Suite struct ConsoleGalleryTests {
    private let root = "/console/projects/default"

    private func expectWhole(_ answer: Answer, _ path: String) {
        #expect(answer.status == .ok, "\(path)")
        #expect(answer.text.contains("<main id=\"main\">"), "\(path)")
        #expect(!answer.text.contains("{{"), "\(path)")
        // A text that is missing shows as its key.
        let keys = answer.text.matches(of: /console[A-Z][A-Za-z.]+/).map { String($0.output) }
        #expect(keys.isEmpty, "\(path): \(keys)")
        #expect(!answer.text.contains(" style=") && !answer.text.contains(" onclick="), "\(path)")
        #expect(!answer.text.contains("<script"), "\(path)")
        let policy = answer.response.headers[.contentSecurityPolicy] ?? ""
        #expect(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "\(path)")
    }

    @Test("every page is drawn", arguments: ["en", "de"])
    func pages(_ language: String) async throws {
        let house = try await ConsoleHouse()
        try await house.person("bea")
        try await house.client("shop")
        var browser = try await house.administrator(.owner)
        browser.language = language
        let entries = try await entries(&browser)
        _ = try await browser.submit(
            root + "/entitlement-sets/save", ["name": "gold", "entitlements": "{}"])
        _ = try await browser.submit(root + "/groups", ["group": "staff", "person": "bea"])
        _ = try await browser.submit(
            root + "/entitlement-sequences/save", ["name": "trial", "steps": "gold"])
        let parts = ConsoleMenu.parts.map { root + "/" + $0.part }
        for path in ["/console", "/console/administrators", root, "/console/projects/qa"] + parts
            + [
                root + "/people/bea", root + "/people/bea/remove", root + "/people/olga",
                root + "/clients/shop", root + "/clients/shop/remove", root + "/test-keys/sweep",
                "/console/projects/qa/remove", root + "/people?search=nobody",
                root + "/people/bea?done=disabled", root + "/people/bea/details",
                root + "/entitlement-sequences/trial/remove", root + "/groups/staff",
            ] + entries
        {
            expectWhole(try await browser.get(path), path)
        }
    }

    /// Creates one of each kind of resource with a settings page; returns their pages.
    private func entries(_ browser: inout Browser) async throws -> [String] {
        let fingerprint = Array(repeating: "AB", count: 32).joined(separator: ":")
        let made: [(String, String, [String: String])] = [
            ("versions/applications", "a.b", ["id": "a.b"]),
            ("versions/systems", "ios", ["name": "ios"]),
            ("fingerprints/apps", "a.b", ["package": "a.b", "fingerprints": fingerprint]),
            (
                "identity-providers/custom", "club",
                ["id": "club", "url": "https://club.example/gatehouse"]
            ),
            (
                "identity-providers/upstream", "acme",
                [
                    "identifier": "acme", "kind": "oidc", "issuer": "https://acme.example",
                    "client_id": "gatehouse", "token_endpoint_auth_method": "private_key_jwt",
                ]
            ),
        ]
        var pages: [String] = []
        for (place, name, fields) in made {
            let page = "\(root)/\(place)/\(name)"
            let answer = try await browser.submit("\(root)/\(place)/create", fields)
            #expect(answer.location == page + "?done=saved", "\(place)")
            pages += [page, page + "/remove"]
        }
        return pages
    }

    @Test("every text that the console asks for by name is there")
    func texts() throws {
        let texts = try WebResources().translations.languages["en"]?.texts ?? [:]
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Sources/AdminConsole").standardizedFileURL
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".swift") }
        #expect(files.count > 20)
        for file in files {
            let source = try String(
                contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
            // Not what a template is given under a name that only looks like one.
            for match in source.matches(of: /"(console[A-Z][A-Za-z.-]+)"[^:]/) {
                #expect(texts[String(match.output.1)] != nil, "\(match.output.1)")
            }
        }
        for role in Administrator.Role.allCases {
            #expect(texts["consoleRole.\(role.rawValue)"] != nil)
        }
        for kind in Credential.Kind.allCases {
            #expect(texts["consoleCredential.\(kind.rawValue)"] != nil)
        }
        for group in ConsoleMenu.groups { #expect(texts["consoleGroup.\(group.name)"] != nil) }
        for part in ConsoleMenu.parts { #expect(texts["consolePart.\(part.part)"] != nil) }
    }

    @Test("a notice is one of the provider's texts, never text from the URL")
    func notices() async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        for done in ["Send+money", "saved%00", String(repeating: "a", count: 64), "title"] {
            let page = try await browser.get("/console?done=\(done)").text
            #expect(!page.contains("role=\"status\""), "\(done)")
        }
        #expect(try await browser.get("/console?done=saved").text.contains("role=\"status\""))
    }
}
