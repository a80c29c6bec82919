// SPDX-License-Identifier: Apache-2.0
import Agent
import AgentWaiting
import ArgumentParser
import Foundation
import PKCS11
import Platform
import Primitives
import UserClient

/// `gatehouse agent run`
struct AgentRunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run the agent, until it is stopped.",
        discussion: """
            SIGTERM ends it, SIGHUP has it read the profiles again; changes in the folder it notices \
            itself. A socket that systemd hands over is used. Keys live in the TPM where there is \
            one; where they were made once they stay, and another place is never taken instead.

            Examples:

              sudo gatehouse agent run --keys tpm
              sudo gatehouse agent run --keys pkcs11 --token machine --pin-file /etc/gatehouse/pin \\
                --pkcs11-module /usr/lib/softhsm/libsofthsm2.so
            """)

    enum Keys: String, ExpressibleByArgument, CaseIterable, Sendable {
        case auto, tpm, pkcs11, file
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
    @Option(help: "Where keys live: tpm, pkcs11, file, or auto for the TPM where there is one.")
    var keys = Keys.auto
    @Option(help: ArgumentHelp("The TPM: a device, or the socket of swtpm.", valueName: "path"))
    var tpm = "/dev/tpmrm0"
    @Option(
        help: ArgumentHelp(
            "The PKCS#11 module of the token that keeps the keys, absolute.", valueName: "path"))
    var pkcs11Module: String?
    @Option(
        help: ArgumentHelp("The label of that token; the only one otherwise.", valueName: "label"))
    var token: String?
    @Option(
        help: ArgumentHelp(
            "Where the PIN of that token is (GATEHOUSE_AGENT_PIN_FILE), for its owner only.",
            valueName: "file"))
    var pinFile: String?
    @Option(
        help: ArgumentHelp(
            "The PKCS#11 module of people's smart cards; that of the token otherwise.",
            valueName: "path"))
    var cardModule: String?
    @Option(
        help: ArgumentHelp(
            "The security key to touch, where a profile asks for presence (a device or a socket); "
                + "any that is connected otherwise.", valueName: "path"))
    var securityKey: String?
    @Option(
        help: ArgumentHelp(
            "A program that may ask for tokens; repeatable. All may when none is named.",
            valueName: "path"))
    var allowProgram: [String] = []
    @Option(
        help: ArgumentHelp("Certificates to trust instead of the system's, PEM.", valueName: "file")
    )
    var ca: String?
    @Option(
        help: ArgumentHelp(
            "A machine that is no public one and may be asked for people's pictures: an address, a "
                + "range as 10.1.0.0/16, or a name; repeatable.", valueName: "place"))
    var pictureAllow: [String] = []
    @Option(
        help: ArgumentHelp(
            "When nobody has come for so long it rests, and takes next to no memory; 0 for never.",
            valueName: "seconds"))
    var restAfter = 30

    func run() async throws {
        guard 0...86_400 ~= restAfter else {
            throw CommandError("--rest-after is 0 to 86400 seconds", code: .badInput)
        }
        let environment = ProcessEnvironment.all
        let left = AgentWaiter.left(environment)
        let profiles = URL(filePath: profiles).path
        let folder = stateDir ?? environment["STATE_DIRECTORY"] ?? "/var/lib/gatehouse-agent"
        let choice = KeyStoreChoice(
            keys, before: try StateFile.kind(in: folder), hasTPM: FileCalls.exists(tpm))
        // Missing on a machine that has no profile yet. Profiles may hold a registration token.
        try? FileManager.default.createDirectory(
            atPath: profiles, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let process = AgentProcess(
            folder: folder, profiles: profiles, keys: try keyStore(choice.kind, environment),
            cardModule: cardModule ?? pkcs11Module, securityKey: securityKey,
            programs: allowProgram, certificates: try TrustedCertificates.checked(ca),
            pictureHosts: try pictureHosts(),
            listen: { [self] in try agentSocket(left?.socket, environment) },
            program: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"),
            restAfter: restAfter == 0 ? nil : .seconds(Int64(restAfter)),
            memory: left.flatMap { IdleProcessState(reading: $0.memory) },
            missingTPM: choice.isWeaker ? tpm : nil)
        try await process.run()
    }

    private func pictureHosts() throws -> [OutgoingRequestPolicy.Permission] {
        try pictureAllow.map { text in
            guard let permission = OutgoingRequestPolicy.Permission(text) else {
                throw CommandError(
                    "--picture-allow is an address, a range as 10.1.0.0/16, or a host name, not "
                        + "\"\(text)\"", code: .badInput)
            }
            return permission
        }
    }

    /// Returns the socket from before the idle time, else that of a service manager, else a new
    /// one.
    private func agentSocket(
        _ rested: Descriptor?, _ environment: [String: String]
    ) throws -> AgentSocket {
        let descriptor = ActivatedSocket.descriptor(
            environment, process: ProcessInfo.processInfo.processIdentifier)
        let path = AgentOptions.socketPath(socket)
        if let rested {
            return AgentSocket(descriptor: rested, path: descriptor == nil ? path : "")
        }
        return try descriptor.map { AgentSocket(descriptor: Descriptor(rawValue: $0)) }
            ?? AgentSocket(path: path)
    }

    private func keyStore(
        _ kind: KeyStoreKind, _ environment: [String: String]
    ) throws -> AgentKeyStore {
        let random = SystemRandomSource()
        guard kind != .tpm || FileCalls.exists(tpm) else {
            throw CommandError(
                "there is no TPM at \(tpm), and keys are made in no weaker place; --tpm names another"
            )
        }
        guard kind != .tpm || FileCalls.isDeviceOrSocket(tpm) else {
            throw CommandError(
                "\(tpm) is no TPM: that is a device, or the socket of swtpm", code: .badInput)
        }
        guard kind == .pkcs11 else { return AgentKeyStore(kind, tpm: tpm, random: random) }
        guard let pkcs11Module else {
            throw CommandError("keys on a token need --pkcs11-module", code: .badInput)
        }
        guard let path = pinFile ?? environment["GATEHOUSE_AGENT_PIN_FILE"] else {
            throw CommandError("keys on a token need --pin-file", code: .badInput)
        }
        let token = TokenKeys(
            module: pkcs11Module, label: token, pin: try PINFile.read(path))
        return AgentKeyStore(.pkcs11, token: token, random: random)
    }
}
