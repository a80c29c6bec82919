// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// `gatehouse security-key`
struct SecurityKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "security-key",
        abstract: "Manage security keys, or emulate one.",
        discussion: """
            Works with keys on USB and NFC. --device names another one: a hidraw device, a \
            pseudo-terminal or a Unix socket. PINs are asked for at the terminal; scripts give \
            them in a file or in GATEHOUSE_SECURITY_KEY_PIN.

            Examples:

              gatehouse security-key list
              gatehouse security-key info --json
              gatehouse security-key set-pin
              gatehouse security-key emulate --store key.ghsk
            """,
        subcommands: [
            SecurityKeyListCommand.self, SecurityKeyInfoCommand.self,
            SecurityKeySetPINCommand.self, SecurityKeyChangePINCommand.self,
            SecurityKeyCredentialsCommand.self, SecurityKeyFingerprintsCommand.self,
            SecurityKeyLargeBlobsCommand.self, SecurityKeyResetCommand.self,
            SecurityKeyEmulateCommand.self,
        ])
}
