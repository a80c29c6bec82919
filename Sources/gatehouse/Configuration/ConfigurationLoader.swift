// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

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

/// The environment of the process.
enum ProcessEnvironment {
    static var all: [String: String] {
        var variables: [String: String] = [:]
        var entry = environ
        while let text = entry.pointee {
            let parts = String(cString: text).split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
            entry += 1
        }
        return variables
    }

    static subscript(name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
