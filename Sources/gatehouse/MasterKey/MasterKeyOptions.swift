// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import PKCS11

/// The file of the master key, as `serve` finds it: by flags, the environment and the configuration
/// file.
struct MasterKeyOptions: ParsableArguments {
    @OptionGroup var store: StoreOptions
    @OptionGroup var masterKey: MasterKeySettings
    @OptionGroup var output: OutputOptions

    /// A person who runs the command may repeat a wrong PIN, but for the last one before a lock.
    func withFile<Value>(_ body: (MasterKeyFile) async throws -> Value) async throws -> Value {
        let values = try store.settings(adding: masterKey.flags)
        do {
            return try await body(
                MasterKeyFile(try ServeOptions.of(values), caution: .beforeLock))
        } catch { throw SettingOrigins(values).placed(error) }
    }

    /// The same for a command that opens the key: without another source, a person enters the
    /// passphrase at the terminal.
    func withOpenableFile<Value>(
        _ body: (MasterKeyFile) async throws -> Value
    ) async throws -> Value {
        try await withFile { try await body(try await $0.withPassphrase(from: .ofMasterKey)) }
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
