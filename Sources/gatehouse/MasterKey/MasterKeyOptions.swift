// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import PKCS11

/// The file of the master key, as `serve` finds it: by flags, the environment and the configuration
/// file.
struct MasterKeyOptions: ParsableArguments {
    @OptionGroup var store: StoreOptions
    @Option(
        help: ArgumentHelp(
            "Master key (GATEHOUSE_MASTER_KEY_FILE; default: in the data directory).",
            valueName: "file"))
    var masterKeyFile: String?
    @Option(
        help: ArgumentHelp(
            "Passphrase that opens it (GATEHOUSE_MASTER_KEY_PASSPHRASE).", valueName: "file"))
    var masterKeyPassphraseFile: String?
    @Option(
        help: ArgumentHelp("PKCS#11 module of the token; an absolute path.", valueName: "file"))
    var masterKeyPkcs11Module: String?
    @Option(
        help: ArgumentHelp(
            "Label of the token (default: the only one that is there).", valueName: "label"))
    var masterKeyToken: String?
    @Option(
        help: ArgumentHelp("PIN of the token (GATEHOUSE_MASTER_KEY_PIN).", valueName: "file"))
    var masterKeyPinFile: String?
    @OptionGroup var output: OutputOptions

    /// A person who runs the command may repeat a wrong PIN, but for the last one before a lock.
    func withFile<Value>(_ body: (MasterKeyFile) async throws -> Value) async throws -> Value {
        let values = try store.settings(adding: [
            "master-key-file": masterKeyFile,
            "master-key-passphrase-file": masterKeyPassphraseFile,
            "master-key-pkcs11-module": masterKeyPkcs11Module,
            "master-key-token": masterKeyToken, "master-key-pin-file": masterKeyPinFile,
        ])
        do {
            return try await body(
                MasterKeyFile(try ServeOptions.of(values), caution: .beforeLock))
        } catch { throw SettingOrigins(values).placed(error) }
    }
}

extension MasterKeyFile {
    /// What the file has; there must be one.
    func existingContent() throws -> Content {
        guard let content = try content() else {
            throw CommandError("there is no master key at \(path)", code: .badInput)
        }
        return content
    }
}
