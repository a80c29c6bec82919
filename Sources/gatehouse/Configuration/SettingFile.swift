// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport

/// A file that a setting names.
enum SettingFile {
    /// The whole content.
    ///
    /// - Parameters:
    ///   - setting: the setting; `nil` for a file that the command line names itself.
    ///   - limit: longest file that is read, in bytes.
    static func read(
        _ path: String, of setting: String?, limit: Int = 1024 * 1024
    ) throws(CommandError) -> [UInt8] {
        let content: [UInt8]?
        do throws(FileError) {
            content = try SecretFile.read(path, limit: limit)
        } catch {
            throw CommandError(error.description, code: .badInput, setting: setting)
        }
        guard let content else {
            throw CommandError("\(path) does not exist", code: .badInput, setting: setting)
        }
        return content
    }
}
