// SPDX-License-Identifier: Apache-2.0
import NIOHTTP1
import Synchronization
import TerminalDialog
import Testing
import UserClient

@testable import gatehouse

/// The wire of the tour, between a client and a host on loopback.
@Suite struct TourWireTests {
    private final class Lines: Sendable {
        private let all = Mutex<[String]>([])
        func add(_ line: String) { all.withLock { $0.append(line) } }
        var text: String { all.withLock { $0.joined(separator: "\n") } }
    }

    /// What passes, with what the screen shows of it.
    private func told(
        _ tell: (TourWire, WebClient) async throws -> Void
    ) async throws -> String {
        let host = try await LoopbackHost { head in
            .init(status: 201, headers: ["x-asked": head.uri], body: Array(#"{"is":"here"}"#.utf8))
        }
        let lines = Lines()
        let screen = TourScreen(
            style: TerminalStyle(hasColours: false, hasUnicode: true), waits: false,
            write: { lines.add($0) })
        let wire = try await TourWire.open(screen)
        wire.exchange.connect(to: Int(host.address.split(separator: ":").last ?? "") ?? 0)
        try await tell(wire, WebClient())
        await wire.close()
        try await host.stop()
        return lines.text
    }

    @Test("What is asked is handed on whole, answered, and shown without its query")
    func passes() async throws {
        let shown = try await told { wire, web in
            let answer = try await web.send(
                "POST", wire.issuer + "/registration?a=b", body: Array(#"{"who":"anna"}"#.utf8))
            #expect(answer.status == 201)
            #expect(answer.headers["x-asked"] == "/registration?a=b")
            #expect(answer.body == Array(#"{"is":"here"}"#.utf8))
        }
        #expect(shown.contains("→ POST /registration\n     who: anna"))
        #expect(shown.contains("← 201\n     is: here"))
    }

    @Test("What every client reads first is not shown", arguments: ["/.well-known/x", "/a/jwks"])
    func discovery(_ path: String) async throws {
        let shown = try await told { wire, web in
            let answer = try await web.send("GET", wire.issuer + path)
            #expect(answer.status == 201)
        }
        #expect(shown.isEmpty)
    }

    @Test("One answer is lost, and the next is not")
    func loses() async throws {
        let shown = try await told { wire, web in
            wire.exchange.loseAnswer(at: "/registration")
            await #expect(throws: (any Error).self) {
                _ = try await web.send("POST", wire.issuer + "/registration", body: [1])
            }
            let answer = try await web.send("POST", wire.issuer + "/registration")
            #expect(answer.status == 201)
        }
        #expect(shown.contains("✗ the answer gets lost"))
    }

    @Test("A closed port, or a request too long: no response, and the tour continues")
    func nobody() async throws {
        _ = try await told { wire, web in
            wire.exchange.connect(to: 1)
            await #expect(throws: (any Error).self) {
                _ = try await web.send("GET", wire.issuer + "/", seconds: 30)
            }
            let long = [UInt8](repeating: 0, count: 2_000_000)
            await #expect(throws: (any Error).self) {
                _ = try await web.send("POST", wire.issuer + "/", body: long, seconds: 30)
            }
        }
    }
}
