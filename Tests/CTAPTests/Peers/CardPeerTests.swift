// SPDX-License-Identifier: Apache-2.0
import CTAP
import Foundation
import Primitives
import Support
import Testing

/// Our client with a card on a reader of a real pcscd. The client is a process of its own
/// (`security-key-check`), for a process finds the card service once and for all.
@Suite(
    .enabled(if: CardService.problem == nil, "\(CardService.problem ?? "")"),
    .timeLimit(.minutes(2)), .serialized)
struct CardPeerTests {
    private func authenticator() throws -> SoftwareAuthenticator {
        var configuration = AuthenticatorConfiguration()
        configuration.transports = ["nfc"]
        // The reply to getInfo then exceeds 256 bytes, and certificates make the others long.
        configuration.attestation = .certificate
        return try SoftwareAuthenticator(
            store: MemoryAuthenticatorStore(), configuration: configuration,
            gesture: AutomaticGesture(), clock: SystemWallClock(), random: SystemRandomSource())
    }

    /// Runs the client without and with a card; returns its lines and what the card has seen.
    private func run(
        _ words: String..., pin: String? = nil, habit: VirtualCard.Habit = .none
    ) async throws -> (lines: [String], card: (chained: Int, portions: Int)) {
        let service = try await CardService()
        var environment = service.environment
        environment["KEY_PIN"] = pin
        let client = try RunningProgram(
            [try ClientProgram.path()] + words, environment: environment)
        // There is no card yet, and the client asks for one.
        try await client.line(containing: "prompt insert")
        let card = try VirtualCard(authenticator(), port: service.port, habit: habit)
        let lines = try await client.lines()
        card.leave()
        try await service.end()
        return (lines, card.seen)
    }

    @Test("A card that is put on the reader is registered and signs in; APDUs are chained")
    func ceremony() async throws {
        let (lines, card) = try await run("ceremony")
        #expect(lines.first == "prompt insert")
        #expect(lines.last == "signed in", "\(lines)")
        #expect(card.portions > 0)
    }

    @Test("With a PIN, and long requests in several APDUs")
    func pin() async throws {
        let (lines, card) = try await run("ceremony", pin: "4711é")
        #expect(lines.last == "signed in", "\(lines)")
        #expect(card.chained > 0)
        #expect(card.portions > 0)
    }

    @Test("A card that says it is still at work is asked again")
    func keepalive() async throws {
        let (lines, _) = try await run("ceremony", habit: .takesItsTime)
        #expect(lines.last == "signed in", "\(lines)")
    }

    @Test(
        "A card that is taken off in the middle ends the operation",
        arguments: [CTAPCommand.makeCredential, .getAssertion])
    func removal(_ command: CTAPCommand) async throws {
        let (lines, _) = try await run("ceremony", habit: .leavesAt(command))
        #expect(lines.last == "error keyRemoved", "\(lines)")
    }
}

/// Our client with a card that shares no code with ours, and python-fido2 with ours: a mistake that
/// both of our sides make shows here.
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

/// The client as a process, from where the tests were built.
enum ClientProgram {
    struct NotBuilt: Error {}

    static func path() throws -> String {
        let own = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        let places = [own, own.deletingLastPathComponent(), own.appending(path: "../../..")]
        for place in places {
            let path = place.appending(path: "security-key-check").path()
            if FileManager.default.isExecutableFile(atPath: path) { return path }
        }
        throw NotBuilt()
    }
}
