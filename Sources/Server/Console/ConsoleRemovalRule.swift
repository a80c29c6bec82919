// SPDX-License-Identifier: Apache-2.0

/// What becomes of a thing that an administrator takes away. One row for each call of the Admin API
/// that takes something away; a call that is not here asks for the name.
enum ConsoleRemovalRule: Sendable, Equatable {
    /// What the Admin API shows of it is all of it, and nothing else goes with it: it can be put
    /// back for ten minutes.
    case undo(Making)
    /// What goes cannot be made again: a key, a secret, an account, tokens, links of people. It goes
    /// after its name was typed.
    case typed
    /// Neither is needed, with the reason.
    case neither(String)

    /// How a thing that was removed is made again, from what was shown of it.
    struct Making: Sendable, Equatable {
        /// The call that makes it, and leaves one that somebody else made meanwhile as it is. Whoever
        /// may call it may put the thing back.
        var call: String
        /// What is shown of it and is not taken.
        var readOnly: [String] = []
    }

    static func of(_ operation: String) -> ConsoleRemovalRule { table[operation] ?? .typed }

    static let table: [String: ConsoleRemovalRule] = [
        // Nobody has these when they go.
        "removeEntitlementSet": .undo(Making(call: "putEntitlementSet")),
        "removeEntitlementSequence": .undo(Making(call: "putEntitlementSequence")),
        // Of keys of others we keep the public part.
        "removeIssuerKey": .undo(
            Making(call: "putIssuerKey", readOnly: ["id", "created_at"])),
        "removeSigningFingerprint": .undo(Making(call: "putSigningFingerprint")),
        "removeApplicationRule": .undo(Making(call: "putApplicationRule")),
        "removeSystemRule": .undo(Making(call: "putSystemRule")),
        // Requests to it are signed with the project's keys: it has no secret of its own.
        "removeCustomIdentityProvider": .undo(Making(call: "putCustomIdentityProvider")),
        "removeGroupMember": .undo(Making(call: "addGroupMember")),

        // Its secret, everybody's consent and its tokens.
        "removeClient": .typed,
        // Its client secret, and everybody's link to it.
        "removeIdentityProvider": .typed,
        // Private keys, or hashes of secrets, that we never had or have no more.
        "revokeTestKey": .typed, "revokeRegistrationToken": .typed, "revokeAPIToken": .typed,
        "retireKey": .typed, "retireEncryptionKey": .typed,
        // Keys of people and machines, and all that was given to them.
        "removePerson": .typed, "sweepTestPeople": .typed, "removeInstallation": .typed,
        "revokeDevice": .typed, "removeDeviceUser": .typed,
        "removeProject": .typed,
        // API tokens rest on it.
        "revokeAdministrator": .typed,

        "endSessions": .neither("they sign in again"),
        "closeReRegistration": .neither("another link is opened"),
        "releaseName": .neither("no page does it"),
        "withdrawInvitation": .neither("they are invited again"),
        "takeEntitlementSet": .neither("whom it would change is shown first"),
    ]
}
