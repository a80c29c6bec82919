// SPDX-License-Identifier: Apache-2.0
package import ProviderSettings
package import Storage
import WebAuthn

/// The keys of a project's `webauthn`: the policy for passkeys and security keys.
package enum WebAuthnFields {
    package static let policy: [RecordField<WebAuthnPolicy>] = [
        .text(
            "user_verification", .impersonating, \.userVerification,
            rule: TextRules.oneOf(UserVerificationRequirement.allCases.map(\.rawValue))),
        .text(
            "attestation", .impersonating, \.attestation,
            rule: TextRules.oneOf(AttestationConveyance.allCases.map(\.rawValue))),
        .text(
            "attestation_trust", .impersonating, \.attestationTrust,
            rule: TextRules.oneOf(["none", "any", "roots", "metadata"])),
        .text(
            "hardware_evidence", .impersonating, \.hardwareEvidence,
            rule: TextRules.oneOf(HardwareEvidence.allCases.map(\.rawValue))),
        .text(
            "sign_counter", .impersonating, \.signCounter,
            rule: TextRules.oneOf(["refuse", "report"])),
        .flag("backup_eligible", .impersonating, \.backupEligible),
        .flag("second_factor_before_first_key", .impersonating, \.secondFactorBeforeFirstKey),
        .flag("rs1", .impersonating, \.rs1),
        .flag("tpm_sha1", .impersonating, \.tpmSHA1),
        .list(
            "algorithms", .impersonating, \.algorithms,
            rule: TextRules.oneOf(COSEAlgorithm.names.map(\.0))
        ).with(\.isOrdered, true),
        .list("allowed_aaguids", .impersonating, \.allowedAAGUIDs, rule: aaguid),
        .list("denied_aaguids", .impersonating, \.deniedAAGUIDs, rule: aaguid),
        .list("related_origins", .impersonating, \.relatedOrigins, rule: origin),
        .list("top_origins", .impersonating, \.topOrigins, rule: origin),
        .certificates("trust_roots", .impersonating, \.trustRoots),
    ]

    /// Checks conditions across keys.
    package static func complaint(_ policy: WebAuthnPolicy) -> CrossFieldRule? {
        let asks = ["direct", "enterprise"].contains(policy.attestation)
        if policy.attestationTrust != "none", !asks {
            return ("attestation_trust", ValidationIssue(.trustNeedsAttestation))
        }
        if policy.attestationTrust == "roots", policy.trustRoots.isEmpty {
            return ("trust_roots", ValidationIssue(.rootsNeeded))
        }
        if !policy.allowedAAGUIDs.isEmpty,
            !["roots", "metadata"].contains(policy.attestationTrust)
        {
            return ("allowed_aaguids", ValidationIssue(.modelsNeedTrust))
        }
        if policy.algorithms.contains("RS1"), !policy.rs1 {
            return ("algorithms", ValidationIssue(.rs1NotAllowed))
        }
        do throws(RelatedOrigins.Refusal) {
            _ = try RelatedOrigins(policy.relatedOrigins)
        } catch {
            return ("related_origins", complaint(for: error))
        }
        if let both = policy.allowedAAGUIDs.first(where: policy.deniedAAGUIDs.contains) {
            return ("denied_aaguids", ValidationIssue(.modelAllowed, ["model": .text(both)]))
        }
        return nil
    }

    private static let aaguid: TextRule = { text in
        let hyphens = text.enumerated().filter { $0.element == "-" }.map(\.offset)
        let digits = text.filter { $0 != "-" }
        let isLower = digits.utf8.allSatisfy {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
        }
        return hyphens == [8, 13, 18, 23] && digits.count == 32 && isLower
            ? nil : ValidationIssue(.notModel)
    }

    /// An origin as browsers serialize it: scheme, host, and a port that is not the default.
    private static let origin: TextRule = { text in
        guard case .web("https", _, _) = CallerOrigin(text) else {
            return ValidationIssue(.notOrigin)
        }
        return nil
    }

    private static func complaint(for refusal: RelatedOrigins.Refusal) -> ValidationIssue {
        switch refusal {
        case .origin(let origin): ValidationIssue(.notSecureOrigin, ["origin": .text(origin)])
        case .repeated(let origin): ValidationIssue(.nameTwice, ["name": .text(origin)])
        case .tooManyLabels(let count):
            ValidationIssue(
                .tooManyNames,
                ["count": "\(count)", "most": "\(RelatedOrigins.maximumLabels)"])
        case .tooManyOrigins(let count):
            ValidationIssue(
                .tooManyOrigins,
                ["count": "\(count)", "most": "\(RelatedOrigins.maximumOrigins)"])
        }
    }
}
