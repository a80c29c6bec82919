// SPDX-License-Identifier: Apache-2.0
import SingleSignOn

/// Developer mode: the domain's file is not fetched, so it is allowed for loopback hosts only.
extension DomainEntry {
    var isForDevelopers: Bool { mode == .developer || mode == .developerAndManaged }

    /// Whether the entry's host is this machine.
    var isLocal: Bool {
        host.description == "localhost" || host.description.hasSuffix(".localhost")
    }

    /// The origin of a development server.
    var developerOrigin: String { "http://\(host)" + (port.map { ":\($0)" } ?? "") }
}
