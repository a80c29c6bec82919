// SPDX-License-Identifier: Apache-2.0
import Platform

/// Brings flags, environment and file together; again at SIGHUP.
struct ConfigurationLoader: Sendable {
    let flags: [String: [String]]
    /// The configuration file; GATEHOUSE_CONFIG when absent.
    let path: String?
    var environment: [String: String] = ProcessEnvironment.all

    func load() throws -> (ServeConfiguration, SettingValues) {
        let values = try values()
        return (try ServeConfiguration(values), values)
    }

    /// What is set, and where, each by itself: whether it goes together is not asked.
    func values() throws -> SettingValues {
        let file = path ?? environment["GATEHOUSE_CONFIG"]
        return try SettingValues(
            flags: flags, environment: environment,
            file: file.map { ($0, try DocumentFile.read($0)) })
    }
}
