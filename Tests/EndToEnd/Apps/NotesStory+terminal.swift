// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing

/// The app as a person has it before them: what it asks, what it shows, and what it does not.
extension EndToEnd.NotesStory {
    private func terminal(_ house: NotesHouse, _ words: String...) async throws -> TerminalSession {
        // Wide, so that no address is broken.
        try await TerminalSession(
            NotesHouse.app, words, columns: 1000, environment: house.environment)
    }

    private func answer(
        _ terminal: TerminalSession, _ question: String, _ words: String
    ) async throws {
        try await terminal.shows(question)
        try await terminal.type(words)
        try await terminal.press("Enter")
    }

    // MARK: A browser

    /// Where the app wants a browser opened.
    private func address(_ terminal: TerminalSession) async throws -> String {
        let screen = try await terminal.shows("Open http")
        let line = screen.split(separator: "\n").first { $0.hasPrefix("Open http") }
        let words = try #require(line).split(separator: " ")
        return String(try #require(words.last))
    }

    @Test(
        "with a browser: the app says where to go, waits, and knows who came back",
        .enabled(
            if: TerminalSession.isAvailable && WebDriver.isInstalled,
            "needs tmux, chromium and chromedriver"), .timeLimit(.minutes(5)))
    func browser() async throws {
        let house = try await NotesHouse("notes-browser")
        let app = try await terminal(house, "register")
        let address = try await address(app)
        #expect(address.hasPrefix(house.server.issuer + "/authorize?"))
        let page = try await WebDriver()
        do {
            try await page.open(address)
            try await page.type("anna", into: "[name=username]")
            try await page.type(DeclaredState.password, into: "[name=password]")
            try await page.click("[data-action=sign-in]")
            try await page.arrives(at: "127.0.0.1")
        } catch {
            await page.quit()
            throw error
        }
        await page.quit()
        try await answer(app, "Choose a PIN of 5 digits", "97135")
        let screen = try await app.shows("Registered as anna (")
        #expect(try await app.status() == 0)
        #expect(!screen.contains("97135"))
        #expect(try await house.notes("token").output.hasPrefix("eyJ"))
        #expect(try await house.notes("people").output.contains("  anna  with a PIN\n"))
        try await house.server.stop()
    }

    @Test(
        "Ctrl-C during the browser sign-in: no registration, and it can start again",
        .enabled(if: TerminalSession.isAvailable, "needs tmux"))
    func leavesBrowser() async throws {
        let house = try await NotesHouse("notes-leaves")
        let first = try await address(terminal(house, "register"), pressing: "C-c")
        #expect(try await house.notes("people").output.isEmpty)
        #expect(try await house.notes("token").status == 1)
        let second = try await address(terminal(house, "register"), pressing: "C-c")
        #expect(first != second)
        try await house.server.stop()
    }

    private func address(_ app: TerminalSession, pressing key: String) async throws -> String {
        let address = try await address(app)
        try await app.press(key)
        #expect(try await app.status() == 128 + SIGINT)
        return address
    }

    // MARK: The operator's own service

    @Test(
        "with a service of the operator's: it asks twice, says what was wrong, and shows no PIN",
        .enabled(
            if: TerminalSession.isAvailable && Repository.hasPeers,
            "needs tmux, and Scripts/bootstrap"))
    func custom() async throws {
        let badges = try Connection.freePort()
        let house = try await NotesHouse("notes-custom", badges: badges)
        let script = Repository.root.appending(
            path: "Examples/identity-provider/identity_provider.py")
        let peer = try ChildProcess(
            Repository.python,
            [script.path(), "--issuer", house.server.issuer, "--listen", "127.0.0.1:\(badges)"],
            log: house.folder.file("badges.log"))
        try await eventually("the badges are read") {
            _ = try await exchange(.init(path: "/"), port: badges)
            return true
        }
        let app = try await terminal(house, "register", "--with", "badge")
        try await answer(app, "For Badge", "4711")
        try await answer(app, "type the code on your badge", "1111")
        try await answer(app, "Choose a PIN of 5 digits", "11111")
        // What is typed before the next question is no answer to it.
        try await eventually("it says why, and asks again") {
            let screen = try await app.screen()
            let asked = screen.components(separatedBy: "Choose a PIN of 5 digits").count - 1
            return screen.contains("more than 2 times in a row") && asked == 2 ? true : nil
        }
        try await answer(app, "Choose a PIN of 5 digits", "97135")
        // The code is sent with the registration, and the service verifies it; the PIN is chosen
        // once.
        try await answer(app, "that is another code", "2468")
        let screen = try await app.shows("Registered as anna (")
        #expect(try await app.status() == 0, "\(peer.lastWords)")
        #expect(screen.contains("4711") && !screen.contains("97135") && !screen.contains("11111"))
        #expect(try await house.notes("people").output.contains("  anna  with a PIN\n"))
        // The project has no service of that name.
        let other = try await house.notes("register", "--with", "another")
        #expect(other.status == 1 && other.output.isEmpty, "\(other.errors)")
        try await peer.stop()
        try await house.server.stop()
    }

    // MARK: Without asking, and the end

    @Test("silently it may have only the project's scopes without a PIN")
    func implicit() async throws {
        let house = try await NotesHouse("notes-implicit")
        #expect(try await house.notes("implicit", "weather").status == 1)
        #expect(try await house.register(UUID()).status == 0)
        let given = try await house.notes("implicit", "weather")
        #expect(given.status == 0 && given.output.hasPrefix("Unasked: weather, until "))
        #expect(given.errors.isEmpty, "nobody is asked: \(given.errors)")
        for more in [["notes"], ["weather", "notes"]] {
            let refused = try await Command.run(
                NotesHouse.app, ["implicit"] + more, environment: house.environment)
            #expect(refused.status == 1 && refused.output.isEmpty)
            #expect(refused.errors.contains("pinRequired"), "\(refused.errors)")
        }
        #expect(try await house.notes("implicit").status == 2)
        try await house.server.stop()
    }

    @Test(
        "after erasing, no local data remain; the provider received nothing, and a new start is possible"
    )
    func erases() async throws {
        let house = try await NotesHouse("notes-erases")
        #expect(try await house.register(UUID()).status == 0)
        #expect(try await house.register(UUID()).status == 0)
        #expect(try await house.notes("people").output.split(separator: "\n").count == 2)
        let erased = try await house.notes("erase")
        #expect(erased.status == 0 && erased.output == "Nothing is left here.\n")
        #expect(try await house.notes("people").output.isEmpty)
        for words in ["token", "device", "list"] {
            #expect(try await house.notes(words).status == 1, "\(words)")
        }
        #expect(try await house.people() == 2)
        #expect(try await house.notes("erase").status == 0)
        #expect(try await house.register(UUID()).status == 0)
        #expect(try await house.people() == 3)
        #expect(try await house.notes("token").status == 0)
        try await house.server.stop()
    }
}
