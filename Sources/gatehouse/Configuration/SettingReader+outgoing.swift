// SPDX-License-Identifier: Apache-2.0
import UserClient

extension SettingReader {
    /// - Parameter issuer: one on this machine is a developer's.
    func outgoing(issuer: String) throws(ConfigurationError) -> OutgoingRules {
        var permissions: [OutgoingRules.Permission] = []
        for text in list("outgoing-allow") {
            guard let permission = OutgoingRules.Permission(text) else {
                throw ConfigurationError(
                    values["outgoing-allow"]?.origin,
                    "outgoing-allow is \"\(text)\"; it must be an address, a range as 10.1.0.0/16, "
                        + "or a host name")
            }
            permissions.append(permission)
        }
        return OutgoingRules(permissions, asksOwnMachine: Self.isOnLoopback(issuer))
    }

    private static func isOnLoopback(_ issuer: String) -> Bool {
        guard let start = issuer.firstRange(of: "://")?.upperBound else { return false }
        let authority = issuer[start...].prefix { $0 != "/" }
        let host =
            authority.hasPrefix("[")
            ? String(authority.dropFirst().prefix { $0 != "]" })
            : authority.prefix { $0 != ":" }.lowercased()
        return host == "localhost" || host.hasSuffix(".localhost") || host == "::1"
            || NetworkAddress(text: host)?.bytes.first == 127
    }
}
