// SPDX-License-Identifier: Apache-2.0
import ProviderCore
import UserClient

extension SettingReader {
    /// - Parameter issuer: one on this machine is a developer's.
    func outgoing(issuer: String) throws(ConfigurationError) -> OutgoingRequestPolicy {
        var permissions: [OutgoingRequestPolicy.Permission] = []
        for text in list("outgoing-allow") {
            guard let permission = OutgoingRequestPolicy.Permission(text) else {
                throw ConfigurationError(
                    values["outgoing-allow"]?.origin,
                    "outgoing-allow is \"\(text)\"; it must be an address, a range as 10.1.0.0/16, "
                        + "or a host name")
            }
            permissions.append(permission)
        }
        return OutgoingRequestPolicy(permissions, asksOwnMachine: IssuerAddress(issuer).isLoopback)
    }
}
