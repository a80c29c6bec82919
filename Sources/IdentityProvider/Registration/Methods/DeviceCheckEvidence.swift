// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import Attestation
import Crypto
import JOSE
import Logging
import Primitives
import Storage

/// `deviceCheck` (`DEVICE_CHECK`): `{"token": …, "device_id"?}`, base64 of what `DCDevice` gave. Apple says that
/// the device is genuine and has an app of the team; the token binds nothing, so the installation's
/// key is bound by its own proof alone, and is nowhere taken for one in hardware.
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
        // Anybody can send something for a token: of Apple's patience there is one for all apps.
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

    /// Remembers at Apple's that the device has registered. Asked for again with every repetition,
    /// so that a crash before it costs nothing.
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

    /// Whether an administrator lets the device that the app names register once more.
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

    /// A mark that is used up already: what it is needed for cannot be made anew, and is still
    /// found when it was made before.
    private static func spent(
        _ claim: RegistrationClaim, _ context: CeremonyContext
    ) async throws -> OneTimeUse {
        let mark = OneTimeIdentifier(.registeredDevice, key: claim.nonce.use.mark.key)
        let use = OneTimeUse(mark, until: claim.nonce.use.expiresAt)
        _ = try await context.store.markUsed(use.mark, expiresAt: use.expiresAt)
        return use
    }

    /// What is not known is never the same as "not set".
    private static func unavailable(_ reason: String) -> CeremonyRefusal {
        CeremonyRefusal(.vendorUnavailable, because: reason, stranger: true)
    }
}
