// SPDX-License-Identifier: Apache-2.0
import Foundation
import Primitives
import Support
import Testing

/// The person's actions in the app besides notes: approvals and a passkey.
extension EndToEnd.NotesStory {
    // MARK: Approving

    @Test("a person approves a desk's request, with their PIN, and denies the next")
    func approves() async throws {
        let house = try await NotesHouse("notes-approves")
        #expect(try await house.register(UUID()).status == 0)
        // People of a test key have no name of the project's own.
        let token = try await house.notes("token").output
        let person = try #require(try claims(token)["sub"].string)
        let enrolled = try await house.notes("approvals", input: "24681\n")
        #expect(enrolled.output.contains("may be asked now"), "\(enrolled.errors)")
        let payment = try await ask(house, person, "Pay 5 EUR to Carla")
        let yes = try await house.notes("approvals", input: "yes\n24681\n24681\n")
        #expect(yes.output == "Approved.\n", "\(yes.errors)")
        #expect(yes.errors.contains("The desk asks: Pay 5 EUR to Carla"))
        let given = try await poll(house, payment)
        let said = try claims(try #require(given["id_token"].string, "\(given)"))
        #expect(said["approval"]["message"] == "Pay 5 EUR to Carla")
        #expect(said["approval"]["answer"].string != nil)
        let another = try await ask(house, person, "Pay 500 EUR to Carla")
        let no = try await house.notes("approvals", input: "no\n")
        #expect(no.output == "Denied.\n", "\(no.errors)")
        #expect(try await poll(house, another)["error"] == "access_denied")
        #expect(try await house.notes("approvals").output == "Nothing waits.\n")
        try await house.server.stop()
    }

    /// What a token says.
    func claims(_ token: String) throws -> JSON {
        let payload = token.split(separator: ".").dropFirst().first
        return try JSON(parsing: try #require(payload.flatMap { Base64URL.decode($0) }))
    }

    /// Gives what the desk polls with.
    private func ask(
        _ house: NotesHouse, _ person: String, _ message: String
    ) async throws -> String {
        let answer = try await post(
            house, "/bc-authorize",
            [("scope", "openid"), ("login_hint", person), ("binding_message", message)])
        return try #require(answer["auth_req_id"].string, "\(answer)")
    }

    /// Once: whatever is to come of it has come.
    private func poll(_ house: NotesHouse, _ request: String) async throws -> JSON {
        try await post(
            house, "/token", [("grant_type", NotesHouse.askGrant), ("auth_req_id", request)])
    }

    private func post(
        _ house: NotesHouse, _ path: String, _ fields: [(String, String)]
    ) async throws -> JSON {
        let credentials = Base64.encode(Array("desk:\(DeclaredState.secret)".utf8))
        let answer = try await house.server.post(
            path, fields, headers: [("Authorization", "Basic \(credentials)")])
        return try JSON(parsing: answer.body)
    }

    // MARK: A passkey

    @Test(
        "a person adds a passkey at the terminal and signs in with it: their only method for pages",
        .enabled(if: TerminalSession.isAvailable, "needs tmux"))
    func passkey() async throws {
        let house = try await NotesHouse("notes-passkey")
        #expect(try await house.register(UUID()).status == 0)
        let adding = try await terminal(house, "passkey", "add")
        try await answer(adding, "PIN of test-", "24681")
        // The passkeys of this computer have no PIN yet.
        try await answer(adding, "New PIN", "2580")
        try await answer(adding, "The same again", "2580")
        try await answer(adding, "PIN of the passkeys on this computer", "2580")
        try await answer(adding, "Continue", "")
        #expect(try await adding.status() == 0)
        try await adding.shows("has a passkey.")

        #expect(try await house.notes("sign-out", "--here").status == 0)
        let signingIn = try await terminal(house, "sign-in", "--passkey")
        try await answer(signingIn, "PIN of the passkeys on this computer", "2580")
        try await answer(signingIn, "Continue", "")
        #expect(try await signingIn.status() == 0)
        try await signingIn.shows("Signed in as test-")
        #expect(try await house.notes("token").status == 0)

        let removing = try await house.notes("passkey", "remove")
        #expect(removing.status == 1 && removing.output.isEmpty, "\(removing.errors)")
        try await house.server.stop()
    }

    /// The app as one that says who it is, on a computer with a folder for passkeys.
    private func terminal(_ house: NotesHouse, _ words: String...) async throws -> TerminalSession {
        let environment = [
            "GATEHOUSE_APP_IDENTIFIER": "ABCDE12345.com.example.notes",
            "GATEHOUSE_ASSOCIATED_DOMAINS":
                "webcredentials:localhost:\(house.server.port)?mode=developer",
            "GATEHOUSE_DEVELOPER_MODE": "1",
            "GATEHOUSE_PASSKEYS": house.folder.file("passkeys").path(),
        ].merging(house.environment) { $1 }
        return try await TerminalSession(
            NotesHouse.app, words, columns: 120, environment: environment)
    }

    private func answer(
        _ terminal: TerminalSession, _ question: String, _ words: String
    ) async throws {
        try await terminal.shows(question)
        if !words.isEmpty { try await terminal.type(words) }
        try await terminal.press("Enter")
    }
}
