// SPDX-License-Identifier: Apache-2.0
package import AppRegistration
import Crypto
package import JOSE
import PIN
import Primitives
package import ProviderCore
import Storage

/// Registers an app installation and its person. The methods verify different evidence; the phases
/// are the same for all.
package struct InstallationRegistration: CredentialRegistrationCeremony {
    private let request: AppRegistrationRequest

    package init(_ request: AppRegistrationRequest) { self.request = request }

    /// Whether the project allows registrations with this method.
    package static func isOffered(_ method: AppRegistrationMethod, in tenant: Tenant) -> Bool {
        RegistrationMethods.evidence(method) != nil
            && tenant.project.policy.registration.methods.contains(method.rawValue)
    }

    /// Runs the ceremony.
    package static func run(
        _ request: AppRegistrationRequest, in context: CeremonyContext
    ) async throws -> Result<Registered, Refusal> {
        let outcome = try await CeremonyRunner(context).run(InstallationRegistration(request))
        return outcome.flatMap { binding in
            guard let installation = binding.installation else {
                return .failure(
                    RegistrationErrorCode.malformedInput.refusal(because: "nothing was registered"))
            }
            return .success(Registered(binding, installation))
        }
    }

    /// The registration, new or repeated.
    package struct Registered: Sendable {
        package let answer: AppRegistrationResponse
        package let isNew: Bool
        private let hasPIN: Bool
        /// Members that the evidence adds to the response for the app.
        package let responseMembers: [JSONObject.Member]

        /// The response, with a nonce for the first sign-in.
        package func json(in context: CeremonyContext) -> [UInt8] {
            var answer = answer
            if answer.keyID != nil {
                answer.next = context.nonces(for: hasPIN ? .pin : .signIn).issue()
            }
            guard !responseMembers.isEmpty,
                let object = try? JSONParser.parseObject(answer.json, maximumBytes: 1 << 20)
            else { return answer.json }
            return JSONObject(responseMembers + object.members).bytes
        }

        init(_ binding: RegistrationBinding, _ installation: Installation) {
            let person = binding.person
            let details = try? JSONParser.parseObject(
                Array(installation.details.utf8), maximumBytes: 65_536)
            answer = AppRegistrationResponse(
                method: AppRegistrationMethod(rawValue: installation.method),
                registrationID: Identifier<Installation>(bytes: installation.registrationID)?
                    .description ?? "",
                userID: person.id.description, username: person.username,
                installationID: installation.id.description,
                keyID: details?["key_id"]?.string, registeredAt: installation.createdAt,
                pin: binding.pin.map { JSONObject($0.members) })
            isNew = binding.recording == .done
            hasPIN = installation.hasPIN
            responseMembers = binding.responseMembers
        }
    }

    /// One of a fixed set, because an unknown method of an unauthenticated client must not become
    /// an action.
    package var action: String {
        let known = RegistrationMethods.evidence(request.method) != nil
        return "registration.\(known ? request.method.rawValue : "unknown")"
    }

    package struct ChallengeResult: Sendable {
        let claim: RegistrationClaim
        let method: any RegistrationEvidenceVerifier
    }

    package struct Evidence: Sendable {
        let claim: RegistrationClaim
        let method: any RegistrationEvidenceVerifier
        let vouched: VerifiedRegistrationEvidence
        /// The earlier registration, if this request repeats it.
        var earlier: (Installation, Person)?
    }

    // 1. Verifies that the method is offered, the nonce is valid, and the key has signed it.
    package func verify(
        _ context: CeremonyContext
    ) async throws -> Result<ChallengeResult, CeremonyRefusal> {
        guard let method = RegistrationMethods.evidence(request.method),
            Self.isOffered(request.method, in: context.tenant)
        else { return .declined(.methodNotSupported, because: "not offered", stranger: true) }
        guard let nonce = context.nonces(for: .registration(request.method)).check(request.nonce)
        else {
            return .declined(.challengeRefused, because: "not our nonce", stranger: true)
        }
        guard let sent = request.key else {
            guard !method.needsKey else {
                return .declined(
                    .missingInput, "public_key is missing.", because: "no key", stranger: true)
            }
            guard request.pinOffer == nil, !isPINRequired(context.tenant) else {
                let reason = request.pinOffer == nil ? "neither PIN nor key" : "a PIN without a key"
                return .declined(
                    .missingInput, "public_key is missing.", because: reason, stranger: true)
            }
            let claim = RegistrationClaim(
                request: request, nonce: nonce, key: nil, binding: nil, pin: nil)
            return .success(ChallengeResult(claim: claim, method: method))
        }
        return prove(sent, nonce, context).map { ChallengeResult(claim: $0, method: method) }
    }

    private func prove(
        _ sent: JSONValue, _ nonce: StatelessNonce.Genuine, _ context: CeremonyContext
    ) -> Result<RegistrationClaim, CeremonyRefusal> {
        let key: InstallationKey
        do throws(JOSEError) {
            key = try InstallationKey(sent)
        } catch {
            return .declined(
                .malformedInput,
                "public_key must be a P-256 or RSA key (2048 bits and more): a JWK, or base64 of "
                    + "its DER.", because: "key: \(error)", stranger: true)
        }
        let binding = KeyBinding(nonce: nonce.text, key: key)
        guard let proof = request.keyProof else {
            return .declined(
                .missingInput, "key_proof is missing.", because: "no proof", stranger: true)
        }
        guard binding.isProven(by: proof) else {
            return .declined(.keyProofRefused, because: "wrong proof", stranger: true)
        }
        return pin(of: key, nonce, context.tenant).map {
            RegistrationClaim(request: request, nonce: nonce, key: key, binding: binding, pin: $0)
        }
    }

    private func isPINRequired(_ tenant: Tenant) -> Bool {
        tenant.project.policy.registration.pin.offered == .required
    }

    /// The PIN of the key, if one is offered or required.
    private func pin(
        of key: InstallationKey, _ nonce: StatelessNonce.Genuine, _ tenant: Tenant
    ) -> Result<PINOffer?, CeremonyRefusal> {
        let use = tenant.project.policy.registration.pin.offered
        guard let text = request.pinOffer else {
            guard use != .required else {
                return .declined(
                    .missingInput, "pin_offer is missing.", because: "no PIN", stranger: true)
            }
            return .success(nil)
        }
        guard use != .off else {
            return .declined(.pinNotOffered, because: "PINs are off", stranger: true)
        }
        guard let offer = PINOffer(text, by: key, nonce: nonce, issuer: tenant.issuer) else {
            return .declined(.pinRefused, because: "no offer of that key", stranger: true)
        }
        return .success(offer)
    }

    // 2. Verifies the evidence. A repeated registration needs no valid evidence: the key is
    //   sufficient to receive a lost response again. In the meantime a token may have expired, the
    //   nonce of an attestation may be consumed, or a vendor may be unreachable.
    package func prove(
        _ answer: ChallengeResult, _ context: CeremonyContext
    ) async throws -> Result<Evidence, CeremonyRefusal> {
        if answer.method.asksOthers, let again = try await again(answer, context) {
            return .success(again)
        }
        switch try await answer.method.verify(answer.claim, context) {
        case .success(let vouched):
            return .success(
                Evidence(claim: answer.claim, method: answer.method, vouched: vouched))
        case .failure(let declined):
            return try await again(answer, context).map { .success($0) } ?? .failure(declined)
        }
    }

    private func again(
        _ answer: ChallengeResult, _ context: CeremonyContext
    ) async throws -> Evidence? {
        try await earlier(answer.claim, context).map { earlier in
            Evidence(
                claim: answer.claim, method: answer.method, vouched: VerifiedRegistrationEvidence(),
                earlier: earlier)
        }
    }

    /// The earlier registration with this ID and this key, or `nil`.
    private func earlier(
        _ claim: RegistrationClaim, _ context: CeremonyContext
    ) async throws -> (Installation, Person)? {
        guard let key = claim.key,
            let found = try await context.installation(of: key),
            found.0.registrationID == request.registrationID.bytes,
            found.0.method == request.method.rawValue
        else { return nil }
        return found
    }

    // 3. Applies the policy.
    package func decide(
        _ evidence: Evidence, _ context: CeremonyContext
    ) async throws -> CeremonyRefusal? {
        guard evidence.earlier == nil else { return nil }
        if let declined = try await evidence.method.policy(evidence.vouched, context) {
            return declined
        }
        if let key = evidence.claim.key,
            try await context.store.pins.pin(of: key.jwk.thumbprint, in: context.project)?.isOver
                == true
        {
            return CeremonyRefusal(.keyTaken, because: "the key of a revoked installation")
        }
        guard let set = evidence.vouched.entitlementSet,
            try await context.store.entitlements.entitlementSet(named: set, in: context.project)
                == nil
        else { return nil }
        return CeremonyRefusal(
            .tokenRefused, "No entitlement set has that name.", because: "unknown set")
    }

    // 4. Stores person, credentials, installation, nonce, token and audit event in one transaction.
    package func commit(
        _ evidence: Evidence, _ context: CeremonyContext
    ) async throws -> Result<RegistrationBinding, CeremonyRefusal> {
        let binding = InstallationBinding(evidence, action: action, in: context)
        return try await binding.bind()
    }
}
