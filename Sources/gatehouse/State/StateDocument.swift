// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import Documents
import JOSE
import Platform
import ProviderSettings

/// A state file with its secrets fetched: `…_file` and `…_env` have become the secret itself.
struct StateDocument: Sendable {
    let path: String
    let json: JSONValue
    private let root: DocumentNode

    /// - Parameters:
    ///   - path: `-` is standard input; secret files are then found from where we are.
    ///   - setting: the setting that names the file.
    static func read(
        _ path: String, of setting: String? = nil,
        environment: @escaping @Sendable (String) -> String? = { ProcessEnvironment[$0] }
    ) throws -> StateDocument {
        let root = try DocumentFile.read(path, of: setting)
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        let secrets = SecretResolver(folder: folder, environment: environment)
        do throws(LocatedValidationIssue) {
            return StateDocument(
                path: path, json: try secrets.resolve(root.json, at: ""), root: root)
        } catch {
            throw Self.error([error], path: path, root: root)
        }
    }

    /// What is wrong, each with file, line and column.
    func error(_ problems: [LocatedValidationIssue]) -> CommandError {
        Self.error(problems, path: path, root: root)
    }

    private static func error(
        _ problems: [LocatedValidationIssue], path: String, root: DocumentNode
    ) -> CommandError {
        let lines = problems.map { "\(path):\(root.place(of: $0.path)): \($0)" }
        return CommandError(lines.joined(separator: "\ngatehouse: "), code: .badInput)
    }
}
