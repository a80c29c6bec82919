// SPDX-License-Identifier: Apache-2.0

/// The common keys of all payloads of a profile.
package struct PayloadHead: ProfileRecord {
    package var type: String?
    package var version: Int64?
    package var identifier: String?
    package var uuid: String?
    package var displayName: String?
    package var explanation: String?
    package var organization: String?

    package init() {}

    package static let keys: [ProfileKey<Self>] = [
        ProfileKey(
            "PayloadType", \.type, required: true, since: SystemVersion(10, 7), iOS: true,
            "What the payload configures."),
        ProfileKey(
            "PayloadVersion", \.version, form: .integer(least: 1), required: true,
            since: SystemVersion(10, 7), iOS: true, "1."),
        ProfileKey(
            "PayloadIdentifier", \.identifier, required: true, since: SystemVersion(10, 7),
            iOS: true, "A name in reverse DNS; once in the profile."),
        ProfileKey(
            "PayloadUUID", \.uuid, required: true, since: SystemVersion(10, 7), iOS: true,
            "A UUID; the same one updates the payload."),
        ProfileKey(
            "PayloadDisplayName", \.displayName, since: SystemVersion(10, 7), iOS: true,
            "The name that people see."),
        ProfileKey(
            "PayloadDescription", \.explanation, since: SystemVersion(10, 7), iOS: true,
            "A description that people see."),
        ProfileKey(
            "PayloadOrganization", \.organization, since: SystemVersion(10, 7), iOS: true,
            "Whose it is."),
    ]
}
