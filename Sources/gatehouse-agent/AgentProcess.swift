import Agent
// SPDX-License-Identifier: Apache-2.0
import AgentClient
import CTAP
import CommandLineSupport
import Logging
import PKCS11
import Platform
import Primitives
import SSOExtensions
import UnixSignals
import UserClient

/// The agent's process: it creates the parts, handles signals and ends.
struct AgentProcess: Sendable {
    let folder: String
    let profiles: String
    let keys: AgentKeyStore
    /// Absolute path of the PKCS#11 module for smart cards.
    let cardModule: String?
    /// The path of the only security key to use; `nil` for all connected ones.
    let securityKey: String?
    let programs: [String]
    let certificates: String?
    /// Hosts without a public IP address from which avatars may be loaded.
    let pictureHosts: [OutgoingRequestPolicy.Permission]
    /// Opens the socket, after this process has locked the state.
    let listen: @Sendable () throws -> AgentSocket
    /// The path of a missing TPM, if new keys are stored in a file instead.
    var missingTPM: String?

    /// Why it ends.
    private enum End: Sendable {
        case signal
        case failure(String)
    }

    func run() async throws {
        let log = Self.logger
        let (agent, socket) = try await opened(log)
        defer { socket.remove() }
        if let missingTPM {
            log.warning(
                "no TPM; keys are made in a file, and stay there",
                metadata: ["tpm": "\(missingTPM)", "otherwise": "--keys tpm or pkcs11"])
        }
        let (ends, end) = AsyncStream<End>.makeStream()
        let timer = WakeTimer(clock: SystemWallClock()) { Task { await agent.woke() } }
        try await agent.start(
            wake: { timer.set($0) },
            failure: { end.yield(.failure("the state cannot be saved: \($0)")) })
        let signals = Task { await Self.listen(agent) { end.yield(.signal) } }
        defer { signals.cancel() }
        let server = try await AgentServer(
            agent, at: .descriptor(socket.descriptor.rawValue), programs: programs)
        let serving = Task { try? await server.run() }
        defer { serving.cancel() }
        let watch = watched(agent, log)
        defer { watch?.stop() }
        log.notice("ready", metadata: ["keys": "\(keys.kind.rawValue)"])
        for await case .failure(let text) in ends.prefix(1) { throw CommandError(text) }
    }

    /// Reads the profiles again when they change, until the watch is stopped.
    private func watched(_ agent: Agent, _ log: Logger) -> ProfileWatch? {
        let watch = ProfileWatch(profiles) { Task { await agent.reload() } }
        if watch == nil {
            log.warning(
                "changes of profiles are not noticed; use SIGHUP",
                metadata: ["folder": "\(profiles)"])
        }
        // What changed after they were read, and before they were watched.
        Task { await agent.reload() }
        return watch
    }

    private func opened(_ log: Logger) async throws -> (Agent, AgentSocket) {
        let random = SystemRandomSource()
        let exchange = ProviderExchange(
            web: WebClient(trustedCertificates: certificates), clock: SystemWallClock(),
            random: random)
        do {
            let file = try StateFile(folder: folder, keys: keys, random: random)
            let pictures = RestrictedWebClient(
                OutgoingRequestPolicy(pictureHosts, asksOwnMachine: false),
                trustedCertificates: certificates)
            let builtIn = BuiltInExtensions(
                GatehouseExtension(exchange: exchange, keys: keys, pictures: pictures))
            let extensions = InstalledExtensions(folder: ExtensionFolder(), otherwise: builtIn) {
                log.info("extension", metadata: ["extension": "\($0)", "event": "\($1)"])
            }
            let agent = try await Agent(
                file: file, keys: keys, profiles: ProfileFolder(path: profiles),
                exchange: exchange,
                extensions: extensions,
                facts: .ofThisMachine(), cards: cardModule.map { CardReader(module: $0) },
                securityKeys: PresenceKeys(
                    source: ConnectedAuthenticators.source(path: securityKey, random: random),
                    random: random),
                notices: AgentLog(log), isInSetup: { LocalDeviceAttributes.isInSetup() })
            return (agent, try listen())
        } catch let error as AuthenticatorStoreError {
            throw CommandError("\(folder): \(Self.sentence(error))")
        } catch let error as KeyStoreError {
            throw CommandError("\(error)")
        } catch let error as PKCS11Error { throw CommandError("\(error)") }
    }

    private static func sentence(_ error: AuthenticatorStoreError) -> String {
        switch error {
        case .inUse: "another agent runs"
        case .locked: "the state was sealed by another device or key, or was changed"
        case .damaged: "the state is damaged"
        case .exposedKeyFile: "others can read the key; use chmod 600"
        case .system(let call, let code): "\(call): \(Errno(rawValue: code))"
        case .tpm, .tpmProtocol: "the TPM refused"
        case .derivation, .rolledBack: "the state cannot be opened"
        }
    }

    private static func listen(_ agent: Agent, _ stop: @Sendable () -> Void) async {
        for await signal in await UnixSignalsSequence(trapping: .sigterm, .sigint, .sighup) {
            if signal == .sighup { await agent.reload() } else { return stop() }
        }
    }

    private static var logger: Logger {
        let level = LineLogHandler.Level(.info)
        return Logger(label: "agent") { label in
            LineLogHandler(
                label: label, format: StandardError.isTerminal ? .text(colour: true) : .json,
                level: level)
        }
    }
}

/// The agent's notices as lines of its log: no secret is in them, and names of accounts are.
struct AgentLog: AgentEventLog {
    private let log: Logger

    init(_ log: Logger) { self.log = log }

    func prompt(_ subject: RegistrationSubject) {
        switch subject {
        case .device:
            log.notice(
                "the device must be registered", metadata: ["run": "gatehouse-agent register user"])
        case .person(let name):
            log.notice(
                "a person waits to be registered",
                metadata: ["account": "\(name)", "run": "gatehouse-agent register user"])
        }
    }

    func signInDue(_ person: String, _ reason: SignInSchedule.Reason) {
        log.notice(
            "sign-in required",
            metadata: ["account": "\(person)", "reason": "\(reason.rawValue)"])
    }

    func registrationFailed(_ subject: RegistrationSubject, _ reason: String) {
        let what: Logger.Metadata =
            switch subject {
            case .device: ["reason": "\(reason)"]
            case .person(let name): ["account": "\(name)", "reason": "\(reason)"]
            }
        log.warning("a registration did not succeed", metadata: what)
    }

    func failed(_ what: String, _ error: any Error) {
        log.warning("failed", metadata: ["what": "\(what)", "error": "\(error)"])
    }
}
