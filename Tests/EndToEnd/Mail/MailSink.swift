// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support

/// aiosmtpd on a loopback port, keeping what it gets.
final class MailSink: Sendable {
    let port: Int
    private let folder: TemporaryDirectory
    private let child: ChildProcess

    init() async throws {
        port = try Connection.freePort()
        folder = try TemporaryDirectory()
        let script = Repository.peers.appending(path: "smtp_sink.py").path()
        let file = try folder.write("", to: "mail.jsonl")
        child = try ChildProcess(
            Repository.python, [script, "\(port)", file.path()],
            log: Repository.outputFile("smtp.log"))
        let port = port
        try await eventually("the mail server greets") {
            try await blocking {
                try Connection(port: port).receive().starts(with: Array("220".utf8))
            }
                ? true : nil
        }
    }

    private var messages: [JSON] {
        get throws {
            try String(contentsOf: folder.file("mail.jsonl"), encoding: .utf8)
                .split(separator: "\n").map { try JSON(parsing: Array($0.utf8)) }
        }
    }

    /// The message of that number (from 0), once it has come.
    func message(_ number: Int) async throws -> JSON {
        try await eventually("message \(number) comes") {
            let all = try messages
            return all.indices.contains(number) ? all[number] : nil
        }
    }

    /// How many have come for that address.
    func count(to address: String) throws -> Int {
        try messages.count { $0["to"] == [.string(address)] }
    }

    /// The newest for that address, once there are more than so many.
    func newest(to address: String, after count: Int) async throws -> JSON {
        try await eventually("a message for \(address) comes") {
            let all = try messages.filter { $0["to"] == [.string(address)] }
            return all.count > count ? all.last : nil
        }
    }

    /// The code in a message: the only long run of digits in it.
    static func code(in message: JSON) -> String? {
        (message["text"].string ?? "").split { !$0.isNumber }.map(String.init)
            .first { (6...10).contains($0.count) }
    }

    func stop() async throws { try await child.stop() }
}
