// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import HTTPTypes
import ProviderAdministration
import Storage

extension AdministrativeOperation {
    /// The description of the operation in the OpenAPI document, apart from its route.
    var documentation: AdminEndpoint.Documentation {
        switch self {
        case .exportState:
            .init(
                "What the provider holds, without secrets.",
                query: [.init(name: "project", summary: "Only this project.")], answer: "State")
        case .planState:
            .init(
                "What applying the document would change. Changes nothing.", body: "State",
                answer: "Changes")
        case .applyState:
            .init(
                "Makes the provider match the document and returns the changes.", body: "State",
                answer: "Changes")
        case .showStore:
            .init("Show engine, schema version, number of rows and size.", answer: "StoreStatus")
        case .backUpStore:
            .init(
                "Writes a consistent copy into the backup directory of the server.",
                body: "BackupName", answer: "Backup", statuses: [.created])
        case .sweepStore: .init("Deletes a batch of expired rows now.", answer: "Sweep")
        case .rotateToken:
            .init("Replaces the admin token; the old one is refused from now on.", answer: "Token")
        case .makeSetUpLink:
            .init(
                "Creates a link with which one person registers as an owner, if the first one is "
                    + "lost or consumed.", answer: "SetUpLink")
        case .listAuditEvents:
            .init("Audit events, newest first.", query: .auditFilter, answer: "Page")
        case .listAdministrators:
            .init("Roles in the console, oldest first.", query: .paging, answer: "Page")
        case .grantAdministrator:
            .init(
                "Assigns the person a role in a project or in all. It replaces an earlier one.",
                body: "Administrator", answer: "Administrator")
        case .revokeAdministrator:
            .init(
                "Revokes the person's role in a project or in all.",
                query: [.init(name: "project", summary: "In this project only.")])
        case .listBelongings:
            .init(
                "The resources that an administrator created; they are kept if the person is "
                    + "removed.", query: .optionalPaging, answer: "Belongings")
        case .listAwaitedApprovals:
            .init(
                "What came to accounts of administrators after a recovery, or with less than "
                    + "they had, and opens no console before it is approved.",
                query: .optionalPaging, answer: "AwaitedApprovals")
        case .giveApproval:
            .init(
                "Approves what waits of that person, when it is exactly what is named. An "
                    + "administrator does not approve their own.", body: "GivenApproval")
        case .listProjects: .init("All projects, in order of name.", query: .paging, answer: "Page")
        case .showProject: .init("One project.", answer: "Project")
        case .putProject:
            .init(
                "Makes the project, or changes what the body names.", body: "Project",
                answer: "Changes", statuses: [.ok, .created])
        case .removeProject: .init("Removes the project and everything in it.")
        case .listKeys: .init("Published signing keys, oldest first.", answer: "Keys")
        case .rotateKey:
            .init(
                "Activates the next key, from its `can_sign_from` on; the old one stays published "
                    + "until it is retired.", body: "KeyRotation", answer: "Keys")
        case .retireKey:
            .init("Retires a rotated key. Tokens that it signed become invalid.", answer: "Keys")
        case .listEncryptionKeys:
            .init("Keys that decrypt messages of devices, newest first.", answer: "EncryptionKeys")
        case .rotateEncryptionKey:
            .init(
                "Publishes another key; the old one still opens until it is retired.",
                answer: "EncryptionKeys")
        case .retireEncryptionKey:
            .init("Deletes a key that was rotated out.", answer: "EncryptionKeys")
        case .listAPITokens:
            .init("API tokens, in order of making.", query: .paging, answer: "Page")
        case .createAPIToken:
            .init(
                "Creates a token. Only this response contains its value.", body: "APIToken",
                answer: "APIToken", statuses: [.created])
        case .handOverAPIToken:
            .init(
                "Transfers a token to another owner; its rights are limited to those of the "
                    + "owner. The token is replaced, and only this response contains the new one. "
                    + "Administrators can take tokens over; only the operator can give them to others "
                    + "(`not_yourself`). Of two concurrent transfers, one succeeds and one returns "
                    + "`taken_over_meanwhile`.", body: "APITokenMaker", answer: "APIToken")
        case .revokeAPIToken: .init("Revokes a token.")
        case .listPeople:
            .init(
                "People, in order of user name.",
                query: .search("user name, another name or e-mail address", .paging, of: "people"),
                answer: "Page")
        case .showPerson: .init("Show a person, with credentials and sessions.", answer: "Person")
        case .putPerson:
            .init(
                "Makes the person, or changes what the body names.", body: "Person",
                answer: "Changes", statuses: [.ok, .created])
        case .removePerson: .init("Removes the person and all that is bound to them.")
        case .endSessions: .init("Signs the person out everywhere.")
        case .removeInstallation:
            .init("Ends an app installation: its key, and all that was given to it.")
        case .releaseName: .init("Releases a name of a removed person: a new person can have it.")
        case .invitePerson:
            .init(
                "Invites the person, also repeatedly: mails the link, or returns it if mail fails.",
                body: "Invite", answer: "Invitation", statuses: [.created])
        case .withdrawInvitation: .init("Withdraws the invitation.")
        case .openReRegistration:
            .init(
                "Lets the person register a key again with a link that works once.",
                body: "ReRegistration", answer: "ReRegistrationLink", statuses: [.created])
        case .closeReRegistration: .init("Withdraws the link.")
        case .listApprovals:
            .init(
                "Recent approval requests, newest first; older ones are in the audit log.",
                answer: "Approvals")
        case .askApproval:
            .init(
                "Sends a test request in the name of a client; it gives no access.",
                body: "TestApproval", answer: "Approval", statuses: [.created])
        case .listGroups:
            .init(
                "Groups with members, in order of name, with the number of members: at most "
                    + "\(GroupSummary.maximumCount), and `has_more_members` if there are more.",
                query: .search("name", .paging), answer: "Page")
        case .listGroupMembers:
            .init(
                "Members of the group, in order of username.", query: .search("user name", .paging),
                answer: "Page")
        case .addGroupMember: .init("Adds the person to the group. It is idempotent.")
        case .removeGroupMember: .init("Removes the person from the group. It is idempotent.")
        case .listEntitlementSets:
            .init(
                "Entitlement sets, in order of name.", query: .optionalPaging,
                answer: "EntitlementSets")
        case .putEntitlementSet:
            .init(
                "Creates the set, or replaces its entitlements.", body: "EntitlementSet",
                answer: "EntitlementSet")
        case .removeEntitlementSet: .init("Removes a set that is not assigned to a person.")
        case .giveEntitlementSet:
            .init(
                "Gives the set to many people. It replaces their set or sequence; personal "
                    + "entitlements are kept. Changes a batch in one transaction; continue with `next`.",
                body: "ManyPeople", answer: "ManyResults")
        case .takeEntitlementSet:
            .init(
                "Removes the set from those of many people who have it, in batches as for giving.",
                body: "ManyPeople", answer: "ManyResults")
        case .listEntitlementSequences:
            .init(
                "Sequences of entitlement sets, in order of name.", query: .optionalPaging,
                answer: "EntitlementSequences")
        case .showEntitlementSequence: .init("One sequence.", answer: "EntitlementSequence")
        case .putEntitlementSequence:
            .init(
                "Makes the sequence, or replaces its steps, for those who are in it as well.",
                body: "EntitlementSequence", answer: "EntitlementSequence")
        case .removeEntitlementSequence:
            .init("Removes a sequence that is not assigned to a person.")
        case .showEntitlements:
            .init("The entitlements of a person.", answer: "PersonalEntitlements")
        case .setEntitlements:
            .init(
                "Gives a person a set, or a sequence of sets, or none, and personal "
                    + "entitlements. A person who has the sequence already continues in it.",
                body: "NewEntitlements", answer: "PersonalEntitlements")
        case .changeExpendables:
            .init(
                "Adds or deducts amounts of expendable entitlements: all or none. A repetition "
                    + "with the same request_id changes nothing.", body: "ExpendableChange",
                answer: "Expendables")
        case .listClients:
            .init(
                "Clients, in order of client_id.", query: .search("client_id", .paging),
                answer: "Page")
        case .showClient: .init("One client.", answer: "Client")
        case .putClient:
            .init(
                "Makes the client, or makes it match the body.", body: "Client", answer: "Changes",
                statuses: [.ok, .created])
        case .removeClient: .init("Removes the client; its tokens end.")
        case .listIssuerKeys:
            .init(
                "Keys of issuers, in order of issuer and kid.", query: .optionalPaging,
                answer: "IssuerKeys")
        case .putIssuerKey:
            .init(
                "Registers the key of that issuer and kid, or makes it match the body.",
                body: "IssuerKey", answer: "Changes", statuses: [.ok, .created])
        case .removeIssuerKey:
            .init("Removes the key by its id: its tokens are no longer accepted. People are kept.")
        case .listTestKeys:
            .init(
                "Test registration keys.", query: .search("name or key_id", .optionalPaging),
                answer: "TestKeys")
        case .createTestKey:
            .init(
                "Makes a test registration key. Its private part is in this answer only.",
                body: "NewTestKey", answer: "TestKey", statuses: [.created])
        case .revokeTestKey: .init("Revokes the key of that key_id. People are kept.")
        case .sweepTestPeople:
            .init(
                "Removes the people who were made with test keys, from a certain age on.",
                body: "TestSweep", answer: "TestSwept")
        case .listDevices:
            .init(
                "Registered devices, in order of registration, including revoked ones. Search "
                    + "results are in order of the matched value.",
                query: .search("serial number (or else name)", .paging), answer: "Page")
        case .showDevice: .init("Show a device, with its keys and users.", answer: "Device")
        case .revokeDevice:
            .init("Revokes the device: its keys, and all tokens and unlock keys on it.")
        case .removeDeviceUser:
            .init("Removes a person from the device, with their key, tokens and unlock keys there.")
        case .putDeviceCompliance:
            .init(
                "Sets whether device management reports the device as compliant, and for how long.",
                body: "DeviceCompliance")
        case .listRegistrationTokens:
            .init(
                "Tokens, in order of making; where they are searched for, in order of what was "
                    + "found.", query: .search("label (or else serial number)", .paging),
                answer: "Page")
        case .createRegistrationToken:
            .init(
                "Makes a token. The answer is the only place where it can be read.",
                body: "RegistrationToken", answer: "RegistrationToken", statuses: [.created])
        case .revokeRegistrationToken:
            .init("Revokes a token. Devices that registered with it are kept.")
        case .listIdentityProviders:
            .init(
                "Upstream identity providers, in order of identifier.", query: .optionalPaging,
                answer: "IdentityProviders")
        case .showIdentityProvider:
            .init(
                "One of them, with the redirect_uri to register there.", answer: "IdentityProvider")
        case .putIdentityProvider:
            .init(
                "Creates or replaces the provider of that identifier; its kind never changes. "
                    + "Disabling it ends the sessions and grants that depend on it.",
                body: "IdentityProvider", answer: "Changes", statuses: [.ok, .created])
        case .removeIdentityProvider:
            .init("Removes it and the links of all people to it. People are kept.")
        case .listCustomIdentityProviders: .list(.customProviders)
        case .showCustomIdentityProvider: .show(.customProviders)
        case .putCustomIdentityProvider: .put(.customProviders)
        case .removeCustomIdentityProvider: .remove(.customProviders)
        case .listSigningFingerprints: .list(.fingerprints)
        case .showSigningFingerprint: .show(.fingerprints)
        case .putSigningFingerprint: .put(.fingerprints)
        case .removeSigningFingerprint: .remove(.fingerprints)
        case .listApplicationRules: .list(.applications)
        case .showApplicationRule: .show(.applications)
        case .putApplicationRule: .put(.applications)
        case .removeApplicationRule: .remove(.applications)
        case .listSystemRules: .list(.systems)
        case .showSystemRule: .show(.systems)
        case .putSystemRule: .put(.systems)
        case .removeSystemRule: .remove(.systems)
        case .showTokenPolicy: .show(.tokens)
        case .putTokenPolicy: .put(.tokens)
        case .showWebAuthnPolicy: .show(.webauthn)
        case .putWebAuthnPolicy: .put(.webauthn)
        case .showPlatformSSOPolicy: .show(.platformSSO)
        case .putPlatformSSOPolicy: .put(.platformSSO)
        case .showPINPolicy: .show(.pin)
        case .putPINPolicy: .put(.pin)
        case .showApprovalPolicy: .show(.approvals)
        case .putApprovalPolicy: .put(.approvals)
        case .showAssociatedApps: .show(.associatedApps)
        case .putAssociatedApps: .put(.associatedApps)
        case .showTheme: .show(.theme)
        case .putTheme: .put(.theme)
        case .showRegistrationPolicy: .show(.registration)
        case .putRegistrationPolicy: .put(.registration)
        case .showVersionPolicy: .show(.versions)
        case .putVersionPolicy: .put(.versions)
        case .showAppleAttestation: .show(.apple)
        case .putAppleAttestation: .put(.apple)
        case .showAndroidAttestation: .show(.android)
        case .putAndroidAttestation: .put(.android)
        }
    }
}
