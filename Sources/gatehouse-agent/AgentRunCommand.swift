// SPDX-License-Identifier: Apache-2.0
import Agent
import ArgumentParser
import CommandLineSupport
import PKCS11
import Platform
import Primitives
import UserClient

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `gatehouse-agent run`
struct AgentRunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run the agent, until it is stopped.",
        discussion: """
            SIGTERM stops it, SIGHUP reloads the profiles; it also watches their directory. It \
            uses a socket passed by systemd. Keys are in the TPM if there is one. Existing keys \
            are never replaced by keys in another store.

            Examples:

              sudo gatehouse-agent run --keys tpm
              sudo gatehouse-agent run --keys pkcs11 --token machine --pin-file /etc/gatehouse/pin \\
                --pkcs11-module /usr/lib/softhsm/libsofthsm2.so
            """)

    enum Keys: String, ExpressibleByArgument, CaseIterable, Sendable {
        case auto, tpm, pkcs11, file
    }

    @Option(
        help: ArgumentHelp(
            "Directory of the agent's state (STATE_DIRECTORY, /var/lib/gatehouse-agent).",
            valueName: "dir"))
    var stateDir: String?
    @Option(help: ArgumentHelp("Directory of the profiles.", valueName: "dir"))
    var profiles = "/etc/gatehouse/profiles"
    @Option(
        help: ArgumentHelp(
            "Socket of the agent (GATEHOUSE_AGENT_SOCKET, /run/gatehouse/agent.sock).",
            valueName: "path"))
    var socket: String?
    @Option(help: "The key store: tpm, pkcs11, file, or auto for the TPM if there is one.")
    var keys = Keys.auto
    @Option(help: ArgumentHelp("The TPM: a device, or the socket of swtpm.", valueName: "path"))
    var tpm = "/dev/tpmrm0"
    @Option(
        help: ArgumentHelp(
            "The PKCS#11 module of the token with the keys, an absolute path.", valueName: "path"))
    var pkcs11Module: String?
    @Option(
        help: ArgumentHelp("Label of that token (the only one that is there).", valueName: "label"))
    var token: String?
    @Option(
        help: ArgumentHelp(
            "File with the PIN of that token (GATEHOUSE_AGENT_PIN_FILE), for its owner only.",
            valueName: "file"))
    var pinFile: String?
    @Option(
        help: ArgumentHelp(
            "The PKCS#11 module of people's smart cards; that of the token otherwise.",
            valueName: "path"))
    var cardModule: String?
    @Option(
        help: ArgumentHelp(
            "The security key to touch, if a profile requires presence (a device or a socket); "
                + "any that is connected otherwise.", valueName: "path"))
    var securityKey: String?
    @Option(
        help: ArgumentHelp(
            "A program that may request tokens; repeatable. All programs may if none is named.",
            valueName: "path"))
    var allowProgram: [String] = []
    @Option(
        help: ArgumentHelp("Certificates to trust instead of the system's, PEM.", valueName: "file")
    )
    var ca: String?
    @Option(
        help: ArgumentHelp(
            "A host in a private network from which pictures may be fetched: an IP address, a "
                + "range as 10.1.0.0/16, or a host name; repeatable.", valueName: "place"))
    var pictureAllow: [String] = []
    func run() async throws {
        let environment = ProcessEnvironment.all
        let profiles = URL(filePath: profiles).path
        let folder = stateDir ?? environment["STATE_DIRECTORY"] ?? "/var/lib/gatehouse-agent"
        let choice = KeyStoreChoice(
            keys, before: try StateFile.kind(in: folder), hasTPM: FileCalls.exists(tpm))
        Self.makeProfiles(profiles)
        let process = AgentProcess(
            folder: folder, profiles: profiles, keys: try keyStore(choice.kind, environment),
            cardModule: cardModule ?? pkcs11Module, securityKey: securityKey,
            programs: allowProgram, certificates: try TrustedCertificates.checked(ca),
            pictureHosts: try pictureHosts(),
            listen: { [self] in try agentSocket(environment) },
            missingTPM: choice.isWeaker ? tpm : nil)
        try await process.run()
    }

    /// Creates the directory for profiles if it is missing. Only root can read it, because profiles may
    /// contain a registration token. The directory above also has files of other accounts, such as
    /// the configuration of the provider.
    static func makeProfiles(_ path: String) {
        let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
        if !parent.isEmpty, !FileSystem.exists(parent) {
            try? FileManager.default.createDirectory(
                atPath: parent, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o755])
        }
        try? FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
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

    /// Returns the socket of a service manager, else a new one.
    private func agentSocket(_ environment: [String: String]) throws -> AgentSocket {
        let descriptor = ActivatedSocket.descriptor(
            environment, process: CurrentProcess.id)
        return try descriptor.map { AgentSocket(descriptor: Descriptor(rawValue: $0)) }
            ?? AgentSocket(path: AgentOptions.socketPath(socket))
    }

    private func keyStore(
        _ kind: KeyStoreKind, _ environment: [String: String]
    ) throws -> AgentKeyStore {
        let random = SystemRandomSource()
        guard kind != .tpm || FileCalls.exists(tpm) else {
            throw CommandError(
                "no TPM at \(tpm). Set --tpm to use another TPM, or --keys to use another key store"
            )
        }
        guard kind != .tpm || FileCalls.isDeviceOrSocket(tpm) else {
            throw CommandError(
                "\(tpm) is not a TPM: name a device, or the socket of swtpm", code: .badInput)
        }
        guard kind == .pkcs11 else { return AgentKeyStore(kind, tpm: tpm, random: random) }
        guard let pkcs11Module else {
            throw CommandError("--keys pkcs11 requires --pkcs11-module", code: .badInput)
        }
        guard let path = pinFile ?? environment["GATEHOUSE_AGENT_PIN_FILE"] else {
            throw CommandError("--keys pkcs11 requires --pin-file", code: .badInput)
        }
        let token = TokenKeys(
            module: pkcs11Module, label: token, pin: try PINFile.read(path))
        return AgentKeyStore(.pkcs11, token: token, random: random)
    }
}
