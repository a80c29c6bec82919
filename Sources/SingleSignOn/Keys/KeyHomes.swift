// SPDX-License-Identifier: Apache-2.0

/// The correct locations of misplaced keys: the inverse of the table.
enum KeyHomes {
    /// In a profile.
    static let inProfile: [String: String] = {
        var homes: [String: String] = [:]
        // Names of the declaration, mapped to those of the payload.
        for pair in DeclarationKeys.pairs {
            guard let name = pair.declaredPath.last, name != pair.profilePath.last else { continue }
            homes[name] = pair.profilePath.joined(separator: ".") + " in a profile"
        }
        add(KerberosSettings.descriptions, "ExtensionData of the Kerberos extension", to: &homes)
        add(ProfileEnvelope.descriptions, "the profile, outside PayloadContent", to: &homes)
        add(PlatformSSOSettings.descriptions, "PlatformSSO", to: &homes)
        add(SSOConfiguration.descriptions, "the payload, outside PlatformSSO", to: &homes)
        return homes
    }()

    /// In a declaration.
    static let inDeclaration: [String: String] = {
        var homes: [String: String] = [:]
        for pair in DeclarationKeys.pairs {
            let path = pair.declaredPath.joined(separator: ".")
            for name in [pair.profilePath.last, pair.declaredPath.last].compactMap(\.self) {
                homes[name] = path
            }
        }
        for name in ["ExtensionIdentifier", "TeamIdentifier"] {
            homes[name] = DeclarationKeys.composedIdentifier
        }
        return homes
    }()

    private static func add(
        _ keys: [KeyDescription], _ home: String, to homes: inout [String: String]
    ) {
        for key in keys { homes[key.name] = home }
    }
}
