// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import Primitives
import ProviderSupport
import Support
import Testing

@testable import gatehouse

/// Where the passphrase and the PIN come from.
@Suite struct MasterKeySettingTests {
    private let folder = TestFolder()

    private func file(
        _ arguments: [String], _ environment: [String: String] = [:]
    ) throws -> MasterKeyFile {
        try MasterKeyFile(try ServeOptions.parse(arguments), environment: environment)
    }

    private func write(_ name: String, _ text: String) throws -> String {
        try SecretFile.replace(folder.path(name), Array(text.utf8))
        return folder.path(name)
    }

    @Test("Without settings the key is in the data directory, and not sealed")
    func usual() throws {
        let file = try file(["--data-dir", "/data"], ["GATEHOUSE_MASTER_KEY_PIN": "1"])
        #expect(file.path == "/data/master.key")
        #expect(file.passphrase == nil && file.token == nil)
        #expect(try self.file([]).path == "gatehouse-data/master.key")
        #expect(try self.file(["--master-key-file", "/etc/k"]).path == "/etc/k")
    }

    @Test("The passphrase is in a file, such as a credential of systemd, or in the environment")
    func passphrase() throws {
        let variable = [MasterKeyFile.passphraseVariable: "of the environment"]
        #expect(try file([], variable).passphrase == Secret("of the environment"))
        let path = try write("credential", "of the file \n")
        let flag = ["--master-key-passphrase-file", path]
        #expect(try file(flag, variable).passphrase == Secret("of the file "))
        #expect(try file([], [MasterKeyFile.passphraseVariable: ""]).passphrase == nil)
    }

    @Test(
        "A file without a passphrase is refused with the setting",
        arguments: ["", "\n", "\u{FF}"])
    func noPassphrase(_ text: String) throws {
        let path = folder.path("passphrase")
        try SecretFile.replace(path, text == "\u{FF}" ? [0xFF] : Array(text.utf8))
        let error = #expect(throws: CommandError.self) {
            try file(["--master-key-passphrase-file", path])
        }
        #expect(error?.setting == "master-key-passphrase-file")
    }

    @Test("A token needs a module and a PIN")
    func token() throws {
        let pin = try write("pin", "123456\n")
        for incomplete in [
            ["--master-key-token", "t"], ["--master-key-pin-file", pin],
            ["--master-key-pkcs11-module", "/m.so"],
        ] {
            #expect(throws: CommandError.self) { try file(incomplete) }
        }
        let module = ["--master-key-pkcs11-module", "/m.so"]
        #expect(try file(module + ["--master-key-pin-file", pin]).token != nil)
        #expect(try file(module, [MasterKeyFile.pinVariable: "123456"]).token != nil)
    }

    @Test("Attack 99: no flag takes a passphrase or a PIN itself")
    func arguments() {
        for flag in ["--master-key-passphrase", "--master-key-pin"] {
            #expect(throws: (any Error).self) {
                try ServeOptions.parse([flag, "secret"])
            }
        }
    }
}
