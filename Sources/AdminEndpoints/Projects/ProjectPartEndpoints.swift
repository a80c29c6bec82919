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
            "Lifetimes of codes, tokens and sessions, and who may create an account.", .tokens)
            + part(
                "webauthn-policy", "WebAuthnPolicy", "Policy for passkeys and security keys.",
                .webauthn)
            + part(
                "platform-sso-policy", "PlatformSSOPolicy",
                "Policy for devices that people sign in on.", .platformSSO)
            + part("pin-policy", "PINPolicy", "Policy for PINs of app installations.", .pin)
            + part(
                "approval-policy", "ApprovalPolicy",
                "Policy for approval requests of clients.", .approvals)
            + part(
                "associated-apps", "AssociatedApps",
                "Apps of Apple's systems that belong to the issuer, by service.", .associatedApps)
            + part("theme", "Theme", "Design of the pages; null for the default theme.", .theme)
            + part(
                "registration-policy", "RegistrationPolicy",
                "Registration methods of apps, and their conditions.", .registration)
            + part(
                "version-policy", "VersionPolicy", "Whether apps that are not listed may register.",
                .versions)
            + part(
                "attestation/apple", "AppleAttestation",
                "Required evidence of App Attest and DeviceCheck.", .apple,
                secrets: ["device_check_key"])
            + part(
                "attestation/android", "AndroidAttestation",
                "Required evidence of Play Integrity and Android's keystore.", .android,
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
                        object["has_\(name)"] = .bool(project.storedSecretNames.contains(name))
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
