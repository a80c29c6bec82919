// SPDX-License-Identifier: Apache-2.0
import JOSE
package import PlatformSSO
package import Primitives

/// A machine that its provider knows by keys whose place others have taken: those of one person, before a
/// migration to shared ones. It lives here for as long as the provider has not been told.
package struct RetiredDevice: Sendable, Equatable {
    package let signing: AgentKey
    package let configuration: LoginConfiguration
    package let since: Timestamp

    init(signing: AgentKey, configuration: LoginConfiguration, since: Timestamp) {
        self.signing = signing
        self.configuration = configuration
        self.since = since
    }

    /// After that nobody is told any more: a provider that has gone for good keeps no key here.
    static let patience = TimeSpan.days(30)
    /// Between two tries.
    static let retryDelay = TimeSpan.hours(1)

    var json: JSONValue {
        [
            "signing": signing.json, "configuration": .object(configuration.json),
            "since": .integer(since.milliseconds),
        ]
    }

    /// `nil` when it is none.
    init?(_ value: JSONValue) {
        guard let signing = value["signing"].flatMap({ AgentKey($0) }),
            let configuration = value["configuration"]?.object.flatMap({
                try? LoginConfiguration(json: $0)
            }), let since = value["since"]?.integer
        else { return nil }
        self.init(
            signing: signing, configuration: configuration,
            since: Timestamp(milliseconds: since))
    }
}
