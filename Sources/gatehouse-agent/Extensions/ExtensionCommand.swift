// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import SSOExtensions

/// `gatehouse-agent extension`
struct ExtensionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "extension",
        abstract: "Sign, install and list the single sign-on extensions of this device.",
        discussion: """
            An extension is an executable with a signed manifest. Its team is named for the key that \
            signs, so the TeamIdentifier of a profile pins the key.

            Examples:

              gatehouse-agent extension sign ./sso --identifier com.example.sso --name Example --key team.jwk
              gatehouse-agent extension verify ./sso --team TEAM
              sudo gatehouse-agent extension install ./sso
              gatehouse-agent extension list
            """,
        subcommands: [
            ExtensionSignCommand.self, ExtensionVerifyCommand.self, ExtensionInstallCommand.self,
            ExtensionUninstallCommand.self, ExtensionListCommand.self,
        ])
}

/// Where extensions are installed.
struct ExtensionFolderOptions: ParsableArguments {
    @Option(help: "The directory of installed extensions; only root may change it.")
    var extensions = ExtensionFolder.standardPath
    @Option(help: ArgumentHelp("Who must own them.", visibility: .hidden))
    var owner: UInt32 = 0

    var folder: ExtensionFolder { ExtensionFolder(path: extensions, owner: owner) }
}

/// An extension that is not installed: an executable, and its manifest in the same directory.
struct LooseExtension {
    let executable: ExtensionFile
    let signed: [UInt8]

    /// Returns the default path of the manifest of an executable.
    static func manifestPath(_ executable: String) -> String { "\(executable).manifest" }

    init(_ path: String, manifest: String?) throws {
        do throws(ExtensionTrustRefusal) {
            let file = try ExtensionFile(manifest ?? Self.manifestPath(path), owner: nil)
            signed = try file.content(maximum: SignedManifest.maximumBytes)
            executable = try ExtensionFile(path, owner: nil)
        } catch { throw CommandError(error.reason, code: .badInput) }
    }
}
