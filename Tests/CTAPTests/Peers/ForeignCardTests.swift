// SPDX-License-Identifier: Apache-2.0
import CTAP
import Foundation
import Primitives
import Testing

/// The client with a card of other code, and python-fido2 with the card of Gatehouse. An error on
/// both sides of Gatehouse is detected here.
@Suite(
    .enabled(if: CardService.problem == nil, "\(CardService.problem ?? "")"),
    .enabled(if: PeerProgram.hasPython, "python-fido2 is not in .venv"),
    .timeLimit(.minutes(3)), .serialized)
struct ForeignCardTests {
    /// Our client before the card in Python; its lines.
    private func client(
        _ words: String..., pin: String? = nil, habit: String? = nil
    ) async throws -> [String] {
        let service = try await CardService()
        var environment = service.environment
        environment["KEY_PIN"] = pin
        let client = try RunningProgram(
            [try ClientProgram.path()] + words, environment: environment)
        try await client.line(containing: "prompt insert")
        let program = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "python_card.py").path()
        let card = try RunningProgram(
            [PeerProgram.python, program, "\(service.port)"] + [habit].compactMap { $0 })
        let lines = try await client.lines()
        try await card.end()
        try await service.end()
        return lines
    }

    @Test("A card in Python is registered and signs in")
    func ceremony() async throws {
        #expect(try await client("ceremony").last == "signed in")
    }

    @Test("A card in Python gets a PIN, and verifies with it; requests come in chains")
    func pin() async throws {
        #expect(try await client("ceremony", pin: "4711é").last == "signed in")
    }

    @Test("A card in Python that is still at work is asked again")
    func slow() async throws {
        let lines = try await client("ceremony", habit: "slow")
        #expect(lines.contains("prompt touch"))
        #expect(lines.last == "signed in", "\(lines)")
    }

    @Test("Attack 36: a card in Python that leaves inside a registration ends it")
    func leaves() async throws {
        #expect(try await client("ceremony", habit: "leaves").last == "error keyRemoved")
    }

    @Test(
        "python-fido2 does with our card what it does with our key on USB",
        .enabled(if: PeerProgram.hasCardPython, "python3-pyscard is not installed"),
        arguments: ["ceremonies", "pins", "extensions", "management", "blobs", "u2f"])
    func pythonClient(_ scenario: String) async throws {
        var configuration = AuthenticatorConfiguration()
        configuration.transports = ["nfc"]
        let key = try SoftwareAuthenticator(
            store: MemoryAuthenticatorStore(), configuration: configuration,
            gesture: AutomaticGesture(), clock: SystemWallClock(), random: SystemRandomSource())
        let service = try await CardService()
        let card = try VirtualCard(key, port: service.port)
        let program = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "python_fido2_client.py").path()
        let outcome = try await PeerProgram.run(
            [PeerProgram.python, program, "nfc", scenario], environment: service.environment)
        #expect(outcome.output == "ok\n", "\(outcome.errors)")
        #expect(card.seen.portions > 0)
        card.leave()
        try await service.end()
    }
}
