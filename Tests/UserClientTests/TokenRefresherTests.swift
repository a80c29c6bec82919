// SPDX-License-Identifier: Apache-2.0
import Foundation
import JOSE
import Primitives
import Support
import Testing
import UserClient

@Suite("The tokens kept at a terminal")
struct TokenRefresherTests {
    let provider: ScriptedProvider
    let directory: String
    let file: TokenFile
    let keeper: TokenRefresher

    init() throws {
        provider = try ScriptedProvider()
        directory =
            FileManager.default.temporaryDirectory
            .appending(path: "gatehouse-tokens-\(UUID().uuidString)/state").path
        file = TokenFile(directory: directory)
        keeper = TokenRefresher(file: file, client: provider.client)
    }

    private func keepTokens(issuer: String = ScriptedProvider.issuer) async throws {
        var tokens = TokenSet(
            issuer: issuer, clientID: "cli", accessToken: Secret("a0"),
            expiresAt: provider.clock.now + .seconds(300))
        tokens.refreshToken = Secret("r0")
        tokens.subject = "s1"
        try await keeper.save(tokens)
    }

    @Test("The file and its directory are for their owner alone")
    func permissions() async throws {
        try await keepTokens()
        for (path, mode) in [(directory, 0o700), ("\(directory)/tokens.json", 0o600)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == mode)
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: directory)
        #expect(names.sorted() == ["tokens.json", "tokens.lock"])
    }

    @Test("A token that is still good is not refreshed")
    func keepsFresh() async throws {
        try await keepTokens()
        #expect(try await keeper.fresh(issuer: nil).accessToken == Secret("a0"))
        #expect(provider.urls.isEmpty)
    }

    @Test("A token that ends within half a minute is refreshed, and the new one kept")
    func refreshes() async throws {
        try await keepTokens()
        provider.clock.advance(by: .seconds(271))
        provider.answerTokens(try provider.tokens("a1", refresh: "r1"))
        #expect(try await keeper.fresh(issuer: nil).accessToken == Secret("a1"))
        #expect(provider.forms.last?["refresh_token"] == "r0")
        #expect(try file.read(issuer: nil)?.refreshToken == Secret("r1"))
    }

    @Test("Many that ask at once refresh once")
    func refreshesOnce() async throws {
        try await keepTokens()
        provider.clock.advance(by: .seconds(400))
        provider.answerTokens(try provider.tokens("a1"), ScriptedProvider.error("invalid_grant"))
        let keeper = keeper
        try await withThrowingTaskGroup(of: Secret.self) { group in
            for _ in 0..<8 {
                group.addTask { try await keeper.fresh(issuer: nil).accessToken }
            }
            for try await token in group { #expect(token == Secret("a1")) }
        }
        #expect(provider.forms.count == 1)
    }

    @Test("A refresh token that is refused is forgotten; one that could not be sent is kept")
    func failures() async throws {
        try await keepTokens()
        provider.clock.advance(by: .seconds(400))
        provider.answerTokens(ScriptedProvider.reply(503, ["error": "temporarily_unavailable"]))
        await #expect(throws: UserClientError.self) { try await keeper.fresh(issuer: nil) }
        #expect(try file.read(issuer: nil) != nil)
        provider.answerTokens(ScriptedProvider.error("invalid_grant"))
        await #expect(throws: UserClientError.signedOut) { try await keeper.fresh(issuer: nil) }
        #expect(try file.read(issuer: nil) == nil)
    }

    @Test("Refreshed tokens of another person are refused")
    func otherSubject() async throws {
        try await keepTokens()
        provider.clock.advance(by: .seconds(400))
        provider.answerTokens(try provider.tokens("a1", claims: ["sub": "s2"]))
        await #expect(throws: UserClientError.self) { try await keeper.fresh(issuer: nil) }
        // What is kept is still theirs.
        let kept = try file.read(issuer: nil)
        #expect(kept?.subject == "s1" && kept?.refreshToken == Secret("r0"))
        #expect(kept?.accessToken == Secret("a0"))
    }

    @Test("A sign-in without a subject takes that of its first refresh, and later no other")
    func namedLater() async throws {
        var tokens = TokenSet(
            issuer: ScriptedProvider.issuer, clientID: "cli", accessToken: Secret("a0"),
            expiresAt: provider.clock.now)
        tokens.refreshToken = Secret("r0")
        try await keeper.save(tokens)
        provider.answerTokens(try provider.tokens("a1"))
        #expect(try await keeper.fresh(issuer: nil).subject == "s1")
        provider.clock.advance(by: .seconds(400))
        provider.answerTokens(try provider.tokens("a2", claims: ["sub": "s2"]))
        await #expect(throws: UserClientError.self) { try await keeper.fresh(issuer: nil) }
        #expect(try file.read(issuer: nil)?.subject == "s1")
    }

    @Test("Two issuers are kept side by side; the last sign-in is the one meant")
    func twoIssuers() async throws {
        try await keepTokens(issuer: "https://a.example.com")
        try await keepTokens()
        #expect(try file.read(issuer: nil)?.issuer == ScriptedProvider.issuer)
        #expect(try file.read(issuer: "https://a.example.com") != nil)
        _ = try await keeper.signOut(issuer: nil)
        #expect(try file.read(issuer: nil)?.issuer == "https://a.example.com")
        #expect(try file.read(issuer: "https://b.example.com") == nil)
    }

    @Test("Signing out revokes the refresh token, and deletes it even without a response")
    func signsOut() async throws {
        try await keepTokens()
        #expect(try await keeper.signOut(issuer: nil) == ScriptedProvider.issuer)
        #expect(provider.forms.last?["token"] == "r0")
        await #expect(throws: UserClientError.signedOut) { try await keeper.signOut(issuer: nil) }
        try await keepTokens()
        provider.goDown()
        await #expect(throws: UserClientError.self) { try await keeper.signOut(issuer: nil) }
        #expect(try file.read(issuer: nil) == nil)
    }

    @Test("A damaged file is said to be damaged", arguments: ["", "{", "[]", "{\"sessions\":1}"])
    func damaged(content: String) async throws {
        try await keepTokens()
        try Data(content.utf8).write(to: URL(filePath: "\(directory)/tokens.json"))
        #expect(throws: UserClientError.self) { try file.read(issuer: nil) }
    }

    @Test("A missing sign-in is reported")
    func signedOut() async throws {
        await #expect(throws: UserClientError.signedOut) { try await keeper.fresh(issuer: nil) }
    }

    @Test("The directory follows the XDG rules")
    func standardDirectory() {
        #expect(
            TokenFile.standardDirectory(["XDG_STATE_HOME": "/s", "HOME": "/h"]) == "/s/gatehouse")
        #expect(
            TokenFile.standardDirectory(["XDG_STATE_HOME": "rel", "HOME": "/h"])
                == "/h/.local/state/gatehouse")
        #expect(TokenFile.standardDirectory([:]) == nil)
    }
}
