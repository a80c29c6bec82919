// SPDX-License-Identifier: Apache-2.0
import Foundation
import PasswordHashing
import Primitives
import ProviderCore
import Storage
import Support
import Testing

@testable import WebPages

@Suite struct PagesTranslationTests {
    private let web: WebResources

    init() throws { web = try WebResources() }

    @Test("there are English and German, and each has every text of the other")
    func complete() {
        let languages = web.translations.languages
        #expect(Set(languages.keys).isSuperset(of: ["en", "de"]))
        let keys = Set(languages["en"]?.texts.keys.map { $0 } ?? [])
        for (code, language) in languages {
            #expect(Set(language.texts.keys) == keys, "\(code)")
            #expect(language.texts.values.allSatisfy { !$0.isEmpty }, "\(code)")
        }
    }

    @Test("every text has the same values to fill in, in every language")
    func placeholders() {
        let english = web.translations.languages["en"]?.texts ?? [:]
        func values(_ text: String) -> Set<Substring> {
            Set(
                text.split(separator: "{", omittingEmptySubsequences: false).dropFirst()
                    .compactMap { $0.split(separator: "}").first })
        }
        for language in web.translations.languages.values {
            for (key, text) in language.texts where key != "date" {
                #expect(values(text) == values(english[key] ?? ""), "\(language.code) \(key)")
            }
        }
    }

    @Test("every text that a template asks for is there, and every template's partial too")
    func templates() {
        let texts = web.translations.languages["en"]?.texts ?? [:]
        for (name, template) in web.templates {
            for tag in template.split(separator: "{{").dropFirst() {
                let body = tag.prefix { $0 != "}" }.trimmingPrefix { "#^/&{".contains($0) }
                if body.hasPrefix("t.") {
                    #expect(texts[String(body.dropFirst(2))] != nil, "\(name): \(body)")
                }
                if body.hasPrefix(">") || body.hasPrefix("<") {
                    #expect(web.templates[String(body.dropFirst())] != nil, "\(name): \(body)")
                }
            }
        }
    }

    @Test("every text that the source asks for by name is there")
    func sources() throws {
        let texts = web.translations.languages["en"]?.texts ?? [:]
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Sources/WebPages").standardizedFileURL
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".swift") }
        #expect(files.count > 20)
        for file in files {
            let source = try String(
                contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
            for part in source.components(separatedBy: "text(\"").dropFirst() {
                let key = String(part.prefix { $0 != "\"" })
                guard !key.contains("\\") else { continue }
                #expect(texts[key] != nil, "\(file): \(key)")
            }
        }
    }

    @Test("every refusal that a person can hear has its text")
    func refusals() {
        let texts = web.translations.languages["en"]?.texts ?? [:]
        for refusal in UserFacingRefusal.allCases {
            #expect(texts["refusal.\(refusal.rawValue)"] != nil, "\(refusal)")
        }
        for refusal in PasswordRefusal.allCases {
            #expect(texts["refusal.\(refusal.rawValue)"] != nil, "\(refusal)")
        }
    }

    @Test("a refusal whose code has no text is told in the language of the page by its message")
    func refusalMessages() throws {
        let german = try #require(web.translations.languages["de"])
        func told(_ message: String) -> String {
            german.text(for: Refusal("invalid_request", message, reason: ""))
        }
        let address = "The redirect address of this request is not registered for the application."
        #expect(told(address).contains("Weiterleitungsadresse"))
        #expect(told("No such text.") == "No such text.")
        let unknown = Refusal("invalid_request", "No such text.", reason: "", retryAfter: 5)
        #expect(german.pageText(for: unknown).hasPrefix("Die Anfrage ist ungültig. "))
        let english = try #require(web.translations.languages["en"])
        #expect(english.pageText(for: unknown).hasPrefix("No such text. "))
    }

    @Test("every mail has a subject and a text", arguments: ["en", "de"])
    func mails(_ code: String) throws {
        let random = SeededRandom()
        let now = Timestamp(seconds: 1_800_000_000)
        let project = Project(
            id: .init(now: now, random: random), name: "default", environment: .development,
            createdAt: now)
        let person = Person(
            id: .init(now: now, random: random), project: project.id, username: "anna",
            createdAt: now)
        let kinds: [AccountNotification.Kind] = [
            .passkeyAdded(label: "{site}"), .passkeyRemoved(label: "x"),
            .machineRemoved(label: "x"), .passwordChanged,
            .passwordRemoved, .recoveryCodesMade, .recoveryCodeUsed, .accountRecovered,
            .approvalAwaited, .approvalGiven,
            .emailChanged, .verificationCode("12345678"), .recoveryCode("87654321"),
        ]
        for kind in kinds {
            let (subject, text) = LocalizedNotificationComposer(web.translations).write(
                AccountNotification(
                    kind: kind, person: person,
                    tenant: Tenant(project: project, issuer: "https://login.example.com"),
                    languages: [code]))
            #expect(!subject.contains("mail.") && !subject.contains("\n"))
            #expect(!text.contains("mail.") && text.contains("anna"))
        }
    }

    @Test(
        "the first language that there is wins",
        arguments: [
            (["de-at", "en"], "de"), (["fr", "de"], "de"), (["fr"], "en"), ([], "en"),
            (["EN-GB"], "en"), (["d", "../de"], "en"),
        ])
    func choose(_ wanted: [String], _ code: String) {
        #expect(web.translations.choose(wanted).code == code)
    }

    @Test("what a value brings in is not filled in again")
    func noSecondPass() {
        let language = Language(code: "x", texts: ["k": "{a} and {b}, {c}"])
        #expect(language.text("k", ["a": "{b}", "b": "1"]) == "{b} and 1, {c}")
        #expect(language.text("missing") == "missing")
    }

    @Test(
        "a moment is said in words, an older one by its date",
        arguments: [
            (0, "just now"), (59, "just now"), (60, "a minute ago"), (180, "3 minutes ago"),
            (3600, "an hour ago"), (7200, "2 hours ago"), (86_400, "yesterday"),
            (3 * 86_400, "3 days ago"), (30 * 86_400, "December 16, 2026"),
        ] as [(Int64, String)])
    func moments(_ age: Int64, _ words: String) throws {
        let now = Timestamp(seconds: 1_800_000_000)
        let english = try #require(web.translations.languages["en"])
        #expect(english.when(now - .seconds(age), now: now) == words)
    }

    @Test("a file with anything but texts is refused, and so is a folder without English")
    func broken() {
        #expect(throws: Translations.LoadError.self) {
            try Translations(["en": Array(#"{"a":1}"#.utf8)])
        }
        #expect(throws: Translations.LoadError.self) { try Translations(["de": Array("{}".utf8)]) }
        #expect(throws: (any Error).self) { try Translations(["en": Array("{".utf8)]) }
    }
}
