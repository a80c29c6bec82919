// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CTAP
import CommandLineSupport
import JOSE
import Primitives
import UnixSignals

/// `gatehouse security-key emulate`
struct SecurityKeyEmulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "emulate",
        abstract: "Emulate a security key, on a pseudo-terminal or a Unix socket.",
        discussion: """
            Prints the path of the device, which fido2-tools and gatehouse accept as a key, and \
            serves it until it is stopped. The store contains all data of the key, encrypted. The \
            encryption key is in FILE.key in the same directory, is derived from a passphrase, or \
            is sealed in a TPM, which then also creates and stores the private keys. Every program \
            of your account can use the key: it is for tests and for devices without a security \
            key.

            Examples:

              gatehouse security-key emulate --store key.ghsk --touch ask
              gatehouse security-key emulate --store key.ghsk --tpm /dev/tpmrm0
            """)

    enum Touch: String, ExpressibleByArgument, CaseIterable, Sendable {
        case auto, ask, deny
    }

    @Option(help: ArgumentHelp("The file with the data of the key.", valueName: "file"))
    var store: String

    @Option(help: "Touches of the key: auto, ask (at this terminal), deny.")
    var touch = Touch.auto

    @Option(
        help: ArgumentHelp(
            "Read the passphrase of the store from this file (or GATEHOUSE_STORE_PASSPHRASE).",
            valueName: "file"))
    var passphraseFile: String?

    @Option(
        help: ArgumentHelp(
            "Store keys in this TPM: /dev/tpmrm0, or the Unix socket of a software TPM.",
            valueName: "path"))
    var tpm: String?

    @Option(
        help: ArgumentHelp(
            "Listen on this Unix socket, which only you may connect to, instead of a terminal.",
            valueName: "path"))
    var socket: String?

    @Flag(help: "Have a fingerprint sensor, for which every touch is a good sample.")
    var fingerprintSensor = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if tpm != nil, passphraseFile != nil {
            throw ValidationError("use --tpm or --passphrase-file, not both")
        }
    }

    func run() async throws {
        let key = try await open()
        let served: ServedSecurityKey
        do throws(ServingError) {
            served = try key.serve(on: socket.map { .socket(path: $0) } ?? .pty)
        } catch { throw CommandError(error.sentence) }
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint, .sighup)
        let path = served.path ?? ""
        StandardOutput.printNow(
            output.json ? (["device": .string(path)] as JSONValue).text : path)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in signals { break } }
            group.addTask { await served.waitForEnd() }
            await group.next()
            served.stop()
            group.cancelAll()
        }
    }

    private func open() async throws -> EmulatedSecurityKey {
        do {
            if let tpm {
                return try await open(TPMKeyProtector(path: tpm), TPMCredentialKeys(path: tpm))
            }
            let passphrase = try SecretInput.read(
                file: passphraseFile, variable: "GATEHOUSE_STORE_PASSPHRASE")
            if let passphrase {
                return try await open(PassphraseKeyProtector(Secret(passphrase)))
            }
            return try await open(KeyFileProtector(path: store + ".key"))
        } catch let error as AuthenticatorStoreError {
            throw CommandError("\(store): \(error.sentence)")
        }
    }

    private func open(
        _ vault: some KeyProtector, _ hardware: (any CredentialHardware)? = nil
    ) async throws -> EmulatedSecurityKey {
        var configuration = AuthenticatorConfiguration()
        if fingerprintSensor { configuration.verification = .fingerprint }
        return try await EmulatedSecurityKey.open(
            storeAt: store, vault: vault, configuration: configuration, hardware: hardware,
            gesture: gesture, clock: SystemWallClock(), random: SystemRandomSource())
    }

    private var gesture: any UserGesture {
        switch touch {
        case .auto: AutomaticGesture()
        case .deny: AutomaticGesture(.denied)
        case .ask: AskingGesture { await TouchPrompt.ask($0) }
        }
    }
}

extension AuthenticatorStoreError {
    /// What is wrong, for a person.
    fileprivate var sentence: String {
        switch self {
        case .inUse: "another process uses this store"
        case .locked: "the passphrase, the key file or the TPM does not open this store"
        case .damaged: "this is not a store, or it is damaged"
        case .system(let call, let code): "\(call): \(FileCalls.reason(code))"
        case .exposedKeyFile: "others than you can read the key file; use chmod 600"
        case .tpm, .tpmProtocol: "the TPM refused"
        case .derivation: "the passphrase could not be stretched"
        case .rolledBack:
            "this is an older copy of the store: the TPM has counted further, or lost its counter"
        }
    }
}

extension ServingError {
    /// What is wrong, for a person.
    fileprivate var sentence: String {
        switch self {
        case .pathTooLong: "the path of a socket may not have more than about 100 bytes"
        case .inUse: "something is at the path of the socket already"
        case .system(let call, let code):
            "the key cannot be served: \(call): \(FileCalls.reason(code))"
        }
    }
}
