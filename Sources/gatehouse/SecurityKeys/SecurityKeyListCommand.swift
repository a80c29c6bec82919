// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CTAP
import CommandLineSupport
import JOSE

/// `gatehouse security-key list`
struct SecurityKeyListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the connected security keys.",
        discussion: "Example: gatehouse security-key list --json")

    @OptionGroup var key: SecurityKeyOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        var devices: [any AuthenticatorDevice] = []
        for await snapshot in try key.source().snapshots() {
            devices = snapshot
            break
        }
        var rows: [Row] = []
        for device in devices { rows.append(await Row(device)) }
        print(output.json ? JSONValue.array(rows.map(\.json)).text : Self.table(rows))
    }

    private static func table(_ rows: [Row]) -> String {
        guard !rows.isEmpty else { return "No security key is connected." }
        var table = TextTable(["path", "by", "name", "speaks"])
        for row in rows {
            table.add([
                row.path, row.kind, row.name, row.problem ?? row.versions.joined(separator: ", "),
            ])
        }
        return table.text
    }

    private struct Row {
        let path: String
        let kind: String
        let name: String
        var versions: [String] = []
        var problem: String?

        init(_ device: any AuthenticatorDevice) async {
            path = device.description.id
            kind = device.description.kind.rawValue
            name = device.description.name
            do throws(SecurityKeyError) {
                let key = try await SecurityKey.open(device)
                defer { key.close() }
                versions = key.info?.versions.map(\.withoutControls) ?? ["U2F_V2"]
            } catch { problem = error.sentence }
        }

        var json: JSONValue {
            var object = JSONObject()
            object["device"] = .string(path)
            object["transport"] = .string(kind)
            object["name"] = .string(name)
            object["versions"] = .array(versions.map { .string($0) })
            object["problem"] = problem.map { .string($0) }
            return .object(object)
        }
    }
}
