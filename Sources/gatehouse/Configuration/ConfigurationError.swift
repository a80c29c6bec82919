// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport

/// What is wrong with the configuration, where, and what would be right.
struct ConfigurationError: InputError, Sendable, Equatable, CustomStringConvertible {
    var origin: SettingValues.Origin?
    var message: String

    init(_ origin: SettingValues.Origin?, _ message: String) {
        self.origin = origin
        self.message = message
    }

    var description: String { origin.map { "\($0): \(message)" } ?? message }
}
