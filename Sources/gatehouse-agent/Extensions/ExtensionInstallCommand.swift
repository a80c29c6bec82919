// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import JOSE
import Primitives
import SSOExtensions

/// `gatehouse-agent extension install`
struct ExtensionInstallCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install",
        abstract: "Install a signed extension for the agent.",
        discussion: """
            An update must be signed by the team that signed what is there. As root.

            Example: sudo gatehouse-agent extension install ./sso --replace
            """)

    @Argument(help: "The executable.")
    var executable: String
    @Option(help: "The manifest; EXECUTABLE.manifest if absent.")
    var manifest: String?
    @Flag(help: "Replace the installed version.")
    var replace = false
    @OptionGroup var place: ExtensionFolderOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let loose = try LooseExtension(executable, manifest: manifest)
        do throws(ExtensionTrustRefusal) {
            let installed = try place.folder.install(
                manifest: loose.signed, executable: loose.executable, replaces: replace,
                random: SystemRandomSource())
            Outcome.report(
                "\(installed.identifier) of \(installed.team) is installed.",
                .object(installed.report), output)
        } catch { throw CommandError(error.reason) }
    }
}
