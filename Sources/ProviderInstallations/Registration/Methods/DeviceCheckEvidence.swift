// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import Attestation
import Crypto
import JOSE
import Logging
import Primitives
import ProviderCore
import Storage

/// `deviceCheck` (`DEVICE_CHECK`): `{"token": …, "device_id"?}`, the token of `DCDevice` in Base64.
/// Apple asserts that the device is genuine and has an app of the team. The token does not bind a
/// key, so the key of the installation is bound only by its proof, and never counts as a hardware
/// key.
struct DeviceCheckEvidence: RegistrationEvidenceVerifier {
    let method = AppRegistrationMethod.deviceCheck
    let needsKey = true

    func verify(
        _ claim: RegistrationClaim, _ context: CeremonyContext
    ) async throws -> Result<VerifiedRegistrationEvidence, CeremonyRefusal> {
        guard let service = service(context) else {
            return .failure(AttestedEvidence.notSetUp)
        }
        let longest = DeviceCheckMessage.maximumTokenBytes
        let token: [UInt8]
        switch AttestedEvidence.bytes("token", of: claim, upTo: longest) {
        case .success(let bytes): token = bytes
        case .failure(let declined): return .failure(declined)
        }
        // An unauthenticated client can send invented tokens, and Apple limits the requests of all
        // apps together.
        if let declined = try await AttemptCounter(context: context).countQuestion() {
            return .failure(declined)
        }
        var vouched = VerifiedRegistrationEvidence(
            uses: [
                OneTimeUse(
                    OneTimeIdentifier(.issuedToken, key: Array(SHA256.hash(data: token))),
                    until: context.now + .days(1))
            ], deviceToken: token)
        let once = rules(context).deviceCheckOnce
        switch await service.ask(once ? .query : .validate, token: token) {
        case .done, .neverSet: return .success(vouched)
        case .bits(let bits):
            vouched.secondDeviceBit = bits.bit1
            if bits.bit0, !mayRegisterAgain(claim, context) {
                vouched.uses.append(try await Self.spent(claim, context))
            }
            return .success(vouched)
        case .badToken(let text):
            return .failure(
                AttestedEvidence.declined(
                    AttestationRefusal(.deviceNotRecognized, "Apple: \(text)")))
        case .notAuthorized(let text):
            context.provider.log.error(
                "Apple refused the DeviceCheck key", metadata: ["answer": "\(text)"])
            return .failure(Self.unavailable("not authorized: \(text)"))
        case .unknown(let text): return .failure(Self.unavailable(text))
        }
    }

    /// Sets the bit of the device at Apple. It is repeated with every repeated registration, in
    /// case of a crash before it.
    func bound(_ vouched: VerifiedRegistrationEvidence, _ context: CeremonyContext) async {
        guard rules(context).deviceCheckOnce, let token = vouched.deviceToken,
            let service = service(context)
        else { return }
        let answer = await service.ask(
            .update(bit0: true, bit1: vouched.secondDeviceBit), token: token)
        guard answer != .done else { return }
        context.provider.log.warning(
            "a device could not be marked as registered", metadata: ["answer": "\(answer)"])
    }

    /// Whether an administrator allows the device that the app names to register again.
    private func mayRegisterAgain(
        _ claim: RegistrationClaim, _ context: CeremonyContext
    ) -> Bool {
        guard let device = claim.request.evidence["device_id"]?.string else { return false }
        return rules(context).deviceCheckAgain.contains {
            DeviceAllowance($0)?.admits(device, at: context.now) ?? false
        }
    }

    private func rules(_ context: CeremonyContext) -> AppleAppPolicy {
        context.tenant.project.policy.registration.apple
    }

    private func service(_ context: CeremonyContext) -> DeviceCheckService? {
        rules(context).deviceCheck(
            RegistrationSecrets(of: context.tenant.project, in: context.provider),
            in: context.provider)
    }

    /// A one-time identifier that is already consumed. With it, only an earlier registration can be
    /// returned, and none can be created.
    private static func spent(
        _ claim: RegistrationClaim, _ context: CeremonyContext
    ) async throws -> OneTimeUse {
        let mark = OneTimeIdentifier(.registeredDevice, key: claim.nonce.use.mark.key)
        let use = OneTimeUse(mark, until: claim.nonce.use.expiresAt)
        _ = try await context.store.challenges.markUsed(use.mark, expiresAt: use.expiresAt)
        return use
    }

    /// An unknown state must not be treated like "not set".
    private static func unavailable(_ reason: String) -> CeremonyRefusal {
        CeremonyRefusal(.vendorUnavailable, because: reason, stranger: true)
    }
}
