// SPDX-License-Identifier: Apache-2.0
import Support
import Testing

extension EndToEnd {
    /// Codes by mail, through a real SMTP conversation.
    @Suite(
        "Mail", .enabled(if: Repository.hasPeers, "needs .venv of Scripts/bootstrap"))
    struct MailStory {
        private func withHouse(_ story: (ServerProcess, MailSink) async throws -> Void) async throws
        {
            let sink = try await MailSink()
            let server = try await ServerProcess(
                "mail",
                arguments: [
                    "--smtp", "smtp://localhost:\(sink.port)", "--smtp-from",
                    "gatehouse@example.com",
                ])
            try await server.apply(DeclaredState(users: [DeclaredState.user("anna")]).text)
            try await story(server, sink)
            try await server.stop()
            try await sink.stop()
        }

        @Test("who lost the password gets a code by mail, and is in")
        func recovery() async throws {
            try await withHouse { server, sink in
                let agent = FormAgent(port: server.port)
                let page = try agent.follow(.init(path: "/recover"))
                let asked = try agent.submit(
                    page, at: "/recover", [("username", "anna")], having: "username")
                let message = try await sink.message(0)
                #expect(message["to"] == ["anna@example.com"])
                #expect(message["from"].string == "gatehouse@example.com")
                let code = try #require(MailSink.code(in: message), "\(message.text)")
                _ = try agent.submit(asked, at: "/recover/code", [("code", code)], having: "code")
                #expect(agent.isSignedIn)
                let again = FormAgent(port: server.port)
                let second = try again.submit(
                    asked, at: "/recover/code", [("code", code)], having: "code")
                #expect(!again.isSignedIn && second.status >= 400, "the code worked twice")
            }
        }

        @Test(
            "a wrong code does not help, and the response does not reveal whether a person exists")
        func wrongCode() async throws {
            try await withHouse { server, sink in
                let agent = FormAgent(port: server.port)
                let page = try agent.follow(.init(path: "/recover"))
                let known = try agent.submit(
                    page, at: "/recover", [("username", "anna")], having: "username")
                let unknown = try agent.submit(
                    page, at: "/recover", [("username", "nobody")], having: "username")
                #expect(known.status == unknown.status)
                #expect(known.body.count == unknown.body.count)
                let code = try #require(MailSink.code(in: try await sink.message(0)))
                let wrong = String(code.reversed()) == code ? "000000" : String(code.reversed())
                let answer = try agent.submit(
                    known, at: "/recover/code", [("code", wrong)], having: "code")
                #expect((400..<500).contains(answer.status))
                #expect(!agent.isSignedIn)
            }
        }

        @Test("an address is verified by the code that was sent to it")
        func verification() async throws {
            try await withHouse { server, sink in
                let agent = FormAgent(port: server.port)
                try agent.signIn("anna", DeclaredState.password)
                let account = try agent.follow(.init(path: "/account"))
                let asked = try agent.submit(
                    account, at: "/account", [("email", "anna@example.net")], having: "email")
                let message = try await sink.message(0)
                #expect(message["to"] == ["anna@example.net"])
                let code = try #require(MailSink.code(in: message), "\(message.text)")
                let done = try agent.submit(
                    asked, at: "/account/email/code", [("code", code)], having: "code")
                #expect(done.status == 200)
                #expect(try agent.follow(.init(path: "/account")).text.contains("anna@example.net"))
            }
        }
    }
}
