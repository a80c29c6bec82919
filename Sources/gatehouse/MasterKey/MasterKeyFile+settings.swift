// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import PKCS11
import Platform
import Primitives

extension MasterKeyFile {
    static let passphraseVariable = "GATEHOUSE_MASTER_KEY_PASSPHRASE"
    static let pinVariable = "GATEHOUSE_MASTER_KEY_PIN"

    /// The file that the settings name, with what opens it.
    ///
    /// - Parameters:
    ///   - environment: has the passphrase and the PIN if no file is named.
    ///   - caution: The strictest is for services, which are started again.
    init(
        _ options: ServeOptions, environment: [String: String] = ProcessEnvironment.all,
        caution: PINCaution = .afterWrongPIN
    ) throws(CommandError) {
        let settings = options.masterKey
        let directory = options.dataDir?.text ?? ServeConfiguration.usualDataDirectory
        self.init(
            path: settings.masterKeyFile?.text ?? DataDirectory(path: directory).masterKey,
            passphrase: try Self.secret(
                settings.masterKeyPassphraseFile, of: "master-key-passphrase-file",
                environment[Self.passphraseVariable]),
            token: try Self.token(settings, environment, caution))
    }

    private static func token(
        _ settings: MasterKeySettings, _ environment: [String: String], _ caution: PINCaution
    ) throws(CommandError) -> TokenKeys? {
        guard let module = settings.masterKeyPkcs11Module?.text else {
            for (name, value) in [
                ("master-key-token", settings.masterKeyToken?.text),
                ("master-key-pin-file", settings.masterKeyPinFile?.text),
            ] where value != nil {
                throw CommandError(
                    "\(name) requires master-key-pkcs11-module", code: .badInput, setting: name)
            }
            return nil
        }
        let pin = try secret(
            settings.masterKeyPinFile, of: "master-key-pin-file", environment[pinVariable])
        guard let pin else {
            throw CommandError(
                "a token needs its PIN: set master-key-pin-file or \(pinVariable)",
                code: .badInput, setting: "master-key-pkcs11-module")
        }
        return TokenKeys(
            module: module, label: settings.masterKeyToken?.text, pin: pin, caution: caution)
    }

    /// A secret from a file, else from the environment.
    static func secret(
        _ file: PathSetting?, of setting: String, _ value: String?
    ) throws(CommandError) -> Secret? {
        guard let file else {
            return value.flatMap { $0.isEmpty ? nil : Secret($0) }
        }
        let content = try SettingFile.read(file.text, of: setting, limit: 4096)
        guard String(validating: content, as: UTF8.self) != nil else {
            throw CommandError("\(file.text) is not text", code: .badInput, setting: setting)
        }
        // A line's end is the editor's, not the secret's.
        let secret = content.last == UInt8(ascii: "\n") ? content.dropLast() : content[...]
        guard !secret.isEmpty else {
            throw CommandError("\(file.text) is empty", code: .badInput, setting: setting)
        }
        return Secret(secret)
    }

    /// The path of the file that is replaced: where a link leads to.
    ///
    /// - Throws: ``CommandError`` if the file is of another account, because the new file would be of
    ///   this one and the service could not read it.
    var replaceablePath: String {
        get throws {
            guard let target = FileSystem.resolved(path) else {
                throw CommandError("\(path) is missing", code: .badInput)
            }
            let owner = try FileStatus(target).owner
            guard owner == SystemAccount.effectiveUser else {
                let name = SystemAccount(id: owner)?.name ?? "\(owner)"
                throw CommandError(
                    "\(target) belongs to \(name); run this command as that account: "
                        + "sudo -u \(name) gatehouse master-key …", code: .badInput)
            }
            return target
        }
    }
}
