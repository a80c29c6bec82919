// SPDX-License-Identifier: Apache-2.0
import JOSE
import OAuth
import Primitives
import Storage
import WebAuthn

/// The keys of a project's `webauthn`: rules for passkeys and security keys.
enum WebAuthnFields {
    static let policy: [RecordField<WebAuthnPolicy>] = [
        .text(
            "attestation", \.attestation,
            rule: TextRules.oneOf(AttestationConveyance.allCases.map(\.rawValue))),
        .text(
            "attestation_trust", \.attestationTrust,
            rule: TextRules.oneOf(["none", "any", "roots", "metadata"])),
        trustRoots,
        .list("allowed_aaguids", \.allowedAAGUIDs, rule: aaguid),
        .list("denied_aaguids", \.deniedAAGUIDs, rule: aaguid),
        .text(
            "user_verification", \.userVerification,
            rule: TextRules.oneOf(UserVerificationRequirement.allCases.map(\.rawValue))),
        .text("sign_counter", \.signCounter, rule: TextRules.oneOf(["refuse", "report"])),
        .flag("second_factor_before_first_key", \.secondFactorBeforeFirstKey),
        .list("related_origins", \.relatedOrigins, rule: origin),
        .list("top_origins", \.topOrigins, rule: origin),
        .list(
            "algorithms", \.algorithms, rule: TextRules.oneOf(COSEAlgorithm.names.map(\.0))),
        .flag("rs1", \.rs1),
        .flag("backup_eligible", \.backupEligible),
        .text(
            "hardware_evidence", \.hardwareEvidence,
            rule: TextRules.oneOf(HardwareEvidence.allCases.map(\.rawValue))),
    ]

    /// What single keys cannot tell: do they go together?
    static func complaint(_ policy: WebAuthnPolicy) -> (key: String, message: String)? {
        let asks = ["direct", "enterprise"].contains(policy.attestation)
        if policy.attestationTrust != "none", !asks {
            return (
                "attestation_trust",
                "needs attestation: direct, or browsers leave out what is to be trusted"
            )
        }
        if policy.attestationTrust == "roots", policy.trustRoots.isEmpty {
            return ("trust_roots", "is empty; attestation_trust: roots needs one")
        }
        if !policy.allowedAAGUIDs.isEmpty,
            !["roots", "metadata"].contains(policy.attestationTrust)
        {
            return (
                "allowed_aaguids",
                "needs attestation_trust: roots or metadata, for nothing else proves a model"
            )
        }
        if policy.algorithms.contains("RS1"), !policy.rs1 {
            return ("algorithms", "names RS1, which needs rs1: true; better leave it out")
        }
        do throws(RelatedOrigins.Refusal) {
            _ = try RelatedOrigins(policy.relatedOrigins)
        } catch {
            return ("related_origins", words(for: error))
        }
        if let both = policy.allowedAAGUIDs.first(where: policy.deniedAAGUIDs.contains) {
            return ("denied_aaguids", "\"\(both)\" is allowed as well; remove one")
        }
        return nil
    }

    /// Certificates, each as PEM or as base64 of its DER; kept as the latter.
    private static let trustRoots = RecordField<WebAuthnPolicy>(name: "trust_roots") {
        .array($0.trustRoots.map(JSONValue.string))
    } write: { value, policy in
        guard let texts = value.strings, texts.count <= TextRules.mostElements else {
            return "must be a list of at most \(TextRules.mostElements) certificates"
        }
        var roots: [String] = []
        for (index, text) in texts.enumerated() {
            guard let der = certificate(text),
                (try? AttestationPolicy(trustAnchors: [der])) != nil
            else { return "element \(index) is no certificate; give PEM, or base64 of its DER" }
            roots.append(Base64.encode(der))
        }
        policy.trustRoots = roots
        return nil
    }

    /// DER of PEM, or of base64.
    static func certificate(_ text: String) -> [UInt8]? {
        guard text.utf8.count <= 16_384 else { return nil }
        let lines = text.split(whereSeparator: \.isNewline)
            .filter { !$0.hasPrefix("-----") }
            .joined()
        return Base64.decode(lines.filter { !$0.isWhitespace })
    }

    private static let aaguid: TextRule = { text in
        let hyphens = text.enumerated().filter { $0.element == "-" }.map(\.offset)
        let digits = text.filter { $0 != "-" }
        let isLower = digits.utf8.allSatisfy {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
        }
        return hyphens == [8, 13, 18, 23] && digits.count == 32 && isLower
            ? nil : "must be an AAGUID such as ee882879-721c-4913-9775-3dfcce97072a, in lower case"
    }

    /// As browsers write it: scheme, host, and a port that is not the usual one.
    private static let origin: TextRule = { text in
        guard case .web("https", _, _) = CallerOrigin(text) else {
            return "must be an origin such as https://login.example.org, without a path"
        }
        return nil
    }

    private static func words(for refusal: RelatedOrigins.Refusal) -> String {
        switch refusal {
        case .origin(let origin): "\"\(origin)\" is no secure web origin"
        case .repeated(let origin): "names \"\(origin)\" for the second time"
        case .tooManyLabels(let count):
            "is of \(count) different names; browsers read \(RelatedOrigins.maximumLabels)"
        case .tooManyOrigins(let count):
            "has \(count) elements; at most \(RelatedOrigins.maximumOrigins) are served"
        }
    }
}
