// SPDX-License-Identifier: Apache-2.0
import OAuth
import Primitives
import Storage
import WebAuthn

/// A project's policy in the terms of the WebAuthn room.
extension WebAuthnPolicy {
    var conveyance: AttestationConveyance { AttestationConveyance(rawValue: attestation) ?? .none }

    var verification: UserVerificationRequirement {
        UserVerificationRequirement(rawValue: userVerification) ?? .required
    }

    var counting: AssertionExpectation.SignCountPolicy {
        AssertionExpectation.SignCountPolicy(rawValue: signCounter) ?? .refuse
    }

    var evidence: HardwareEvidence { HardwareEvidence(rawValue: hardwareEvidence) ?? .attested }

    /// What `pubKeyCredParams` offers, best first.
    var offered: [COSEAlgorithm] {
        algorithms.isEmpty
            ? COSEAlgorithm.offeredByDefault
            : algorithms.compactMap { COSEAlgorithm.named($0) }
    }

    /// What is asked beside a credential: whether it is found without a user name.
    static var extensions: RegistrationExtensions {
        var extensions = RegistrationExtensions()
        extensions.credentialProperties = true
        return extensions
    }

    var backup: BackupPolicy { backupEligible ? .allowed : .prohibited }

    /// Roots that are no certificates were refused when the policy was set.
    func attestationPolicy() throws -> AttestationPolicy {
        let roots = trustRoots.compactMap { Base64.decode($0) }
        switch attestationTrust {
        case "any":
            return try AttestationPolicy(
                conveyance: conveyance, acceptsNone: false, acceptsSelf: false)
        case "roots", "metadata":
            return try AttestationPolicy(
                conveyance: conveyance, trustAnchors: roots, acceptsNone: false,
                acceptsSelf: false, acceptsUnanchored: false)
        default:
            // Roots without a demand: what leads to one is marked as trusted, the rest comes in.
            return try AttestationPolicy(conveyance: conveyance)
        }
    }

    /// Why a credential that is correct may not be registered here; `nil` when it may.
    func reasonToRefuse(_ registration: VerifiedRegistration) -> String? {
        let model = registration.aaguid.description
        if deniedAAGUIDs.contains(model) { return "the model \(model) is denied" }
        if !allowedAAGUIDs.isEmpty, !allowedAAGUIDs.contains(model) {
            return "the model \(model) is not allowed"
        }
        return nil
    }
}

extension COSEAlgorithm {
    /// The names that state documents use: those of the IANA registry.
    static let names: [(String, COSEAlgorithm)] = [
        ("ES256", .es256), ("EdDSA", .edDSA), ("ESP256", .esp256), ("Ed25519", .ed25519),
        ("ES384", .es384), ("ES512", .es512), ("PS256", .ps256), ("PS384", .ps384),
        ("PS512", .ps512), ("ESP384", .esp384), ("ESP512", .esp512), ("RS256", .rs256),
        ("RS384", .rs384), ("RS512", .rs512),
    ]

    static func named(_ name: String) -> COSEAlgorithm? { names.first { $0.0 == name }?.1 }
}
