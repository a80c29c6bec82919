// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import IdentityProvider
import JOSE
import Primitives
import Storage

/// Parts of a project that are shown and changed by themselves: lives of tokens, passkeys, PINs, the
/// theme and the others. What a body does not mention stays as it is.
struct ProjectPartEndpoints: Sendable {
    private let scope: ProjectScope

    init(_ provider: Provider) { scope = ProjectScope(provider) }

    var all: [AdminEndpoint] {
        part(
            "token-policy", "TokenPolicy",
            "How long codes, tokens and sessions live, and who may make an account.", .tokens)
            + part(
                "webauthn-policy", "WebAuthnPolicy", "Rules for passkeys and security keys.",
                .webauthn)
            + part(
                "platform-sso-policy", "PlatformSSOPolicy",
                "Rules for machines that sign people in.", .platformSSO)
            + part("pin-policy", "PINPolicy", "Rules for PINs of app installations.", .pin)
            + part(
                "approval-policy", "ApprovalPolicy",
                "What clients may ask people to approve in an app.", .approvals)
            + part(
                "associated-apps", "AssociatedApps",
                "Apps of Apple's systems that belong to the issuer, by service.", .associatedApps)
            + part("theme", "Theme", "What pages look like; null is the house's own.", .theme)
            + part(
                "registration-policy", "RegistrationPolicy",
                "By which methods apps register, and what is allowed besides.", .registration)
            + part(
                "version-policy", "VersionPolicy", "Whether apps that are not listed may register.",
                .versions)
            + part(
                "attestation/apple", "AppleAttestation",
                "What App Attest and DeviceCheck must vouch for.", .apple,
                secrets: ["device_check_key"])
            + part(
                "attestation/android", "AndroidAttestation",
                "What Play Integrity and Android's keystore must vouch for.", .android,
                secrets: ["play_decryption_key"])
    }

    /// - Parameter secrets: members that are taken and never shown; `has_NAME` says whether there
    ///   is one.
    private func part(
        _ segment: String, _ schema: String, _ summary: String, _ part: ProjectSettingsGroup,
        secrets: [String] = []
    ) -> [AdminEndpoint] {
        let path = "/projects/{project}/\(segment)"
        return [
            AdminEndpoint(.get, path, "show\(schema)", summary, answer: schema) { call in
                try await scope.project(call) { project in
                    var object = part.read(project)
                    for name in secrets {
                        object["has_\(name)"] = .bool(project.keptSecrets.contains(name))
                    }
                    return .value(.object(object))
                }
            },
            AdminEndpoint(
                .put, path, "put\(schema)",
                "Changes what the body names; everything else stays.", body: schema,
                answer: "Changes"
            ) { call in
                try await scope.project(call) { project in
                    try await put(call, part, of: project, secrets: secrets)
                }
            },
        ]
    }

    private func put(
        _ call: AdminRequest, _ part: ProjectSettingsGroup, of project: Project, secrets: [String]
    ) async throws -> AdminResponse {
        var given: [String: Secret] = [:]
        var members: [JSONObject.Member] = []
        for member in call.body.object?.members ?? [] {
            if secrets.contains(member.name) {
                guard let text = member.value.string else {
                    return Self.refused(member, .wordText)
                }
                given[member.name] = Secret(text)
            } else if secrets.contains(where: { "has_\($0)" == member.name }) {
                // What was shown may be sent back.
                guard member.value.bool != nil else {
                    return Self.refused(member, .wordFlag)
                }
            } else {
                members.append(member)
            }
        }
        let editor = ProjectEditor(
            scope.provider, project: project, rights: call.rights, facts: call.facts)
        return try await editor.put(
            .object(JSONObject(members)), as: part, secrets: given
        ).answer(unknown: "project")
    }

    private static func refused(
        _ member: JSONObject.Member, _ wanted: ValidationIssueCode
    ) -> AdminResponse {
        .invalid(
            StateDocumentError([
                LocatedValidationIssue(path: member.name, .wrongKind(member.value, wanted: wanted))
            ]))
    }
}
