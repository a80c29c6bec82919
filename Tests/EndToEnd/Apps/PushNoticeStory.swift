// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import Support
import Testing

extension EndToEnd {
    /// The requests that the examples of a push sender and of an identity provider accept, and
    /// their senders.
    @Suite(
        "What comes to the examples that Gatehouse asks",
        .enabled(if: Repository.hasPeers, "needs .venv of Scripts/bootstrap"))
    struct PushNoticeStory {
        /// The example with a command, or without one.
        private struct Sender {
            let issuer: PushIssuer
            let folder: TemporaryDirectory
            private let child: ChildProcess
            private let port: Int

            init(_ command: [String] = [], in folder: TemporaryDirectory) async throws {
                let (issuer, port) = (try PushIssuer(), try Connection.freePort())
                (self.issuer, self.port, self.folder) = (issuer, port, folder)
                child = try ChildProcess(
                    Repository.python,
                    [
                        PushNoticeStory.sender.path(), "--issuer", issuer.name, "--listen",
                        "127.0.0.1:\(port)", "--",
                    ] + command, log: folder.file("sender.log"))
                try await PushNoticeStory.listens(at: port)
            }

            var address: String { "http://127.0.0.1:\(port)/" }

            /// All that it has said.
            var words: String {
                (try? String(contentsOf: child.log, encoding: .utf8)) ?? ""
            }

            func notice(_ tokens: String...) -> JSON { issuer.notice(to: address, tokens) }

            func tell(_ sent: PushIssuer.Sent) async throws -> HTTPAnswer {
                try await exchange(
                    .init(
                        method: "POST", path: "/",
                        headers: [("gatehouse-signature", sent.signature)], body: sent.body),
                    port: port)
            }

            func stop() async throws { try await child.stop() }
        }

        private static let sender = Repository.root.appending(
            path: "Examples/push-sender/push_sender.py")
        private static let examples = [
            "Examples/push-sender/push_sender.py",
            "Examples/identity-provider/identity_provider.py",
        ]

        private static func listens(at port: Int) async throws {
            try await eventually("the example listens") {
                _ = try await exchange(.init(path: "/"), port: port)
                return true
            }
        }

        // MARK: Senders

        @Test("a well-formed notification of another issuer, audience or time is refused")
        func forged() async throws {
            let sender = try await Sender(in: TemporaryDirectory())
            let issuer = sender.issuer
            func changed(_ name: String, _ value: JSON) throws -> PushIssuer.Sent {
                var notice = sender.notice("woken")
                notice[name] = value
                return try issuer.sign(notice)
            }
            var rewritten = try issuer.sign(sender.notice("asleep"))
            rewritten.body = sender.notice("woken").bytes
            let now = Date().timeIntervalSince1970.rounded()
            let refused: [(PushIssuer.Sent, why: String)] = [
                (try issuer.sign(sender.notice("woken"), by: .init()), "InvalidSignature"),
                (rewritten, "InvalidSignature"),
                (try changed("aud", "http://127.0.0.1:9/"), "for somebody else"),
                (try changed("iss", "http://127.0.0.1:9"), "for somebody else"),
                (try changed("exp", .number(now - 1)), "of another time"),
                (try changed("iat", .number(now + 600)), "of another time"),
                (
                    try issuer.sign(sender.notice("woken"), typ: "gatehouse-identity-provider"),
                    "not a signature of"
                ),
            ]
            for (sent, why) in refused {
                let answer = try await sender.tell(sent)
                #expect(answer.status == 403 && answer.text.contains(why), "\(answer.text)")
            }
            #expect(!sender.words.contains("woken"))
            // The same, and nothing is wrong with it.
            let answer = try await sender.tell(try issuer.sign(sender.notice("woken")))
            #expect(answer.status == 200 && answer.text == #"{"reached": 1}"#, "\(answer.text)")
            #expect(sender.words.contains("woken"))
            try await sender.stop()
        }

        @Test("a notice that comes twice is passed on once")
        func replayed() async throws {
            let sender = try await Sender(in: TemporaryDirectory())
            let sent = try sender.issuer.sign(sender.notice("one"))
            #expect(try await sender.tell(sent).status == 200)
            let again = try await sender.tell(sent)
            #expect(again.status == 403 && again.text.contains("asked before"), "\(again.text)")
            #expect(sender.words.components(separatedBy: "of-one").count == 2)
            try await sender.stop()
        }

        @Test("a question that comes twice at the same moment is answered once")
        func atOnce() async throws {
            let example = Repository.root.appending(path: "Examples/identity-provider")
            let taken = try await Command.peer("oauth/question_race.py", [example.path()])
            #expect(taken.output == "1\n", "\(taken.errors)")
        }

        @Test("an issuer is asked for unknown keys now and then, and no known one waits for that")
        func keys() async throws {
            let example = Repository.root.appending(path: "Examples/identity-provider")
            let looks = try await Command.peer("oauth/question_keys.py", [example.path()])
            #expect(looks.output == "1 0\n1\n1\n1 True\nTrue\n", "\(looks.errors)")
        }

        /// Of a length below zero everything would be read, without an end.
        @Test(
            "a length that is none, or too much, is refused and not waited for",
            arguments: examples)
        func lengths(_ example: String) async throws {
            let (folder, port) = (try TemporaryDirectory(), try Connection.freePort())
            let child = try ChildProcess(
                Repository.python,
                [
                    Repository.root.appending(path: example).path(), "--issuer",
                    "http://127.0.0.1:9", "--listen", "127.0.0.1:\(port)",
                ], log: folder.file("example.log"))
            try await Self.listens(at: port)
            let lengths = ["-1", "x", "+2", "1_0", "", "65537", "99999999999999999999"]
            for length in lengths.map({ "Content-Length: \($0)\r\n" }) + [""] {
                let request = "POST / HTTP/1.1\r\nHost: localhost\r\n\(length)\r\n"
                let answer = try await blocking {
                    let connection = try Connection(port: port)
                    try connection.send(Array(request.utf8))
                    return try connection.answer()
                }
                #expect(answer.status == 403 && answer.text.contains("a body"), "\(length)")
            }
            try await child.stop()
        }

        // MARK: The command

        /// Records its input, and ends when there are three records: a single process waits in
        /// vain.
        private static let three = """
            line=$(cat); echo "$line" > "$1/$$"
            while [ "$(ls "$1" | wc -l)" -lt 3 ]; do :; done
            case $line in *nobody*) exit 1; esac
            """

        @Test("the command receives all installations at once, and reports those that it reached")
        func command() async throws {
            let folder = try TemporaryDirectory()
            let told = folder.file("told")
            try FileManager.default.createDirectory(
                at: told, withIntermediateDirectories: false)
            let sender = try await Sender(
                ["/bin/sh", "-c", Self.three, "wake", told.path()], in: folder)
            let notice = sender.notice("one", "nobody", "three")
            let answer = try await sender.tell(try sender.issuer.sign(notice))
            #expect(answer.status == 200 && answer.text == #"{"reached": 2}"#, "\(answer.text)")
            let files = try FileManager.default.contentsOfDirectory(
                at: told, includingPropertiesForKeys: nil)
            let lines = try files.map { try JSON(parsing: Array(Data(contentsOf: $0))).text }
            let expected = ["one", "nobody", "three"].map { token -> String in
                let line: JSON = [
                    "installation_id": .string("of-" + token), "push_token": .string(token),
                    "approval": "one", "user_id": "anna", "expires_at": notice["expires_at"],
                ]
                return line.text
            }
            #expect(lines.sorted() == expected.sorted())
            try await sender.stop()
        }

        @Test("a command that is missing is named at the start, and later refuses no notice")
        func missing() async throws {
            let folder = try TemporaryDirectory()
            let command = try folder.write("#!/bin/sh\n", to: "wake")
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o755], ofItemAtPath: command.path())
            let sender = try await Sender([command.path()], in: folder)
            let first = try await sender.tell(try sender.issuer.sign(sender.notice("one")))
            #expect(first.status == 200 && first.text == #"{"reached": 1}"#, "\(first.text)")
            try FileManager.default.removeItem(at: command)
            let second = try await sender.tell(try sender.issuer.sign(sender.notice("two")))
            #expect(second.status == 503 && second.text.contains("wake"), "\(second.text)")
            try await sender.stop()
            let refused = try await Command.run(
                Repository.python, [Self.sender.path(), "--", command.path()])
            #expect(refused.status == 2 && refused.errors.contains("there is no command"))
        }
    }
}
