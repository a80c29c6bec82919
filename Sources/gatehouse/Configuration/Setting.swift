// SPDX-License-Identifier: Apache-2.0

/// A setting: a flag, an environment variable and a key of the configuration file with the same
/// name.
struct Setting: Sendable {
    enum Form: Sendable, Equatable {
        case text
        case path
        case flag
        case integer(ClosedRange<Int64>)
        case choice([String])
        case list
    }

    /// `management-listen`: with `--` the flag, bare the key in the file.
    let name: String
    let form: Form
    /// Whether a value on the command line, where other users of the machine see it, may hold a
    /// secret.
    let mayHoldSecret: @Sendable (String) -> Bool

    init(
        _ name: String, _ form: Form, secret: @escaping @Sendable (String) -> Bool = { _ in false }
    ) {
        self.name = name
        self.form = form
        mayHoldSecret = secret
    }

    /// `GATEHOUSE_MANAGEMENT_LISTEN`.
    var variable: String {
        "GATEHOUSE_" + name.uppercased().replacing("-", with: "_")
    }

    /// All settings of `gatehouse serve`.
    static let all = ServeOptions.settings

    static func named(_ name: String) -> Setting? { all.first { $0.name == name } }
}
