// SPDX-License-Identifier: Apache-2.0

/// The mapping between the keys of the payload and those of the macOS 27 declaration, derived from
/// the one table.
package enum DeclarationKeys {
    /// A key with its path in both forms.
    package struct Pair: Sendable {
        package let key: KeyDescription
        package let profilePath: [String]
        package let declaredPath: [String]
    }

    /// The key of the declaration that contains extension and team.
    package static let composedIdentifier = "ExtensionComposedIdentifier"

    package static let pairs: [Pair] = pairs(of: SSOConfiguration.descriptions, below: [])

    private static func pairs(of keys: [KeyDescription], below path: [String]) -> [Pair] {
        keys.flatMap { key -> [Pair] in
            let path = path + [key.name]
            switch (key.declared, key.form) {
            case (.at(let declared), _):
                let parts = declared.split(separator: ".").map(String.init)
                return [Pair(key: key, profilePath: path, declaredPath: parts)]
            case (.inParts, .dictionary(let keys)): return pairs(of: keys, below: path)
            case (.inParts, _), (.absent, _): return []
            }
        }
    }

    /// The keys of the declaration's `Payload`, for the checker.
    package static let descriptions: [KeyDescription] =
        [
            KeyDescription(
                name: composedIdentifier, form: .string, isRequired: true, since: 27.0,
                isOnIOS: true,
                meaning: "The bundle identifier of the extension, and its team in parentheses.")
        ] + tree(pairs.map { ($0.key, $0.declaredPath[...]) })

    private static func tree(
        _ leaves: [(key: KeyDescription, path: ArraySlice<String>)]
    ) -> [KeyDescription] {
        var names: [String] = []
        for name in leaves.compactMap(\.path.first) where !names.contains(name) {
            names.append(name)
        }
        return names.map { name in
            let below = leaves.filter { $0.path.first == name }
            guard let leaf = below.first, leaf.path.count == 1 else {
                let children = below.map { (key: $0.key, path: $0.path.dropFirst()) }
                return KeyDescription(
                    name: name, form: .dictionary(tree(children)), since: 27.0, meaning: name)
            }
            let key = leaf.key
            return KeyDescription(
                name: name, form: key.form, isRequired: key.isRequired, standard: key.standard,
                since: max(SystemVersion(27), key.since), isOnIOS: key.isOnIOS, meaning: key.meaning
            )
        }
    }

    /// Returns the declaration's path for a path of the payload: `PlatformSSO.LoginPolicy` is
    /// `PlatformSSO.Policies.Login`.
    package static func declaredPath(of profilePath: String) -> String {
        let parts = profilePath.split(separator: ".").map(String.init)
        if parts == ["ExtensionIdentifier"] || parts == ["TeamIdentifier"] {
            return composedIdentifier
        }
        for pair in pairs where parts.starts(with: pair.profilePath) {
            let rest = parts.dropFirst(pair.profilePath.count)
            return (pair.declaredPath + rest).joined(separator: ".")
        }
        return profilePath
    }
}
