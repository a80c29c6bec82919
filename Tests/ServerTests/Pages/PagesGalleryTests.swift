// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import HTTPServer

/// Every page, drawn with plausible content. With `GATEHOUSE_PAGES=FOLDER` the pages are written
/// there, to be looked at.
@Suite struct PagesGalleryTests {
    private func keep(_ answer: Answer, _ name: String) throws {
        #expect(answer.text.contains("<main id=\"main\">"))
        #expect(!answer.text.contains("{{"))
        guard let folder = ProcessInfo.processInfo.environment["GATEHOUSE_PAGES"] else { return }
        try Data(answer.response.body).write(
            to: URL(fileURLWithPath: "\(folder)/\(name).html"))
    }

    @Test("every page without a session is drawn", arguments: ["en", "de"])
    func stranger(_ language: String) async throws {
        let house = try await PagesHouse()
        var browser = house.browser(language: language)
        for (path, name) in [
            ("/", "home"), ("/sign-in", "sign-in"), ("/register", "register"),
            ("/recover", "recover"), ("/nowhere", "not-found"),
        ] {
            try keep(try await browser.get(path), "\(name)-\(language)")
        }
        _ = try await browser.get("/sign-in")
        let wrong = try await browser.submit(
            "/sign-in", ["username": "nobody", "password": "wrong"])
        try keep(wrong, "sign-in-error-\(language)")
    }

    @Test("every page of a signed-in person is drawn", arguments: ["en", "de"])
    func member(_ language: String) async throws {
        let house = try await PagesHouse()
        var browser = try await house.registered()
        browser.language = language
        for (path, name) in [
            ("/", "home-member"), ("/register/passkey", "offer"), ("/account", "account"),
            ("/sign-out", "sign-out"), ("/recovered", "recovered"),
            ("/sign-in?next=account&again=1", "again"),
        ] {
            try keep(try await browser.get(path), "\(name)-\(language)")
        }
        _ = try await browser.get("/account")
        let codes = try await browser.submit("/account/recovery-codes", [:])
        try keep(codes, "codes-\(language)")
        _ = try await browser.get("/sign-out")
        try keep(try await browser.submit("/sign-out", [:]), "signed-out-\(language)")
    }
}
