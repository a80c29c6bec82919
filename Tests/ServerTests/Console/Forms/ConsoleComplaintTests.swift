// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import JOSE
import ProviderSettings
import Storage
import Support
import Testing

@testable import AdminConsole
@testable import WebPages

/// What is wrong with a value is said in the reader's language, whatever it is.
@Suite struct ConsoleComplaintTests {
    private let root = "/console/projects/default"

    private func texts(_ language: String) throws -> [String: String] {
        try #require(try WebResources().translations.languages[language]).texts
    }

    /// Sentences that are made of others alone.
    private static let frames: Set<ValidationIssueCode> = [.verbatim, .ofMember]

    @Test("every sentence is there in German, and its English is the Admin API's")
    func sentences() throws {
        let (english, german) = (try texts("en"), try texts("de"))
        for code in ValidationIssueCode.allCases {
            let key = "consoleWrong.\(code.name)"
            #expect(english[key] == code.rawValue, "\(key)")
            let sentence = try #require(german[key], "no German sentence: \(key)")
            #expect(Self.frames.contains(code) || sentence != code.rawValue, "\(key)")
        }
        let keys = Set(ValidationIssueCode.allCases.map { "consoleWrong.\($0.name)" })
        #expect(keys.count == ValidationIssueCode.allCases.count)
        #expect(Set(german.keys.filter { $0.hasPrefix("consoleWrong.") }) == keys)
    }

    @Test("a sentence puts in what it names, and what that brings in is never replaced again")
    func values() {
        let hint = ValidationIssue(.didYouMean, ["name": "{choices}"])
        let complaint = ValidationIssue(
            .notOneOf, ["choices": "a, {hint}", "hint": .complaint(hint)])
        #expect(complaint.english == "must be one of a, {hint}; did you mean \"{choices}\"?")
        #expect(ValidationIssue(.notOneOf).english == "must be one of {choices}{hint}")
        #expect(ValidationIssue(.notKeySet).english == ValidationIssueCode.notKeySet.rawValue)
        #expect(ValidationIssueCode.notRedirectURI.name == "not_redirect_uri")
        #expect(ValidationIssueCode.notOfOAuth.name == "not_of_oauth")
    }

    @Test("the Admin API returns code and parameters in addition to the sentence")
    func wire() async throws {
        let house = try await AdminHouse()
        let answer = try await house.call(
            .put, "/projects/default/token-policy", body: ["code_lifetime": 1])
        let error = try #require(answer.body["errors"]?.array?.first)
        #expect(error["path"] == "code_lifetime" && error["code"] == "not_seconds")
        #expect(error["parameters"] == ["from": "5", "to": "600"])
        #expect(error["message"] == "must be a whole number of seconds from 5 to 600")
    }

    /// Of everything that is English and not German too: the longest piece between two values.
    private static let english: [Substring] = ValidationIssueCode.allCases
        .filter { !frames.contains($0) }
        .compactMap { code in
            code.rawValue.split(whereSeparator: { "{}".contains($0) })
                .max { $0.count < $1.count }.flatMap { $0.count > 7 ? $0 : nil }
        }

    /// Returns the message at the field, if there is one.
    private func words(_ form: String, _ field: String, _ answer: Answer) -> Substring? {
        answer.text.firstRange(of: "id=\"\(form)-\(field)-wrong\">").map {
            answer.text[$0.upperBound...].prefix { $0 != "<" }
        }
    }

    private func expectGerman(_ form: String, _ field: ConsoleField, _ answer: Answer) {
        #expect(answer.status == .unprocessableContent, "\(form) \(field.name)")
        guard let words = words(form, field.formName, answer) else {
            Issue.record("nothing stands at \(form) \(field.name)")
            return
        }
        for piece in Self.english where words.contains(piece) {
            Issue.record("English at \(form) \(field.name): \(words)")
        }
    }

    /// What no member takes that is typed at all.
    private func wrong(_ field: ConsoleField) -> String? {
        if case .flag = field.kind { return nil }
        return "a\u{1}b"
    }

    @Test(
        "every setting that is typed wrongly says so in German",
        arguments: ConsoleRulesPage.all.map(\.part))
    func settings(_ part: String) async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        browser.language = "de"
        let page = try #require(ConsoleRulesPage.all.first { $0.part == part })
        for settings in page.settings {
            for field in settings.fields {
                guard let wrong = wrong(field) else { continue }
                var form = try UntouchedForm.fields(
                    of: settings.name, in: await browser.get("\(root)/\(part)").text)
                form[field.formName] = wrong
                let answer = try await browser.submit("\(root)/\(part)/\(settings.name)", form)
                expectGerman(settings.name, field, answer)
            }
        }
    }

    /// The values that make one of each kind valid, by name.
    private static let valid: [String: [String: String]] = [
        "custom": ["url": "https://club.example/gatehouse"],
        "apps": ["fingerprints": Array(repeating: "AB", count: 32).joined(separator: ":")],
        "upstream": [
            "kind": "oidc", "issuer": "https://acme.example", "client_id": "gatehouse",
            "token_endpoint_auth_method": "private_key_jwt",
        ],
    ]
    private static let names = ["custom": "club", "apps": "a.b", "upstream": "acme"]

    @Test(
        "every member of an entry that is typed wrongly says so in German",
        arguments: ConsoleRulesPage.all.flatMap(\.lists).map(\.kind))
    func entries(_ kind: String) async throws {
        let house = try await ConsoleHouse()
        var browser = try await house.administrator(.owner)
        browser.language = "de"
        let page = try #require(
            ConsoleRulesPage.all.first { $0.lists.contains { $0.kind == kind } })
        let list = try #require(page.lists.first { $0.kind == kind })
        let address = "\(root)/\(page.part)/\(kind)"
        var made = Self.valid[kind] ?? [:]
        made["kind-of-entry"] = kind
        made[list.key] = Self.names[kind] ?? "a.b"
        _ = try await browser.get("\(root)/\(page.part)")
        let entry = try #require(
            try await browser.submit(address + "/create", made).location)
        let place = String(entry.prefix { $0 != "?" })
        for field in list.fields {
            // Whatever is kept as a secret is one.
            if case .secret = field.kind { continue }
            guard let wrong = wrong(field) else { continue }
            _ = try await browser.get(place)
            let answer = try await browser.submit(place + "/change", [field.name: wrong])
            expectGerman("change", field, answer)
        }
    }

    @Test("every claim of a person and every member of a client that is typed wrongly does")
    func details() async throws {
        let house = try await ConsoleHouse()
        try await house.person("bea")
        try await house.client("shop")
        var browser = try await house.administrator(.owner)
        browser.language = "de"
        for (place, fields) in [
            ("/people/bea/details", ConsolePersonDetails.fields),
            ("/clients/shop", ConsoleClientFields.all),
        ] {
            for field in fields {
                guard let wrong = wrong(field) else { continue }
                // Of a secret nothing but its length can be wrong.
                if case .secret = field.kind { continue }
                _ = try await browser.get(root + place)
                let answer = try await browser.submit(
                    root + place + "/change", [field.name: wrong])
                expectGerman("change", field, answer)
            }
        }
    }

    @Test("what is refused as a whole is said in German")
    func codes() throws {
        let texts = try texts("de")
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../../Sources").standardizedFileURL
        // Codes that a form cannot cause.
        let elsewhere: Set<Substring> = [
            "invalid_token", "invalid_query", "unknown_parameter", "unsupported_media_type",
            "no_backup_folder", "invalid_limit", "invalid_keep_secret", "invalid_at_once",
            "rotated_already", "backup_exists", "newer_schema", "invalid_replace",
        ]
        let folders = [
            "AdminEndpoints", "ProviderAdministration/Administrators",
            "ProviderAdministration/Services",
        ]
        let pattern =
            /(?:code: |Refusal\(\s*(?:\.\w+,\s*)?|\.(?:invalid|conflict)\(\s*)"([a-z_]+)"/
        for folder in folders {
            let folder = sources.appendingPathComponent(folder)
            let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
                .filter { $0.hasSuffix(".swift") }
            #expect(!files.isEmpty)
            for file in files {
                let source = try String(
                    contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
                for match in source.matches(of: pattern)
                where !elsewhere.contains(match.output.1) {
                    let code = match.output.1
                    let sentence = texts["consoleRefusal.\(code)"] ?? texts["refusal.\(code)"]
                    #expect(sentence != nil, "\(code)")
                }
            }
        }
    }
}
