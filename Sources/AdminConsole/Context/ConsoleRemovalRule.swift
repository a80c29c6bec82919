// SPDX-License-Identifier: Apache-2.0
import ProviderAdministration

/// The rule for the removal of a resource in the console. The table has one row for each operation
/// of the Admin API that removes something. An operation without a row requires the name.
enum ConsoleRemovalRule: Sendable, Equatable {
    /// The Admin API returns all of the resource, and its removal affects nothing else. It can be
    /// restored for ten minutes.
    case undo(Making)
    /// The removal destroys what cannot be created again: a key, a secret, an account, tokens, or
    /// links of people. The administrator types the name first.
    case typed
    /// Neither restoring nor typing the name is needed, for this reason.
    case neither(String)

    /// The operation that restores a removed resource from its JSON.
    struct Making: Sendable, Equatable {
        /// The operation that creates the resource unless it exists. The right to call it is the
        /// right to restore.
        var call: AdministrativeOperation
        /// Members that the Admin API returns and does not accept.
        var readOnly: [String] = []
    }

    static func of(_ operation: AdministrativeOperation) -> ConsoleRemovalRule {
        table[operation] ?? .typed
    }

    static let table: [AdministrativeOperation: ConsoleRemovalRule] = [
        // A set or sequence can only be removed if no person has it.
        .removeEntitlementSet: .undo(Making(call: .putEntitlementSet)),
        .removeEntitlementSequence: .undo(Making(call: .putEntitlementSequence)),
        // Of keys of others, only the public part is stored.
        .removeIssuerKey: .undo(
            Making(call: .putIssuerKey, readOnly: ["id", "created_at"])),
        .removeSigningFingerprint: .undo(Making(call: .putSigningFingerprint)),
        .removeApplicationRule: .undo(Making(call: .putApplicationRule)),
        .removeSystemRule: .undo(Making(call: .putSystemRule)),
        // Requests to it are signed with the project's keys, so that it has no secret.
        .removeCustomIdentityProvider: .undo(Making(call: .putCustomIdentityProvider)),
        .removeGroupMember: .undo(Making(call: .addGroupMember)),

        // Its secret, all consents to it and its tokens.
        .removeClient: .typed,
        // Its client secret, and the links of all people to it.
        .removeIdentityProvider: .typed,
        // Private keys and hashes of secrets, which the provider cannot restore.
        .revokeTestKey: .typed, .revokeRegistrationToken: .typed, .revokeAPIToken: .typed,
        .retireKey: .typed, .retireEncryptionKey: .typed,
        // Keys of people and devices, and everything issued to them.
        .removePerson: .typed, .sweepTestPeople: .typed, .removeInstallation: .typed,
        .revokeDevice: .typed, .removeDeviceUser: .typed,
        .removeProject: .typed,
        // API tokens depend on it.
        .revokeAdministrator: .typed,

        .endSessions: .neither("they sign in again"),
        .closeReRegistration: .neither("another link is opened"),
        .releaseName: .neither("no page does it"),
        .withdrawInvitation: .neither("they are invited again"),
        .takeEntitlementSet: .neither("a preview shows the people first"),
    ]
}
