// SPDX-License-Identifier: Apache-2.0

/// Why a command ends without success: one sentence, and the exit code.
package struct CommandError: Error, Sendable, Equatable, CustomStringConvertible {
    /// POSIX habit: 1 refused or failed, 2 usage or bad input.
    package enum Code: Int32, Sendable {
        case failed = 1
        case badInput = 2
    }

    package var code: Code
    /// What is wrong and what would be right.
    package var description: String
    /// The setting whose value is wrong; see ``SettingOrigins/placed(_:)``.
    package var setting: String?

    package init(_ description: String, code: Code = .failed, setting: String? = nil) {
        self.code = code
        self.description = description
        self.setting = setting
    }
}
