// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import JOSE
import SSOExtensions

/// `gatehouse-agent extension verify`
struct ExtensionVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Report whether an extension would be started, and if not, why.",
        discussion: """
            With a path, verifies the executable and its manifest; with an identifier, the \
            installed extension with its owner and mode.

            Example: gatehouse-agent extension verify com.example.sso --team TEAM
            """)

    @Argument(help: "An executable, or the identifier of an installed extension.")
    var subject: String
    @Option(help: "The manifest of an executable; EXECUTABLE.manifest when absent.")
    var manifest: String?
    @Option(help: "The team that must have signed.")
    var team: String?
    @OptionGroup var place: ExtensionFolderOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        do throws(ExtensionTrustRefusal) {
            let manifest = try verified()
            var report = manifest.report
            report["verdict"] = "accepted"
            Outcome.report(
                "\(manifest.identifier) of \(manifest.team) is as it was signed.",
                .object(report), output)
        } catch {
            if output.json {
                print(
                    JSONValue.object(
                        JSONObject([
                            .init(name: "verdict", value: "refused"),
                            .init(name: "code", value: .string(error.code.rawValue)),
                            .init(name: "reason", value: .string(error.reason)),
                        ])
                    ).text)
                throw ExitCode(1)
            }
            throw CommandError(error.reason)
        }
    }

    private func verified() throws(ExtensionTrustRefusal) -> ExtensionManifest {
        guard subject.contains("/") || FileCalls.exists(subject) else {
            return try place.folder.verify(subject, team: team).manifest
        }
        let file = try ExtensionFile(
            manifest ?? LooseExtension.manifestPath(subject), owner: nil)
        let signed = try SignedManifest.verify(
            try file.content(maximum: SignedManifest.maximumBytes))
        if let team, !signed.team.hasSameBytes(as: team) {
            throw ExtensionTrustRefusal(
                .teamMismatch, "It is signed by \(signed.team), not by \(team).")
        }
        return try VerifiedExtension(signed, ExtensionFile(subject, owner: nil)).manifest
    }
}
