// SPDX-License-Identifier: Apache-2.0
import Foundation
import JOSE
import PlatformSSO
import Primitives
import Testing

/// What docs/platform-sso.md says of refusals, against what the provider answers.
@Suite("docs/platform-sso.md, run") struct DocumentedMessagesTests {
    private static let page: String = {
        let tests = URL(filePath: #filePath).deletingLastPathComponent()
        let package = tests.deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = package.appending(path: "docs/platform-sso.md")
        return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    }()

    /// The fenced blocks of that language.
    private static func blocks(_ language: String) -> [String] {
        page.components(separatedBy: "```\(language)\n").dropFirst().compactMap {
            $0.components(separatedBy: "\n```").first
        }
    }

    private func predicate() throws -> ResponsePredicate {
        let blocks = Self.blocks("predicate")
        #expect(blocks.count == 1)
        return try ResponsePredicate(
            try #require(blocks.first).replacing("\n", with: " "))
    }

    private func outcome(_ answer: DeviceHouse.Answer) throws -> LoginError {
        LoginError(status: answer.status, body: answer.body, predicate: try predicate())
    }

    @Test("The page's predicate tells a wrong credential from everything else")
    func wrongCredentials() async throws {
        let house = try await DeviceHouse(#""allowed_methods":["password","user_key"]"#)
        let machine = try await TestMachine.registered(in: house)
        for answer in [
            try await machine.login(password: "wrong"), try await machine.login("nobody"),
            try await machine.login(password: ""),
            try await machine.login(key: try TestMachine.pair()),
            try await machine.refresh(Secret("gd.nothing")).0,
        ] {
            #expect(answer.status == 401, "\(answer.json.text)")
            #expect(try outcome(answer) == .wrongCredential, "\(answer.json.text)")
        }
        let used = try await house.nonce()
        _ = try await machine.login(nonce: used)
        let stranger = try TestMachine(house, serial: "C99")
        for answer in [
            try await machine.login(nonce: used), try await stranger.login(),
        ] {
            #expect(answer.status == 400, "\(answer.json.text)")
            #expect(try outcome(answer) == .later, "\(answer.json.text)")
        }
    }

    @Test("The codes in the predicate are those of 401, all of them")
    func codes() throws {
        let known = PlatformSSORefusal.Code.allCases.filter { $0.status == 401 }.map(\.rawValue)
        let text = try #require(Self.blocks("predicate").first)
        let named = text.split(separator: "'").enumerated().filter { $0.offset % 2 == 1 }
            .map { String($0.element) }
        #expect(Set(named) == Set(known + ["invalid_credentials"]))
        for code in named { #expect(Self.page.contains("`\(code)`"), "\(code)") }
    }

    @Test("A refusal says in words what is wrong, and does not repeat its code")
    func sentence() async throws {
        let house = try await DeviceHouse()
        let answer = try await TestMachine(house, serial: "C99").login()
        let text = try #require(answer.json["error_description"]?.string)
        #expect(text.contains("Register the device"))
        #expect(!text.contains(try #require(answer.error)))
    }
}
