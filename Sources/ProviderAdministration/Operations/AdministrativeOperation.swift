// SPDX-License-Identifier: Apache-2.0
import Primitives

/// An action of the Admin API, which the console and the command line call too.
///
/// The raw value is the `operationId` of the OpenAPI document. ``route`` and ``right`` say how it is
/// called and who may call it. A new case does not compile until it has a row there, a handler and a
/// description in `AdminEndpoints`.
package enum AdministrativeOperation: String, Sendable, CaseIterable {
    case exportState, planState, applyState, showStore, backUpStore, sweepStore, rotateToken,
        makeSetUpLink, listAuditEvents
    case listAdministrators, grantAdministrator, revokeAdministrator, listBelongings,
        listAwaitedApprovals, giveApproval
    case listProjects, showProject, putProject, removeProject, listKeys, rotateKey, retireKey,
        listEncryptionKeys, rotateEncryptionKey, retireEncryptionKey, listAPITokens, createAPIToken,
        handOverAPIToken, revokeAPIToken
    case listPeople, showPerson, putPerson, removePerson, endSessions, removeInstallation,
        releaseName, invitePerson, withdrawInvitation, openReRegistration, closeReRegistration,
        listApprovals, askApproval, listGroups, listGroupMembers, addGroupMember, removeGroupMember
    case listEntitlementSets, putEntitlementSet, removeEntitlementSet, giveEntitlementSet,
        takeEntitlementSet, listEntitlementSequences, showEntitlementSequence,
        putEntitlementSequence, removeEntitlementSequence, showEntitlements, setEntitlements,
        changeExpendables
    case listClients, showClient, putClient, removeClient, listIssuerKeys, putIssuerKey,
        removeIssuerKey, listTestKeys, createTestKey, revokeTestKey, sweepTestPeople, listDevices,
        showDevice, revokeDevice, removeDeviceUser, putDeviceCompliance, listRegistrationTokens,
        createRegistrationToken, revokeRegistrationToken, listIdentityProviders,
        showIdentityProvider, putIdentityProvider, removeIdentityProvider
    case listCustomIdentityProviders, showCustomIdentityProvider, putCustomIdentityProvider,
        removeCustomIdentityProvider, listSigningFingerprints, showSigningFingerprint,
        putSigningFingerprint, removeSigningFingerprint, listApplicationRules, showApplicationRule,
        putApplicationRule, removeApplicationRule, listSystemRules, showSystemRule, putSystemRule,
        removeSystemRule
    case showTokenPolicy, putTokenPolicy, showWebAuthnPolicy, putWebAuthnPolicy,
        showPlatformSSOPolicy, putPlatformSSOPolicy, showPINPolicy, putPINPolicy,
        showApprovalPolicy, putApprovalPolicy, showAssociatedApps, putAssociatedApps, showTheme,
        putTheme, showRegistrationPolicy, putRegistrationPolicy, showVersionPolicy,
        putVersionPolicy, showAppleAttestation, putAppleAttestation, showAndroidAttestation,
        putAndroidAttestation

    /// A part of a path that names a resource.
    package enum Parameter: String, Sendable {
        case project, person, installation, name, group, device, client, key, kid, set, sequence
        case token, identifier
    }

    package typealias Parameters = [Parameter: String]

    /// Those of the values that are parameters.
    package static func parameters(_ values: [(name: String, value: String)]) -> Parameters {
        values.reduce(into: [:]) { found, member in
            if let parameter = Parameter(rawValue: member.name) { found[parameter] = member.value }
        }
    }

    package enum Method: String, Sendable {
        case get = "GET", put = "PUT", post = "POST", delete = "DELETE"
    }

    package struct MissingParameter: Error, CustomStringConvertible {
        let operation: AdministrativeOperation
        let segment: Substring

        package var description: String { "\(operation.rawValue) needs the parameter \(segment)" }
    }

    /// The method and path of a call below `/admin/v1`.
    package struct Route: Sendable {
        package let method: Method
        /// A template: `{NAME}` is a ``Parameter``.
        package let path: String
    }

    /// Returns the path with the values of its parameters, percent-encoded.
    package func path(_ values: Parameters) throws(MissingParameter) -> String {
        var path = ""
        for segment in route.path.split(separator: "/") {
            guard segment.hasPrefix("{") else {
                path += "/" + segment
                continue
            }
            let parameter = Parameter(rawValue: String(segment.dropFirst().dropLast()))
            guard let value = parameter.flatMap({ values[$0] }) else {
                throw MissingParameter(operation: self, segment: segment)
            }
            path += "/" + PercentEncoding.encode(value)
        }
        return path
    }
}
