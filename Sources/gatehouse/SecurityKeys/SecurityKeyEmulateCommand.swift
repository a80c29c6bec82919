// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CTAP
import JOSE
import Primitives
import UnixSignals

/// `gatehouse security-key emulate`
struct SecurityKeyEmulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "emulate",
        abstract: "Be a security key, on a pseudo-terminal.",
        discussion: """
            Prints the path of the device, which fido2-tools and gatehouse take as a key, and \
            serves it until it is stopped. Everything on the key is in the store, encrypted; its \
            key lies beside it in FILE.key, or comes from a passphrase. Whoever can run programs \
            as you can use the key: it is for tests and for machines without another one.

            Example: gatehouse security-key emulate --store key.ghsk --touch ask
            """)

    enum Touch: String, ExpressibleByArgument, CaseIterable, Sendable {
        case auto, ask, deny
    }

    @Option(help: ArgumentHelp("Where the key is kept.", valueName: "file"))
    var store: String

    @Option(help: "Who touches the key: auto, ask (at this terminal), deny.")
    var touch = Touch.auto

    @Option(
        help: ArgumentHelp(
            "Read the passphrase of the store from this file (or GATEHOUSE_STORE_PASSPHRASE).",
            valueName: "file"))
    var passphraseFile: String?

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let key = try await open()
        let served: ServedSecurityKey
        do throws(ServingError) { served = try key.serve(on: .pty) } catch {
            throw CommandError("no pseudo-terminal can be had: \(error)")
        }
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint, .sighup)
        let path = served.path ?? ""
        StandardOutput.printNow(
            output.json ? (["device": .string(path)] as JSONValue).text : path)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in signals { break } }
            group.addTask { await served.ended() }
            await group.next()
            served.stop()
            group.cancelAll()
        }
    }

    private func open() async throws -> EmulatedSecurityKey {
        let passphrase = try SecretInput.read(
            file: passphraseFile, variable: "GATEHOUSE_STORE_PASSPHRASE")
        do {
            if let passphrase {
                return try await open(PassphraseVault(Secret(passphrase)))
            }
            return try await open(KeyFileVault(path: store + ".key"))
        } catch let error as AuthenticatorStoreError {
            throw CommandError("\(store): \(error.sentence)")
        }
    }

    private func open(_ vault: some KeyVault) async throws -> EmulatedSecurityKey {
        try await EmulatedSecurityKey.open(
            storeAt: store, vault: vault, gesture: gesture, clock: SystemWallClock(),
            random: SystemRandomSource())
    }

    private var gesture: any UserGesture {
        switch touch {
        case .auto: AutomaticGesture()
        case .deny: AutomaticGesture(.denied)
        case .ask: AskingGesture { await TouchQuestion.ask($0) }
        }
    }
}

extension AuthenticatorStoreError {
    /// What is wrong, for a person.
    fileprivate var sentence: String {
        switch self {
        case .inUse: "another process uses this store"
        case .locked: "the passphrase or the key file does not open this store"
        case .damaged: "this is not a store, or it is damaged"
        case .system(let call, let code): "\(call) failed with code \(code)"
        case .exposedKeyFile: "others than you can read the key file; use chmod 600"
        case .tpm, .tpmProtocol: "the TPM refused"
        case .derivation: "the passphrase could not be stretched"
        }
    }
}
