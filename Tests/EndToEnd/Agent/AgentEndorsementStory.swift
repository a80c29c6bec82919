// SPDX-License-Identifier: Apache-2.0
import AttestationSupport
import Foundation
import Support
import Testing

extension EndToEndAgent {
    /// Devices whose TPM proves its manufacturer: swtpm's, with a certificate of a test
    /// manufacturer.
    @Suite(
        "The agent's TPM",
        .enabled(if: TerminalSession.isAvailable && Repository.has("swtpm"), "needs tmux and swtpm")
    )
    struct AgentEndorsementStory {
        private static func machine(
            _ name: String, _ server: ServerProcess, _ token: String, _ chip: SoftwareTPM
        ) throws -> AgentMachine {
            let machine = try AgentMachine(name, arguments: ["--keys", "tpm", "--tpm", chip.path])
            try machine.install(.init(issuer: server.issuer, token: token))
            return machine
        }

        @Test(
            "a machine with a TPM of a known maker registers by itself, one of another maker does not",
            arguments: SoftwareTPM.EndorsementKind.allCases)
        func makers(_ kind: SoftwareTPM.EndorsementKind) async throws {
            let (maker, other) = (try EndorsementAuthority(), try EndorsementAuthority())
            let root = Data(try maker.root).base64EncodedString()
            let (server, token) = try await ServerProcess.withMachines(
                "agent-endorsed-provider-\(kind)", uses: 2,
                settings: [
                    "attestation": ["tpm"], "attestation_tpm_endorsement_roots": [.string(root)],
                ])
            let (chip, strange) = (try await SoftwareTPM(), try await SoftwareTPM())
            for (chip, maker) in [(chip, maker), (strange, other)] {
                try chip.leave(
                    certificate: try maker.certify(try chip.endorsementArea(kind)), of: kind)
            }
            let machine = try Self.machine("agent-endorsed-\(kind)", server, token, chip)
            let agent = try machine.start()
            _ = try await machine.registered()
            let listed = try await Command.gatehouse(
                "admin", "devices", "list", "--json", "--data-dir", server.dataDirectory)
            #expect(listed.output.contains("endorsement_key"), "\(listed.output)")
            #expect(listed.output.contains("id:49424D00"))
            #expect(try await agent.stop() == 0)

            let stranger = try Self.machine("agent-strange-\(kind)", server, token, strange)
            let running = try stranger.start()
            try await stranger.answers()
            let reason = try await eventually("the registration is refused") {
                try await stranger.status()["devices"].array?.first?["reason"].string
            }
            #expect(reason.contains("activation_missing") && reason.contains("chain_untrusted"))
            #expect(try await server.livingMachines() == 1)
            #expect(try await running.stop() == 0)
            try await server.stop()
        }
    }
}
