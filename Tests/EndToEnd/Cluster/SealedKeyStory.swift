// SPDX-License-Identifier: Apache-2.0
import Foundation
import Primitives
import Support
import Testing

extension EndToEndCluster {
    /// Processes with a sealed master key.
    @Suite("Sealed master key")
    struct SealedKeyStory {
        @Test(
            "two processes start at once with one sealed key; one with a wrong passphrase is refused",
            .enabled(if: PostgreSQLServer.unavailable == nil, "needs PostgreSQL"))
        func pair() async throws {
            let keys = try TemporaryDirectory()
            let passphrase = try keys.write("correct horse battery\n", to: "passphrase")
            let url = try PostgreSQLServer.shared().makeDatabase().revealText()
            let file = keys.file("master.key").path()
            let arguments = ["--database", url, "--master-key-file", file]
            async let first = ServerProcess(
                "sealed-a",
                arguments: arguments + ["--master-key-passphrase-file", passphrase.path()])
            async let second = ServerProcess(
                "sealed-b", arguments: arguments,
                environment: ["GATEHOUSE_MASTER_KEY_PASSPHRASE": "correct horse battery"])
            let servers = try await [first, second]
            let line = try String(contentsOfFile: file, encoding: .utf8)
            #expect(line.hasPrefix("gatehouse-sealed-master-key-1."))
            let published = try await [servers[0].get("/jwks").text, servers[1].get("/jwks").text]
            #expect(published[0] == published[1])
            let refusals: [(environment: [String: String], reason: String)] = [
                (["GATEHOUSE_MASTER_KEY_PASSPHRASE": "wrong horse battery"], "does not open"),
                ([:], "is sealed to a passphrase"),
            ]
            for refusal in refusals {
                let error = await #expect(throws: (any Error).self) {
                    try await ServerProcess(
                        "sealed-c", arguments: arguments, environment: refusal.environment)
                }
                let text = error.map { "\($0)" } ?? ""
                #expect(text.contains(refusal.reason) && !text.contains("wrong horse"), "\(text)")
            }
            #expect(try String(contentsOfFile: file, encoding: .utf8) == line)
            for server in servers { try await server.stop() }
        }
    }
}
