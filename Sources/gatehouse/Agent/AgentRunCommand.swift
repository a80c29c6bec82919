// SPDX-License-Identifier: Apache-2.0
import Agent
import ArgumentParser
import Foundation

/// `gatehouse agent run`
struct AgentRunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run the agent, until it is stopped.",
        discussion: """
            SIGTERM ends it, SIGHUP has it read the profiles again; changes in the folder it notices \
            itself. A socket that systemd hands over is used. Keys live in the TPM where there is \
            one; where they were made once they stay, and a weaker place is never taken instead.

            Example: sudo gatehouse agent run --keys tpm
            """)

    enum Keys: String, ExpressibleByArgument, CaseIterable, Sendable {
        case auto, tpm, file
    }

    @Option(
        help: ArgumentHelp(
            "Where its state is (STATE_DIRECTORY, /var/lib/gatehouse-agent).", valueName: "dir"))
    var stateDir: String?
    @Option(help: ArgumentHelp("Where profiles are.", valueName: "dir"))
    var profiles = "/etc/gatehouse/profiles"
    @Option(
        help: ArgumentHelp(
            "Its socket (GATEHOUSE_AGENT_SOCKET, /run/gatehouse/agent.sock).", valueName: "path"))
    var socket: String?
    @Option(help: "Where keys live: tpm, file, or auto for the TPM where there is one.")
    var keys = Keys.auto
    @Option(help: ArgumentHelp("The TPM: a device, or the socket of swtpm.", valueName: "path"))
    var tpm = "/dev/tpmrm0"
    @Option(
        help: ArgumentHelp(
            "A program that may ask for tokens; repeatable. All may when none is named.",
            valueName: "path"))
    var allowProgram: [String] = []
    @Option(
        help: ArgumentHelp("Certificates to trust instead of the system's, PEM.", valueName: "file")
    )
    var ca: String?

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        let folder = stateDir ?? environment["STATE_DIRECTORY"] ?? "/var/lib/gatehouse-agent"
        let kind: KeyStoreKind
        switch keys {
        case .tpm: kind = .tpm
        case .file: kind = .file
        case .auto:
            let before = try StateFile.kind(in: folder)
            kind = before ?? (FileCalls.exists(tpm) ? .tpm : .file)
        }
        let descriptor = ActivatedSocket.descriptor(
            environment, process: ProcessInfo.processInfo.processIdentifier)
        let process = AgentProcess(
            folder: folder, profiles: profiles, kind: kind, tpm: tpm, programs: allowProgram,
            certificates: ca,
            place: descriptor.map { .descriptor($0) } ?? .path(AgentOptions.socketPath(socket)))
        try await process.run()
    }
}
