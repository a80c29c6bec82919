// SPDX-License-Identifier: Apache-2.0
import Crypto
import WebAuthn

/// `authenticatorMakeCredential` (CTAP 2.1 section 6.1.2).
struct MakeCredentialCommand: CredentialCommand {
    /// The parameters that were validated before the first gesture.
    struct Plan {
        let algorithm: COSEAlgorithm
        let protection: CredentialProtection
        let attestsEnterprise: Bool
    }

    enum Pending {
        /// A touch before the refusal of an excluded credential.
        case exclusion
        case presence(Plan, PerformedUserVerification)
    }

    private let request: MakeCredentialRequest
    private let rpIdHash: [UInt8]

    init(_ request: MakeCredentialRequest) {
        self.request = request
        rpIdHash = Array(SHA256.hash(data: Array(request.rp.id.utf8)))
    }

    private var operation: GesturePrompt.Operation {
        .makeCredential(rpId: request.rp.id, user: request.user.name)
    }

    func advance(
        _ plan: Plan, _ verification: PerformedUserVerification,
        _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) -> CredentialCommandStep<Pending> {
        let showsPresence = machine.showsPresence(verification)
        if excludes(verification, &machine) {
            if showsPresence { throw .credentialExcluded }
            return .confirm(.excludedCredential(rpId: request.rp.id), .exclusion)
        }
        if showsPresence { return .finished(try create(plan, verification, &machine)) }
        return .confirm(operation, .presence(plan, verification))
    }

    func resume(
        _ pending: Pending, after result: GestureResult, _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) -> [UInt8] {
        switch pending {
        case .exclusion:
            // The status is the same after an approval and a denial; a cancellation is not one.
            if result.isCancelled { throw .keepaliveCancel }
            throw .credentialExcluded
        case .presence(let plan, let verification):
            try result.requirePresence()
            return try create(plan, verification, &machine)
        }
    }

    // MARK: Validation

    func plan(_ machine: AuthenticatorMachine) throws(CTAPStatus) -> Plan {
        let algorithm = try algorithm(machine)
        if request.options?.up == false { throw .invalidOption }
        let protection = try protection()
        let attestsEnterprise = try attestsEnterprise(machine)
        if (request.excludeList?.count ?? 0) > machine.configuration.maximumCredentialCountInList {
            throw .limitExceeded
        }
        return Plan(
            algorithm: algorithm, protection: protection, attestsEnterprise: attestsEnterprise)
    }

    /// Returns the first algorithm of the list that this key supports (step 3).
    private func algorithm(_ machine: AuthenticatorMachine) throws(CTAPStatus) -> COSEAlgorithm {
        for item in request.pubKeyCredParams where item.type == CTAPCredentialDescriptor.publicKey {
            if let algorithm = COSEAlgorithm(rawValue: item.algorithm),
                machine.algorithms.contains(algorithm)
            {
                return algorithm
            }
        }
        throw .unsupportedAlgorithm
    }

    private func protection() throws(CTAPStatus) -> CredentialProtection {
        guard let requested = request.extensions?.credProtect else {
            return .userVerificationOptional
        }
        guard let protection = CredentialProtection(rawValue: requested) else {
            throw .invalidOption
        }
        return protection
    }

    /// Returns whether the response contains enterprise attestation (step 9).
    private func attestsEnterprise(_ machine: AuthenticatorMachine) throws(CTAPStatus) -> Bool {
        guard let kind = request.enterpriseAttestation else { return false }
        guard let allowed = machine.configuration.enterpriseRPIDs, machine.state.attestsEnterprise
        else { throw .invalidParameter }
        switch kind {
        case 1: return allowed.contains(request.rp.id)
        case 2: return true
        default: throw .invalidOption
        }
    }

    /// Without verification the key creates only credentials that are not discoverable, and none
    /// if it always requires verification (steps 6 to 8).
    func verification(_ machine: AuthenticatorMachine) -> UserVerificationRequest {
        let isDiscoverable = request.options?.rk ?? false
        return UserVerificationRequest(
            parameter: request.pinUvAuthParam, pinProtocol: request.pinUvAuthProtocol,
            clientDataHash: request.clientDataHash, options: request.options,
            rpId: request.rp.id, permission: .makeCredential, operation: operation,
            isRequired: machine.state.alwaysVerifies || (machine.isProtected && isDiscoverable))
    }

    /// Returns whether this key has a credential of the exclude list. The refusal follows a touch
    /// (step 12), so that a program alone cannot find out.
    private func excludes(
        _ verification: PerformedUserVerification, _ machine: inout AuthenticatorMachine
    ) -> Bool {
        for descriptor in request.excludeList ?? [] {
            guard let found = machine.credential(descriptor, rpIdHash: rpIdHash) else { continue }
            if found.protection != .userVerificationRequired || verification.isVerified {
                return true
            }
        }
        return false
    }

    // MARK: Creation

    private func create(
        _ plan: Plan, _ verification: PerformedUserVerification,
        _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) -> [UInt8] {
        let secrets = try newSecrets(machine)
        if verification == .byToken { machine.consumeTokenPresence() }
        let creation = CredentialCreationStep(
            request: request, rpIdHash: rpIdHash, algorithm: plan.algorithm,
            protection: plan.protection)
        let credential = try creation.run(&machine)
        let response = MakeCredentialResponseWriter(
            request: request, credential: credential, isVerified: verification.isVerified,
            secrets: secrets, attestsEnterprise: plan.attestsEnterprise)
        return try response.write(&machine).encode()
    }

    /// Returns the salts of hmac-secret-mc, which requires hmac-secret (CTAP 2.2 section 12.8).
    private func newSecrets(_ machine: AuthenticatorMachine) throws(CTAPStatus) -> SaltedSecrets? {
        guard let input = request.extensions?.hmacSecretMC,
            request.extensions?.hmacSecret == true
        else { return nil }
        return try SaltedSecrets(input, machine)
    }
}
