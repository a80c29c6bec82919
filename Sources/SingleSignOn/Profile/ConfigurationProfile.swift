// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A configuration profile, `.mobileconfig`: an envelope and its payloads.
package struct ConfigurationProfile: Sendable, Equatable {
    package struct Payload: Sendable, Equatable {
        package enum Content: Sendable, Equatable {
            case singleSignOn(SSOConfiguration)
            case associatedDomains(AssociatedDomainsPayload)
            /// A payload of another type, which is ignored.
            case other
        }

        package var head: PayloadHead
        package var content: Content
    }

    package var envelope: ProfileEnvelope
    package var payloads: [Payload]

    package init(envelope: ProfileEnvelope, payloads: [Payload]) {
        self.envelope = envelope
        self.payloads = payloads
    }

    /// Creates a profile from the known keys. The inspection validates it.
    package init(_ list: PropertyList) {
        envelope = ProfileEnvelope(entries: list.entries ?? [])
        payloads = (list["PayloadContent"]?.array ?? []).map { payload in
            let entries = payload.entries ?? []
            let head = PayloadHead(entries: entries)
            let content: Payload.Content =
                switch head.type {
                case SSOConfiguration.payloadType:
                    .singleSignOn(SSOConfiguration(entries: entries))
                case AssociatedDomainsPayload.payloadType:
                    .associatedDomains(AssociatedDomainsPayload(entries: entries))
                default: .other
                }
            return Payload(head: head, content: content)
        }
    }

    package var singleSignOn: [SSOConfiguration] {
        payloads.compactMap { payload in
            if case .singleSignOn(let configuration) = payload.content {
                configuration
            } else {
                nil
            }
        }
    }

    package var associatedDomains: [AssociatedDomainsPayload.App] {
        payloads.flatMap { payload -> [AssociatedDomainsPayload.App] in
            if case .associatedDomains(let domains) = payload.content {
                domains.configuration ?? []
            } else {
                []
            }
        }
    }

    /// As a property list; payloads of other types only with their heads.
    package var propertyList: PropertyList {
        let content = payloads.map { payload -> PropertyList in
            let entries =
                switch payload.content {
                case .singleSignOn(let configuration): configuration.entries
                case .associatedDomains(let domains): domains.entries
                case .other: [PropertyList.Entry]()
                }
            return .dictionary(entries + payload.head.entries)
        }
        let entries = [PropertyList.Entry("PayloadContent", .array(content))]
        return .dictionary(entries + envelope.entries)
    }

    /// Returns the time of the profile's removal: its date, or the given time after its
    /// installation.
    package func removal(installedAt installation: Timestamp) -> Timestamp? {
        let span = envelope.durationUntilRemoval.flatMap { Int64(exactly: $0.rounded()) }
        let byDuration = span.map { installation + .seconds(max($0, 0)) }
        return [envelope.removalDate, byDuration].compactMap { $0 }.min()
    }
}
