// SPDX-License-Identifier: Apache-2.0
import Agent
import AgentWaiting
import CTAP
import Foundation
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
    /// The path of this program, for the restart after an idle time.
    let program: String
    /// The time without connections after which the agent becomes idle; `nil` for never.
    let restAfter: TimeSpan?
    /// The state that the previous agent process saved before it became idle.
    let memory: IdleProcessState?
    /// The path of a missing TPM, if new keys are stored in a file instead.
    var missingTPM: String?

    /// The reason to stop serving.
    enum End: Sendable {
        case signal
        case failure(String)
        /// No client has connected for a while.
        case quiet
    }

    /// The agent, and the parts that the idle process needs.
    private struct Parts {
        let agent: Agent
        let file: StateFile
        let socket: AgentSocket
        let extensions: InstalledExtensions
    }

    func run() async throws {
        let log = Self.logger
        let parts = try await opened(log)
        let agent = parts.agent
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
        var mayRest = restAfter != nil
        var spell = try await awake(parts, log, mayRest) { end.yield(.quiet) }
        log.notice(memory == nil ? "ready" : "awake", metadata: ["keys": "\(keys.kind.rawValue)"])
        for await reason in ends {
            let isAlone = await spell.end()
            switch reason {
            case .quiet:
                if isAlone { mayRest = await rest(parts, timer, log) }
                spell = try await awake(parts, log, mayRest) { end.yield(.quiet) }
            case .signal, .failure:
                spell.stop()
                parts.socket.remove()
                if case .failure(let text) = reason { throw CommandError(text) }
                return
            }
        }
    }

    private func awake(
        _ parts: Parts, _ log: Logger, _ mayRest: Bool, quiet: @escaping @Sendable () -> Void
    ) async throws -> AgentServingPeriod {
        let server = try await AgentServer(
            parts.agent, at: .descriptor(try parts.socket.duplicate()), programs: programs)
        return AgentServingPeriod(
            parts.agent, server, profiles: profiles, restAfter: mayRest ? restAfter : nil, log,
            quiet: quiet)
    }

    /// Returns only where there can be no rest now: whether there can be one later.
    private func rest(_ parts: Parts, _ timer: WakeTimer, _ log: Logger) async -> Bool {
        await parts.extensions.unload()
        // Watched before they are read again, so that nothing is missed in between.
        let changes = ProfileFolder(path: profiles).watch()
        await parts.agent.reload()
        guard let restAfter, let rest = await parts.agent.rest(atLeast: restAfter) else {
            changes?.close()
            return true
        }
        log.info("resting")
        do throws(IdleProcessError) {
            try rest.begin(
                socket: parts.socket.descriptor, file: parts.file,
                profiles: changes,
                path: parts.socket.path, clock: SystemWallClock(), program: program,
                arguments: CommandLine.arguments)
        } catch {
            log.warning("agent cannot become idle", metadata: ["reason": "\(error)"])
        }
        timer.set(rest.wake)
        return false
    }

    private func opened(_ log: Logger) async throws -> Parts {
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
                notices: AgentLog(log), isInSetup: { LocalDeviceAttributes.isInSetup() },
                memory: memory)
            return Parts(
                agent: agent, file: file, socket: try listen(), extensions: extensions)
        } catch let error as AuthenticatorStoreError {
            throw CommandError("\(folder): \(Self.sentence(error))")
        } catch let error as KeyStoreError {
            throw CommandError("\(error)")
        } catch let error as PKCS11Error { throw CommandError("\(error)") }
    }

    private static func sentence(_ error: AuthenticatorStoreError) -> String {
        switch error {
        case .inUse: "another agent runs"
        case .locked: "the state was sealed by another machine or key, or was changed"
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
                "the machine waits to be registered", metadata: ["run": "gatehouse register user"])
        case .person(let name):
            log.notice(
                "a person waits to be registered",
                metadata: ["account": "\(name)", "run": "gatehouse register user"])
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
