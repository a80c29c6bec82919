// SPDX-License-Identifier: Apache-2.0
import JOSE
import Storage

/// Whether a setting can enable impersonation: a sign-in of one person as another. Every
/// ``RecordField`` declares it as a required argument.
///
/// In the project that administrators belong to, only owners change settings that can. Any other
/// administrator could sign in as an owner by changing them.
package enum SettingEffect: String, Sendable {
    /// It cannot: names, appearance, lifetimes, and policies that concern only the person who signs
    /// in.
    case ordinary
    /// It can: the destinations of sign-ins, trusted issuers and keys, and the required proofs.
    case impersonating
    /// It can unless it is `false`.
    case impersonatingWhenOn
    /// It concerns the account of one person. The administrator must have all rights of that person
    /// (``AdministratorRights/covers(_:)``).
    case ofOnePerson

    /// The effect of one key. The name of a nested key is its path.
    package struct OfKey: Sendable, Equatable {
        let key: String
        let effect: SettingEffect

        package func within(_ name: String) -> OfKey {
            OfKey(key: "\(name).\(key)", effect: effect)
        }
    }

    /// Whether a change of the setting from `old` to `new` can enable impersonation.
    func isFelt(from old: JSONValue?, to new: JSONValue?) -> Bool {
        guard old != new else { return false }
        return switch self {
        case .ordinary, .ofOnePerson: false
        case .impersonating: true
        case .impersonatingWhenOn: new?.bool == true
        }
    }
}

extension RecordField {
    /// The keys that differ between two records and can enable impersonation.
    package static func impersonating(
        _ fields: [RecordField], from old: Record, to new: Record
    ) -> [String] {
        fields.flatMap { $0.impersonating(old, new) }
    }

    /// The same for lists. The removal of an entry cannot enable impersonation.
    static func impersonating(
        _ fields: [RecordField], from old: [Record], to new: [Record],
        named key: KeyPath<Record, String>, blank: () -> Record
    ) -> [String] {
        new.flatMap { entry in
            let name = entry[keyPath: key]
            let before = old.first { $0[keyPath: key] == name } ?? blank()
            return impersonating(fields, from: before, to: entry).map { "\(name).\($0)" }
        }
    }
}

extension Client {
    /// Whether its tokens give access to people's accounts. Then an administrator who changes its
    /// redirect URIs could sign in as those people.
    package var reachesAccounts: Bool {
        let grants: Set<String> = [
            "urn:openid:params:grant-type:ciba", "urn:ietf:params:oauth:grant-type:jwt-bearer",
            "urn:ietf:params:oauth:grant-type:token-exchange", "urn:gatehouse:grant-type:passkey",
        ]
        return metadata.firstParty || !metadata.webHandoffURIs.isEmpty
            || metadata.scope.split(separator: " ").contains("registration")
            || !grants.isDisjoint(with: metadata.grantTypes)
    }
}
