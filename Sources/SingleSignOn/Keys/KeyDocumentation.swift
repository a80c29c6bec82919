// SPDX-License-Identifier: Apache-2.0
package import JOSE

/// A generator of the documentation of the table: `docs/profile-keys.md`.
package enum KeyDocumentation {
    package static var markdown: String {
        let sections = [
            section(
                "Payload `com.apple.extensiblesso`",
                "One payload configures one extension. A profile may contain several payloads.",
                SSOConfiguration.descriptions),
            section(
                "`PlatformSSO` in it",
                "What the system does itself: register the device, sign people in, unlock.",
                PlatformSSOSettings.descriptions),
            section(
                "`TokenToUserMapping` in `PlatformSSO`", "", TokenToUserMapping.descriptions),
            section(
                "`ExtensionData` of the Kerberos extension",
                "With ExtensionIdentifier `\(KerberosSettings.extensionIdentifier)`, "
                    + "TeamIdentifier `apple`, Type `Credential`, and a Realm.",
                KerberosSettings.descriptions),
            section(
                "Payload `com.apple.associated-domains`", "",
                AssociatedDomainsPayload.descriptions),
            section(
                "Each dictionary of its `Configuration`", "",
                AssociatedDomainsPayload.App.descriptions),
            section("Every payload", "", PayloadHead.descriptions),
            section(
                "The profile", "Its array `PayloadContent` contains the payloads.",
                ProfileEnvelope.descriptions),
        ]
        return ([head] + sections + [rules]).joined(separator: "\n")
    }

    /// The same as JSON: the keys of each dictionary.
    package static var json: JSONValue {
        [
            "com.apple.extensiblesso": json(SSOConfiguration.descriptions),
            "PlatformSSO": json(PlatformSSOSettings.descriptions),
            "TokenToUserMapping": json(TokenToUserMapping.descriptions),
            "Kerberos": json(KerberosSettings.descriptions),
            "com.apple.associated-domains": json(AssociatedDomainsPayload.App.descriptions),
            "Payload": json(PayloadHead.descriptions),
            "Configuration": json(ProfileEnvelope.descriptions),
        ]
    }

    private static func json(_ keys: [KeyDescription]) -> JSONValue {
        .array(
            keys.map { key in
                var object = JSONObject()
                object["key"] = .string(key.name)
                object["type"] = .string(key.form.name)
                if case .choice(let choices) = key.form {
                    object["values"] = .array(choices.map { .string($0.value) })
                }
                object["required"] = .bool(key.isRequired)
                object["default"] = key.standard?.json
                object["since"] = .string(key.since.description)
                object["deprecated"] = key.deprecated.map { .string($0.description) }
                object["iOS"] = .bool(key.isOnIOS)
                if case .at(let path) = key.declared { object["declaration"] = .string(path) }
                object["meaning"] = .string(key.meaning)
                return .object(object)
            })
    }

    private static let head = """
        # Keys of single sign-on profiles

        Drawn by `gatehouse platform-sso keys` from the table in `Sources/SingleSignOn/Keys`, which
        also reads, writes and checks profiles. In bold what must be there. "Declaration" is where
        `Payload` of `com.apple.configuration.extensible-sso` (macOS 27) has the key; there
        `ExtensionComposedIdentifier`, as `com.example.app.sso-extension (ABCDE12345)`, replaces
        ExtensionIdentifier and TeamIdentifier.

        """

    private static var rules: String {
        let names = ConfigurationRule.all.map { "- \($0.name)" }.joined(separator: "\n")
        return """
            ## What else is checked

            \(names)
            - each URL, host and UUID once in the profile, and Platform SSO in one payload only

            """
    }

    private static func section(
        _ title: String, _ text: String, _ keys: [KeyDescription]
    ) -> String {
        let hasPlaces = keys.contains { $0.declared != .absent }
        let rows = keys.map { row($0, hasPlaces: hasPlaces) }.joined(separator: "\n")
        let place = hasPlaces ? " declaration |" : ""
        return """
            ## \(title)

            \(text.isEmpty ? "" : text + "\n\n")| key | type | default | macOS | iOS |\(place) meaning |
            |---|---|---|---|---|\(hasPlaces ? "---|" : "")---|
            \(rows)

            """
    }

    private static func row(_ key: KeyDescription, hasPlaces: Bool) -> String {
        let until = key.deprecated.map { ", until \($0)" } ?? ""
        let cells = [
            key.isRequired ? "**\(key.name)**" : key.name, type(of: key.form),
            key.standard.map { "`\(text($0))`" } ?? "", "\(key.since)\(until)",
            key.isOnIOS ? "yes" : "",
        ]
        let place = hasPlaces ? [declaredPlace(key)] : []
        return "| " + (cells + place + [key.meaning]).joined(separator: " | ") + " |"
    }

    private static func declaredPlace(_ key: KeyDescription) -> String {
        switch key.declared {
        case .at(let path): "`\(path)`"
        case .inParts: "in parts"
        case .absent: ""
        }
    }

    private static func type(of form: KeyForm) -> String {
        switch form {
        case .choice(let choices):
            choices.map { "`\($0.value)`" + ($0.since.map { " (\($0))" } ?? "") }
                .joined(separator: ", ")
        case .list(let element):
            if case .choice = element { "array of " + type(of: element) } else { form.name }
        case .integer(let least?): "integer from \(least)"
        default: form.name
        }
    }

    private static func text(_ value: PropertyList) -> String {
        switch value {
        case .string(let text): text
        case .integer(let number): "\(number)"
        case .boolean(let truth): truth ? "true" : "false"
        case .array(let values): values.map(text).joined(separator: ", ")
        default: value.json.text
        }
    }
}
