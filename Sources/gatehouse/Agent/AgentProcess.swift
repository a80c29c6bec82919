// SPDX-License-Identifier: Apache-2.0
import Agent
import CTAP
import Foundation
import Logging
import PKCS11
import Primitives
import SSOExtensions
import UnixSignals
import UserClient

/// The agent as a process: its parts put together, its signals, its end.
struct AgentProcess: Sendable {
    let folder: String
    let profiles: String
    let keys: KeyStore
    /// Absolute path of the PKCS#11 module for smart cards.
    let cardModule: String?
    let programs: [String]
    let certificates: String?
    let place: AgentServer.Place
    /// Where a TPM was looked for, when new keys go into a file because it is not there.
    var missingTPM: String?

    /// Why it ends.
    private enum End: Sendable {
        case signal
        case failure(String)
    }

    func run() async throws {
        let log = Self.logger
        let agent = try await opened(log)
        if let missingTPM {
            log.warning(
                "no TPM; keys are made in a file, and stay there",
                metadata: ["tpm": "\(missingTPM)", "otherwise": "--keys tpm or pkcs11"])
        }
        prepareFolders()
        let server = try await AgentServer(agent, at: place, programs: programs)
        if case .path(let path) = place { chmod(path, 0o666) }
        let (ends, end) = AsyncStream<End>.makeStream()
        // Watched before they are read: what changes in between is read again.
        let (changes, change) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let watch = FolderWatch(profiles, includingContent: true) { _ in change.yield() }
        let timer = WakeTimer(clock: SystemWallClock()) { Task { await agent.woke() } }
        try await agent.start(
            wake: { timer.set($0) },
            failure: { end.yield(.failure("the state cannot be saved: \($0)")) })
        let reading = Task { for await _ in changes { await agent.reload() } }
        if watch == nil {
            log.warning(
                "changes of profiles are not noticed; use SIGHUP",
                metadata: ["folder": "\(profiles)"])
        }
        let serving = Task { try await server.run() }
        let signals = Task { await Self.listen(agent) { end.yield(.signal) } }
        log.notice("ready", metadata: ["keys": "\(keys.kind.rawValue)"])
        for await reason in ends {
            watch?.stop()
            reading.cancel()
            serving.cancel()
            signals.cancel()
            remove()
            if case .failure(let text) = reason { throw CommandError(text) }
            return
        }
    }

    private func opened(_ log: Logger) async throws -> Agent {
        let random = SystemRandomSource()
        let exchange = ProviderExchange(
            web: WebClient(trustedCertificates: certificates), clock: SystemWallClock(),
            random: random)
        do {
            let file = try StateFile(folder: folder, keys: keys, random: random)
            let builtIn = BuiltInExtensions(GatehouseExtension(exchange: exchange, keys: keys))
            let extensions = InstalledExtensions(folder: ExtensionFolder(), otherwise: builtIn) {
                log.info("extension", metadata: ["extension": "\($0)", "event": "\($1)"])
            }
            return try await Agent(
                file: file, keys: keys, profiles: ProfileFolder(path: profiles),
                exchange: exchange,
                extensions: extensions,
                facts: .ofThisMachine(), cards: cardModule.map { CardReader(module: $0) },
                notices: AgentLog(log))
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
        case .system(let call, let code): "\(call): \(String(cString: strerror(code)))"
        case .tpm, .tpmProtocol: "the TPM refused"
        case .derivation, .rolledBack: "the state cannot be opened"
        }
    }

    private static func listen(_ agent: Agent, _ stop: @Sendable () -> Void) async {
        for await signal in await UnixSignalsSequence(trapping: .sigterm, .sigint, .sighup) {
            if signal == .sighup { await agent.reload() } else { return stop() }
        }
    }

    /// Both may be missing on a machine that has no profile yet.
    private func prepareFolders() {
        let manager = FileManager.default
        // Profiles may hold a registration token.
        try? manager.createDirectory(
            atPath: profiles, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        guard case .path(let path) = place else { return }
        let parent = URL(filePath: path).deletingLastPathComponent().path()
        try? manager.createDirectory(atPath: parent, withIntermediateDirectories: true)
    }

    private func remove() { if case .path(let path) = place { unlink(path) } }

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
struct AgentLog: AgentNotices {
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
            "a person has to sign in",
            metadata: ["account": "\(person)", "reason": "\(reason.rawValue)"])
    }

    func failed(_ what: String, _ error: any Error) {
        log.warning("failed", metadata: ["what": "\(what)", "error": "\(error)"])
    }
}
