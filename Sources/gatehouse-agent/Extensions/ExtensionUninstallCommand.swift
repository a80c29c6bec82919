// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import JOSE
import SSOExtensions

/// `gatehouse-agent extension uninstall`
struct ExtensionUninstallCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "uninstall",
        abstract: "Uninstall an extension.",
        discussion: "Example: sudo gatehouse-agent extension uninstall com.example.sso")

    @Argument(help: "Identifier of the extension.")
    var identifier: String
    @OptionGroup var place: ExtensionFolderOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let wasThere: Bool
        do throws(ExtensionTrustRefusal) { wasThere = try place.folder.uninstall(identifier) } catch
        {
            throw CommandError(error.reason)
        }
        guard wasThere else { throw CommandError("\(identifier) is not installed") }
        Outcome.report(
            "\(identifier) is uninstalled.",
            .object(JSONObject([.init(name: "removed", value: .string(identifier))])), output)
    }
}
