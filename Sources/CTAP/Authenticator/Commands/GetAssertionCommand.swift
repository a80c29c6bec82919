// SPDX-License-Identifier: Apache-2.0
import Crypto
import Primitives

/// `authenticatorGetAssertion` (CTAP 2.1 section 6.2.2).
struct GetAssertionCommand: CredentialCommand {
    /// The credentials and salts that were found before the touch.
    struct Pending {
        let verification: PerformedUserVerification
        let credentials: [AuthenticatorCredential]
        let secrets: SaltedSecrets?
    }

    private let request: GetAssertionRequest
    private let requiresPresence: Bool

    init(_ request: GetAssertionRequest) {
        self.request = request
        requiresPresence = request.options?.up ?? true
    }

    private var operation: GesturePrompt.Operation { .getAssertion(rpId: request.rpId) }

    func plan(_ machine: AuthenticatorMachine) throws(CTAPStatus) {
        if request.options?.rk != nil { throw .unsupportedOption }
        if (request.allowList?.count ?? 0) > machine.configuration.maximumCredentialCountInList {
            throw .limitExceeded
        }
    }

    func advance(
        _ plan: Void, _ verification: PerformedUserVerification,
        _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) -> CredentialCommandStep<Pending> {
        let credentials = try applicable(&machine, isVerified: verification.isVerified)
        // The salts are validated before the touch; without presence salts are refused.
        let secrets = try SaltedSecrets(request, isPresent: requiresPresence, machine)
        let pending = Pending(
            verification: verification, credentials: credentials, secrets: secrets)
        if !requiresPresence || machine.showsPresence(verification) {
            return .finished(try assert(pending, &machine))
        }
        return .confirm(operation, pending)
    }

    func resume(
        _ pending: Pending, after result: GestureResult, _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) -> [UInt8] {
        try result.requirePresence()
        return try assert(pending, &machine)
    }

    func verification(_ machine: AuthenticatorMachine) -> UserVerificationRequest {
        UserVerificationRequest(
            parameter: request.pinUvAuthParam, pinProtocol: request.pinUvAuthProtocol,
            clientDataHash: request.clientDataHash, options: request.options,
            rpId: request.rpId, permission: .getAssertion, operation: operation,
            isRequired: machine.state.alwaysVerifies && requiresPresence)
    }

    /// Returns the applicable credentials (step 7), newest first; at most one if the request has an
    /// allow list.
    private func applicable(
        _ machine: inout AuthenticatorMachine, isVerified: Bool
    ) throws(CTAPStatus) -> [AuthenticatorCredential] {
        let rpIdHash = Array(SHA256.hash(data: Array(request.rpId.utf8)))
        var found: [AuthenticatorCredential] = []
        if let list = request.allowList, !list.isEmpty {
            for descriptor in list where found.isEmpty {
                guard let credential = machine.credential(descriptor, rpIdHash: rpIdHash),
                    isVerified || credential.protection < .userVerificationRequired
                else { continue }
                found.append(credential)
            }
        } else {
            found = machine.state.credentials.filter { $0.rpIdHash == rpIdHash }
                .filter { isVerified || $0.protection == .userVerificationOptional }
                .sorted { ($0.discoverable?.order ?? 0) > ($1.discoverable?.order ?? 0) }
        }
        guard !found.isEmpty else { throw .noCredentials }
        return found
    }

    // MARK: Response

    private func assert(
        _ pending: Pending, _ machine: inout AuthenticatorMachine
    ) throws(CTAPStatus) -> [UInt8] {
        if requiresPresence, pending.verification == .byToken { machine.consumeTokenPresence() }
        let flags = AuthenticatorSession.AssertionFlags(
            present: requiresPresence, verified: pending.verification.isVerified)
        var remaining = pending.credentials
        let (first, total) = (remaining.removeFirst(), remaining.count + 1)
        var response = try AssertionWriter(
            request: request, credential: first, flags: flags, secrets: pending.secrets,
            showsAccount: flags.verified && total > 1
        ).write(&machine)
        if total > 1 {
            response.numberOfCredentials = total
            machine.session.assertions = AuthenticatorSession.Assertions(
                request: request, remaining: remaining, flags: flags,
                deadline: machine.now + .seconds(30))
        }
        return response.encode()
    }
}

extension SaltedSecrets {
    /// Decrypts the salts of a sign-in; `nil` if the request has none.
    init?(
        _ request: GetAssertionRequest, isPresent: Bool, _ machine: AuthenticatorMachine
    ) throws(CTAPStatus) {
        guard let input = request.extensions?.hmacSecret else { return nil }
        guard isPresent else { throw .unsupportedOption }
        try self.init(input, machine)
    }
}
