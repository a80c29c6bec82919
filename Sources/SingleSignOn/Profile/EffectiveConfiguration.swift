// SPDX-License-Identifier: Apache-2.0

/// An installed payload with its channel and profile.
package struct InstalledConfiguration: Sendable, Equatable {
    package let configuration: SSOConfiguration
    package let channel: ProfileChannel
    /// The identifier of the profile or declaration.
    package let source: String

    package init(_ configuration: SSOConfiguration, channel: ProfileChannel, source: String) {
        self.configuration = configuration
        self.channel = channel
        self.source = source
    }
}

/// The effective configuration of a device for one person, computed from all installed profiles.
///
/// The device channel has precedence over the user channel. If both configure the same extension,
/// the user's payload adds only its `RegistrationToken` and additional `ExtensionData`. Within a
/// channel, profiles are ordered by their identifiers, so that the result does not depend on the
/// order of installation. A URL belongs to the first profile with it, and Platform SSO is
/// configured once.
package struct EffectiveConfiguration: Sendable, Equatable {
    /// An installed setting that is not in effect, or only in part.
    package struct SetAside: Sendable, Equatable {
        package enum Reason: String, Sendable {
            case deviceChannelWins = "device_channel_wins"
            case addressTaken = "address_taken"
            case platformSSOTaken = "platform_sso_taken"
            case sharedKeysOnUserChannel = "shared_keys_on_user_channel"
        }

        package let source: String
        package let reason: Reason
        /// The URL, or the extension.
        package let subject: String
    }

    package private(set) var configurations: [SSOConfiguration] = []
    package private(set) var setAside: [SetAside] = []

    package init(_ installed: [InstalledConfiguration]) {
        let ordered = installed.sorted { left, right in
            if left.channel != right.channel { return left.channel == .device }
            return left.source < right.source
        }
        let device = ordered.filter { $0.channel == .device }
        var taken = Taken()
        for item in device {
            let users = ordered.filter { $0.channel == .user && $0.isSameExtension(as: item) }
            let merged = users.reduce(item.configuration) { $0.adding($1.configuration) }
            admit(merged, of: item, &taken)
        }
        for item in ordered where item.channel == .user {
            if device.contains(where: { $0.isSameExtension(as: item) }) {
                setAside(item, .deviceChannelWins, item.configuration.extensionIdentifier ?? "")
            } else {
                admit(item.configuration, of: item, &taken)
            }
        }
    }

    /// The payload that configures Platform SSO.
    package var platformSSO: SSOConfiguration? { configurations.first { $0.isPlatformSSO } }

    /// Finds the configuration for an address.
    package var matcher: SSOMatcher { SSOMatcher(configurations) }

    // MARK: Admission

    private struct Taken {
        var addresses: Set<HTTPAddress> = []
        var hosts: Set<HostPattern> = []
        var hasPlatformSSO = false
    }

    private mutating func admit(
        _ configuration: SSOConfiguration, of item: InstalledConfiguration, _ taken: inout Taken
    ) {
        var admitted = configuration
        admitted.urls = configuration.urls?.filter { url in
            guard configuration.type == .redirect, let address = try? HTTPAddress(url) else {
                return true
            }
            return taken.addresses.insert(address).inserted || leaveOut(url, item)
        }
        admitted.hosts = configuration.hosts?.filter { host in
            guard configuration.type == .credential, let pattern = HostPattern(host) else {
                return true
            }
            return taken.hosts.insert(pattern).inserted || leaveOut(host, item)
        }
        if admitted.isPlatformSSO {
            if taken.hasPlatformSSO {
                setAside(item, .platformSSOTaken, admitted.extensionIdentifier ?? "")
                admitted.platformSSO = nil
                admitted.formerAuthenticationMethod = nil
            }
            taken.hasPlatformSSO = true
        }
        if item.channel == .user, admitted.platformSSO?.useSharedDeviceKeys == true {
            setAside(item, .sharedKeysOnUserChannel, admitted.extensionIdentifier ?? "")
            admitted.platformSSO?.useSharedDeviceKeys = false
        }
        configurations.append(admitted)
    }

    private mutating func leaveOut(_ address: String, _ item: InstalledConfiguration) -> Bool {
        setAside(item, .addressTaken, address)
        return false
    }

    private mutating func setAside(
        _ item: InstalledConfiguration, _ reason: SetAside.Reason, _ subject: String
    ) {
        setAside.append(SetAside(source: item.source, reason: reason, subject: subject))
    }
}

extension InstalledConfiguration {
    fileprivate func isSameExtension(as other: InstalledConfiguration) -> Bool {
        configuration.extensionIdentifier == other.configuration.extensionIdentifier
            && configuration.teamIdentifier == other.configuration.teamIdentifier
            && configuration.type == other.configuration.type
    }
}

extension SSOConfiguration {
    /// Adds the parts that the user channel may supply: a token if there is none, and data of other
    /// names.
    fileprivate func adding(_ user: SSOConfiguration) -> SSOConfiguration {
        var merged = self
        merged.registrationToken = registrationToken ?? user.registrationToken
        let names = Set((extensionData ?? []).map(\.name))
        let more = (user.extensionData ?? []).filter { !names.contains($0.name) }
        if !more.isEmpty { merged.extensionData = (extensionData ?? []) + more }
        return merged
    }
}
