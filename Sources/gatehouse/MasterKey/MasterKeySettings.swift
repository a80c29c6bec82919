// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// The settings of the master key: of `serve`, and of the commands that open the key.
struct MasterKeySettings: SettingOptions {
    @Option(help: ArgumentHelp("Master key (DATA_DIR/master.key).", valueName: "file"))
    var masterKeyFile: PathSetting?
    @Option(
        help: ArgumentHelp(
            "Passphrase of a sealed master key (GATEHOUSE_MASTER_KEY_PASSPHRASE).",
            valueName: "file"))
    var masterKeyPassphraseFile: PathSetting?
    @Option(
        help: ArgumentHelp(
            "PKCS#11 module of the token to which the master key is sealed; an absolute path.",
            valueName: "file"))
    var masterKeyPkcs11Module: PathSetting?
    @Option(
        help: ArgumentHelp(
            "Label of that token (the only one that is there).", valueName: "label"))
    var masterKeyToken: TextSetting?
    @Option(
        help: ArgumentHelp(
            "PIN of that token (GATEHOUSE_MASTER_KEY_PIN).", valueName: "file"))
    var masterKeyPinFile: PathSetting?
}
