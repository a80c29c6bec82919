// SPDX-License-Identifier: Apache-2.0
import Attestation
import Crypto
package import JOSE
import PlatformSSO
import Primitives
package import ProviderCore
import Storage
import WebAuthn

/// Seals a secret for the TPM of a device that registers. Returning the secret proves that the
/// attestation key is in this TPM (TPM 2.0 Library Part 1, section 24).
///
/// Nothing is stored: the secret is derived from the nonce of the registration and both keys, and
/// the registration consumes the nonce.
package struct DeviceEndorsement: Sendable {
    private let context: CeremonyContext
    private let place: PlatformSSOEndpointInfo

    package static let action = "device.endorsement"

    package init(_ context: CeremonyContext) {
        self.context = context
        place = PlatformSSOEndpointInfo(context.tenant)
    }

    package func run(_ body: JSONObject) async throws -> Result<JSONObject, Refusal> {
        let answer = await credential(MessageClaims(body))
        guard case .failure(let refusal) = answer else { return answer }
        return .failure(try await context.refuseStranger(refusal, Self.action))
    }

    private func credential(_ claims: MessageClaims) async -> Result<JSONObject, Refusal> {
        guard let verifier = place.policy.attestation.endorsements else {
            return .failure(
                Refusal(
                    "endorsement_not_asked", "Endorsement keys count for nothing here.",
                    reason: "no attestation_tpm_endorsement_roots"))
        }
        let (nonce, area, evidence): (String, [UInt8], UnverifiedTPMEndorsement)
        do throws(PlatformSSORefusal) {
            nonce = try claims.requiredText("nonce")
            area = try claims.reader.required("endorsement_area", .base64(1...2048))
            evidence = try UnverifiedTPMEndorsement(claims)
            guard context.nonces(for: .device).check(nonce) != nil else {
                throw PlatformSSORefusal(.serverNonceRefused, "not ours, or too old")
            }
        } catch { return .failure(Refusal(error)) }
        do throws(AttestationRefusal) {
            let endorsement = try await verifier.check(evidence, now: context.now)
            let secret = EndorsementSecrets(context.provider, of: context.tenant)
                .secret(for: endorsement, nonce: nonce)
            let sealed = try endorsement.credential(secret, to: area)
            return .success(
                JSONObject([
                    .init(
                        name: "credential_blob", value: .string(Base64URL.encode(sealed.blob))),
                    .init(
                        name: "encrypted_secret",
                        value: .string(Base64URL.encode(sealed.encryptedSecret))),
                ]))
        } catch { return .failure(DeviceAttestation.refused(error)) }
    }
}

/// The secrets that are sealed for TPMs: 32 bytes for each nonce, endorsement key and attestation
/// key. Only this installation can compute them.
struct EndorsementSecrets: Sendable {
    private let secrets: DerivedKeys
    private let project: Identifier<Project>

    init(_ provider: Provider, of tenant: Tenant) {
        secrets = provider.secrets
        project = tenant.project.id
    }

    func secret(for endorsement: VerifiedTPMEndorsement, nonce: String) -> [UInt8] {
        let parts = [
            project.bytes, Array(SHA256.hash(data: Array(nonce.utf8))),
            endorsement.key.thumbprint,
            Array(SHA256.hash(data: endorsement.attestationName)),
        ]
        return secrets.hash(parts.joined(), for: .endorsement)
    }
}

extension DeviceAttestationPolicy {
    /// Whether the policy uses endorsement keys.
    package var asksForEndorsements: Bool {
        formats.contains(DeviceAttestation.Format.tpm.rawValue) && !tpmEndorsementRoots.isEmpty
    }

    var endorsements: TPMEndorsementVerifier? {
        guard asksForEndorsements else { return nil }
        return TPMEndorsementVerifier(roots: RootKeys(base64: tpmEndorsementRoots))
    }
}

// MARK: Parsing

extension UnverifiedTPMEndorsement {
    /// `x5c` and `attestation_area`.
    init(_ claims: MessageClaims) throws(PlatformSSORefusal) {
        _ = try claims.reader.required("x5c", .value)
        self.init(
            certificates: try CertificateChain.read(claims.members),
            attestationArea: try claims.reader.required("attestation_area", .base64(1...2048)))
    }
}
