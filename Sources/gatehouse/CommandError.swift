// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// Why a command ends without success: one sentence, and the exit code.
struct CommandError: Error, Sendable, Equatable, CustomStringConvertible {
    /// POSIX habit: 1 refused or failed, 2 usage or bad input.
    enum Code: Int32, Sendable {
        case failed = 1
        case badInput = 2
    }

    var code: Code
    /// What is wrong and what would be right.
    var description: String
    /// The setting whose value is wrong; see ``SettingOrigins/placed(_:)``.
    var setting: String?

    init(_ description: String, code: Code = .failed, setting: String? = nil) {
        self.code = code
        self.description = description
        self.setting = setting
    }
}
