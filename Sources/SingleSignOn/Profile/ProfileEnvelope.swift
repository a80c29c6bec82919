// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// The outermost dictionary of a profile: `Configuration`.
package struct ProfileEnvelope: ProfileRecord {
    /// The scope of the profile's settings.
    package enum Scope: String, ProfileChoice {
        case system = "System"
        case user = "User"
    }

    package var type: String?
    package var version: Int64?
    package var identifier: String?
    package var uuid: String?
    package var displayName: String?
    package var explanation: String?
    package var organization: String?
    package var scope: Scope?
    package var targetDeviceType: Int64?
    package var removalDisallowed: Bool?
    package var hasRemovalPasscode: Bool?
    package var removalDate: Timestamp?
    /// A duration in seconds.
    package var durationUntilRemoval: Double?
    package var expirationDate: Timestamp?
    package var consentText: [String: String]?
    package var isEncrypted: Bool?
    package var encryptedContent: [UInt8]?

    package init() {}

    package static let keys: [ProfileKey<Self>] = naming + removal + content

    /// The first macOS with profiles.
    private static let first = SystemVersion(10, 7)

    private static let naming: [ProfileKey<Self>] = [
        ProfileKey(
            "PayloadType", \.type, form: .choice([KeyForm.Choice("Configuration")]),
            required: true, since: first, iOS: true, "Configuration."),
        ProfileKey(
            "PayloadVersion", \.version, form: .integer(least: 1), required: true, since: first,
            iOS: true, "1."),
        ProfileKey(
            "PayloadIdentifier", \.identifier, required: true, since: first, iOS: true,
            "A name in reverse DNS; a profile of the same name is replaced."),
        ProfileKey(
            "PayloadUUID", \.uuid, required: true, since: first, iOS: true, "A UUID."),
        ProfileKey(
            "PayloadDisplayName", \.displayName, since: first, iOS: true,
            "The name that people see."),
        ProfileKey(
            "PayloadDescription", \.explanation, since: first, iOS: true,
            "A description that people see."),
        ProfileKey(
            "PayloadOrganization", \.organization, since: first, iOS: true, "Whose it is."),
        ProfileKey(
            "PayloadScope", \.scope, since: SystemVersion(10, 8),
            "System: the device channel. User: the user channel."),
        ProfileKey(
            "TargetDeviceType", \.targetDeviceType, form: .integer(least: 0), default: 0,
            since: SystemVersion(10, 15), iOS: true, "0 any, 1 iPhone and iPad, 5 Mac."),
    ]

    private static let removal: [ProfileKey<Self>] = [
        ProfileKey(
            "PayloadRemovalDisallowed", \.removalDisallowed, default: false, since: first,
            iOS: true, "People cannot remove the profile."),
        ProfileKey(
            "HasRemovalPasscode", \.hasRemovalPasscode, default: false, since: first, iOS: true,
            "A passcode removes the profile."),
        ProfileKey(
            "RemovalDate", \.removalDate, since: first, iOS: true,
            "When the profile removes itself."),
        ProfileKey(
            "DurationUntilRemoval", \.durationUntilRemoval, since: first, iOS: true,
            "Seconds until it does; the earlier of both counts."),
        ProfileKey(
            "PayloadExpirationDate", \.expirationDate, since: first, iOS: true,
            "When the profile expires."),
        ProfileKey(
            "ConsentText", \.consentText, since: first, iOS: true,
            "What people must agree to, by language."),
    ]

    private static let content: [ProfileKey<Self>] = [
        ProfileKey(
            "IsEncrypted", \.isEncrypted, default: false, since: first, iOS: true,
            "The payloads are in EncryptedPayloadContent."),
        ProfileKey(
            bytes: "EncryptedPayloadContent", \.encryptedContent, since: first, iOS: true,
            "The payloads, sealed for one device."),
    ]
}
