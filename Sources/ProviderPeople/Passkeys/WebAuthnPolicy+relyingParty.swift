// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage
import WebAuthn

/// Converts a project's policy to the types of the WebAuthn module.
extension WebAuthnPolicy {
    var conveyance: AttestationConveyance { AttestationConveyance(rawValue: attestation) ?? .none }

    var verification: UserVerificationRequirement {
        UserVerificationRequirement(rawValue: userVerification) ?? .required
    }

    var counting: AssertionExpectation.SignCountPolicy {
        AssertionExpectation.SignCountPolicy(rawValue: signCounter) ?? .refuse
    }

    var evidence: HardwareEvidence { HardwareEvidence(rawValue: hardwareEvidence) ?? .attested }

    /// The algorithms of `pubKeyCredParams`, best first.
    var offered: [COSEAlgorithm] {
        algorithms.isEmpty
            ? COSEAlgorithm.offeredByDefault
            : algorithms.compactMap { COSEAlgorithm.named($0) }
                .filter { rs1 || !$0.usesSHA1 }
    }

    /// The algorithms of credential keys and of attestation statements.
    var accepted: AcceptedAlgorithms {
        AcceptedAlgorithms(
            offered,
            tpmStatements: Set(tpmSHA1 ? COSEAlgorithm.allCases : COSEAlgorithm.withoutSHA1))
    }

    /// The requested extensions: whether the credential is discoverable.
    static var extensions: RegistrationExtensions {
        var extensions = RegistrationExtensions()
        extensions.credentialProperties = true
        return extensions
    }

    var backup: BackupPolicy { backupEligible ? .allowed : .prohibited }

    /// The policy for attestation. Roots and models were validated when they were saved.
    ///
    /// If attestation is not required, it is still evaluated: the metadata mark known models as
    /// trusted, and models with warnings are refused.
    ///
    /// - Parameter metadata: the current metadata of the metadata service, if there is one.
    func attestationPolicy(_ metadata: MetadataSnapshot?) throws -> AttestationPolicy {
        let roots = attestationTrust == "roots" ? trustRoots.compactMap { Base64.decode($0) } : []
        let isDemanded = attestationTrust != "none"
        var policy = try AttestationPolicy(
            conveyance: conveyance, trustAnchors: roots, acceptsNone: !isDemanded,
            acceptsSelf: !isDemanded,
            acceptsUnanchored: ["none", "any"].contains(attestationTrust))
        var source = metadata
        source?.isDemanded = attestationTrust == "metadata"
        policy.source = source
        if !allowedAAGUIDs.isEmpty {
            policy.allowedModels = Set(allowedAAGUIDs.compactMap { AAGUID($0) })
        }
        policy.deniedModels = Set(deniedAAGUIDs.compactMap { AAGUID($0) })
        return policy
    }
}

extension COSEAlgorithm {
    /// The names in state documents: those of the IANA registry.
    static let names: [(String, COSEAlgorithm)] = [
        ("ES256", .es256), ("EdDSA", .edDSA), ("ESP256", .esp256), ("Ed25519", .ed25519),
        ("ES384", .es384), ("ES512", .es512), ("PS256", .ps256), ("PS384", .ps384),
        ("PS512", .ps512), ("ESP384", .esp384), ("ESP512", .esp512), ("RS256", .rs256),
        ("RS384", .rs384), ("RS512", .rs512), ("ES256K", .es256k), ("Ed448", .ed448),
        ("ML-DSA-44", .mlDSA44), ("ML-DSA-65", .mlDSA65), ("ML-DSA-87", .mlDSA87), ("RS1", .rs1),
    ]

    static func named(_ name: String) -> COSEAlgorithm? { names.first { $0.0 == name }?.1 }
}
