// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CommandLineSupport
import JOSE
import SSOExtensions

/// `gatehouse-agent extension list`
struct ExtensionListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the extensions of this device, and whether each would be started.",
        discussion: "Example: gatehouse-agent extension list --json")

    @OptionGroup var place: ExtensionFolderOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let rows = place.folder.identifiers.map { Row($0, place.folder) }
        print(output.json ? JSONValue.array(rows.map { .object($0.json) }).text : Self.table(rows))
    }

    private static func table(_ rows: [Row]) -> String {
        guard !rows.isEmpty else { return "No extension is installed." }
        var table = TextTable(["identifier", "name", "version", "team", "state"])
        for row in rows {
            table.add(
                ["identifier", "name", "version", "team", "state"].map {
                    row.json[$0]?.shown ?? "-"
                })
        }
        return table.text
    }

    private struct Row {
        let json: JSONObject

        init(_ identifier: String, _ folder: ExtensionFolder) {
            do throws(ExtensionTrustRefusal) {
                var report = try folder.verify(identifier, team: nil).manifest.report
                report["state"] = "ready"
                json = report
            } catch {
                json = JSONObject([
                    .init(name: "identifier", value: .string(identifier)),
                    .init(name: "state", value: .string(error.code.rawValue)),
                    .init(name: "reason", value: .string(error.reason)),
                ])
            }
        }
    }
}
