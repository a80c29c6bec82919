// SPDX-License-Identifier: Apache-2.0
import CTAP
import Foundation
import Primitives
import Testing

/// python-fido2 of PyPI uses the software key through a pty. Its own assertions decide.
@Suite(
    .enabled(if: PeerProgram.hasPython, "python-fido2 is not in .venv"), .timeLimit(.minutes(3)))
struct PythonSecurityKeyPeerTests {
    private func run(
        _ scenario: String, _ gesture: any UserGesture = AutomaticGesture(),
        _ change: (inout AuthenticatorConfiguration) -> Void = { _ in }
    ) async throws {
        var configuration = AuthenticatorConfiguration()
        change(&configuration)
        let random = SystemRandomSource()
        let key = try SoftwareAuthenticator(
            store: MemoryAuthenticatorStore(), configuration: configuration, gesture: gesture,
            clock: SystemWallClock(), random: random)
        let served = try EmulatedSecurityKey(key, random: random).serve(on: .pty)
        let program = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "python_fido2_client.py").path()
        let outcome = try await PeerProgram.run(
            [PeerProgram.python, program, try #require(served.path), scenario])
        served.stop()
        await served.waitForEnd()
        #expect(outcome.output == "ok\n", "\(outcome.errors)")
    }

    @Test(
        "python-fido2 does with the software key what it does with a real one",
        arguments: [
            "ceremonies", "pins", "extensions", "management", "blobs", "u2f", "transport",
        ])
    func scenario(_ name: String) async throws { try await run(name) }

    @Test("python-fido2 gets enterprise attestation and changes the configuration")
    func configuration() async throws {
        try await run("configuration") { $0.enterpriseRPIDs = [] }
    }

    @Test("python-fido2 enrols a finger and verifies with it")
    func fingerprints() async throws {
        try await run("fingerprints") { $0.verification = .fingerprint }
    }

    @Test("python-fido2 cancels an operation that waits for a touch")
    func cancel() async throws {
        let gesture = ScriptedGesture()
        gesture.waitForCancel()
        try await run("cancel", gesture)
    }
}
