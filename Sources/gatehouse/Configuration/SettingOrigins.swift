// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport

/// Where what is set was set. What is wrong with a value shows only when it is tried, where its form is right:
/// an address that is taken, a database that is away, a file that is missing.
struct SettingOrigins: Sendable, Equatable {
    private var origins: [String: SettingValues.Origin] = [:]

    init(_ values: SettingValues) {
        for setting in Setting.all { origins[setting.name] = values[setting.name]?.origin }
    }

    /// `g.yaml:3:9`, `GATEHOUSE_LISTEN` or `--listen`; the name of the setting where a default holds.
    subscript(setting: String) -> String { origins[setting].map { "\($0)" } ?? setting }

    /// The error, with the place of the setting that it is about.
    func complaint(about setting: String, _ error: any Error) -> CommandError {
        CommandError(
            "\(self[setting]): \(error)", code: (error as? CommandError)?.code ?? .failed)
    }

    /// The same for an error that names its setting; any other as it is.
    func placed(_ error: any Error) -> any Error {
        guard let error = error as? CommandError, let setting = error.setting else { return error }
        return complaint(about: setting, error)
    }
}
