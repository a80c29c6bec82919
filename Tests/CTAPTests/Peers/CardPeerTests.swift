// SPDX-License-Identifier: Apache-2.0
import CTAP
import Primitives
import Testing

/// The client with a card on a reader of a real pcscd. The client is a separate process
/// (`security-key-check`), because a process finds the card service only once.
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
