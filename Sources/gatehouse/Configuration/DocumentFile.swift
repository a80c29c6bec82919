// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import Documents

/// Reads YAML or JSON from a file, or from standard input when the path is `-`.
enum DocumentFile {
    /// - Parameter setting: the setting that names the file.
    static func read(_ path: String, of setting: String? = nil) throws -> DocumentNode {
        let content = try bytes(path, of: setting)
        do throws(DocumentError) {
            return try DocumentReader.read(content)
        } catch {
            throw ConfigurationError(.file(path, error.place), error.message)
        }
    }

    static func bytes(_ path: String, of setting: String? = nil) throws(CommandError) -> [UInt8] {
        if path == "-" { return StandardInput.readAll(limit: DocumentReader.largest + 1) }
        return try SettingFile.read(path, of: setting, limit: DocumentReader.largest + 1)
    }
}
