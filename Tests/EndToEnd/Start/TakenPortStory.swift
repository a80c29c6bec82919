// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing

extension EndToEnd {
    /// A server whose ports others hold.
    @Suite("Taken ports")
    struct TakenPortStory {
        @Test("a second server on the same ports ends with their name, twenty times")
        func secondServer() async throws {
            // The demo's apps listen on the two ports after the provider's.
            let port = try Connection.freePort(neighbours: 4)
            let first = try await ServerProcess("taken", port: port + 1, arguments: ["--demo"])
            for round in 0..<20 {
                let isSame = round.isMultiple(of: 2)
                let folder = try TemporaryDirectory()
                let outcome = try await Command.gatehouse(
                    "serve", "--demo", "--data-dir", folder.file("data").path(), "--listen",
                    "127.0.0.1:\(isSame ? port + 1 : port)")
                #expect(outcome.status == 1, "\(outcome.errors)")
                #expect(
                    outcome.errors.contains(
                        "cannot listen on 127.0.0.1:\(port + 1): Address already in use"),
                    "\(outcome.errors)")
                #expect(!outcome.errors.contains("Fatal error"))
            }
            #expect(try await first.get("/health/ready").status == 200)
            try await first.stop()
        }

        @Test("two servers do not share a data directory")
        func sameData() async throws {
            let first = try await ServerProcess("taken-data")
            let port = try Connection.freePort()
            let outcome = try await Command.gatehouse(
                "serve", "--data-dir", first.dataDirectory, "--listen", "127.0.0.1:\(port)")
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("another gatehouse serves from"))
            try await first.stop()
        }
    }
}
