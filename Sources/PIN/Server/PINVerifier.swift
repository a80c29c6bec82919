// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A verifier of requests about PINs (docs/protocols/pin.md, "The server"). Pure except for
/// randomness: it reads a record and computes the next one.
///
/// For every request, the caller reads the record of ``UnverifiedPINRequest/keyID`` and verifies the
/// request. The store then saves the successor under the record's revision and consumes the nonce,
/// in one transaction. Afterwards the caller responds. If a concurrent request was faster, the
/// caller starts again with the current record. If the nonce is not active, ``recall`` returns the
/// response.
package struct PINVerifier: Sendable {
    private let issuer: String
    private let limit: PINAttemptLimit
    private let vault: any PINSecretProtector
    private let proofKeys: [PINProofKey]
    private let random: any RandomSource

    /// - Parameter proofKeys: The keys that open the proofs of version 2. Without the key of a
    ///   request, its proof cannot be read, and the request is refused and not counted.
    package init(
        issuer: String, limit: PINAttemptLimit, vault: any PINSecretProtector,
        proofKeys: [PINProofKey], random: any RandomSource
    ) {
        self.issuer = issuer
        self.limit = limit
        self.vault = vault
        self.proofKeys = proofKeys
        self.random = random
    }

    // MARK: Entries

    /// Verifies a sign-in, a change of the PIN, a commit or a resolution.
    ///
    /// - Parameter record: `nil` if there is no record with that key id. That costs a signature
    ///   check as well, so that the response time does not reveal which keys exist.
    package func verify(
        _ request: UnverifiedPINRequest, _ record: PINRecord?
    ) throws(PINServiceError) -> PINDecision {
        guard let record else {
            PINDecoy.check(request)
            return PINDecision(.refused(.unknownKey))
        }
        guard let verified = request.verified(by: record.publicKey, issuer: issuer) else {
            return PINDecision(.refused(.notSigned))
        }
        switch record.standing {
        case .ended(let ending): return PINDecision(.ended(ending))
        case .active(let secrets): return try verify(verified, record, secrets)
        }
    }

    /// Verifies the offer request of a registration: for a key whose evidence was just verified
    /// against ``PINRegistrationChallenge``, or for a repeated registration whose response was
    /// lost.
    ///
    /// - Parameter record: The stored record, or ``PINRecord/init(registering:)``.
    package func register(
        _ request: UnverifiedPINRequest, _ record: PINRecord
    ) throws(PINServiceError) -> PINDecision {
        guard let verified = request.verified(by: record.publicKey, issuer: issuer) else {
            return PINDecision(.refused(.notSigned))
        }
        guard case .offer(let transportKey, proof: nil) = verified.request else {
            return PINDecision(.refused(.notAnOffer))
        }
        switch record.standing {
        case .ended(let ending): return PINDecision(.ended(ending))
        case .active(let secrets) where secrets.current != nil:
            return PINDecision(.refused(.alreadyRegistered))
        case .active(let secrets):
            return try offer(to: transportKey, record.next { _ in }, secrets)
        }
    }

    /// Returns the outcome for a request whose nonce is not active: the earlier outcome of the same
    /// request if it was "wrong PIN", the termination, or otherwise a refusal.
    package func recall(_ request: UnverifiedPINRequest, _ record: PINRecord?) -> PINOutcome {
        guard let record else {
            PINDecoy.check(request)
            return .refused(.unknownKey)
        }
        guard request.verified(by: record.publicKey, issuer: issuer) != nil else {
            return .refused(.notSigned)
        }
        if case .ended(let ending) = record.standing { return .ended(ending) }
        guard record.wasWrong(request.nonce) else { return .refused(.nonceUsed) }
        return .wrongPIN(PINAttempts(limit: limit, used: record.attemptsUsed))
    }

    /// Returns the same for a repeated offer request within a registration: the offered secret for
    /// the same transport key. Only the holder of that key can decrypt it.
    package func recallRegistration(
        _ request: UnverifiedPINRequest, _ record: PINRecord?
    ) throws(PINServiceError) -> PINOutcome {
        guard let record, let verified = request.verified(by: record.publicKey, issuer: issuer)
        else { return .refused(.notSigned) }
        guard case .offer(let transportKey, proof: nil) = verified.request else {
            return .refused(.notAnOffer)
        }
        switch record.standing {
        case .ended(let ending): return .ended(ending)
        case .active(let secrets):
            guard secrets.current == nil, let standing = secrets.offered,
                standing.transportKey == transportKey
            else { return .refused(.nonceUsed) }
            return .offered(try again(standing, record.keyID))
        }
    }

    // MARK: Active profiles

    private func verify(
        _ verified: VerifiedPINRequest, _ record: PINRecord, _ secrets: PINRecord.Secrets
    ) throws(PINServiceError) -> PINDecision {
        switch verified.request {
        case .signIn(let proof):
            return try signIn(proof, verified, record, secrets)
        case .offer(let transportKey, let proof?):
            return try prove(proof, .change(transportKey), secrets.current, verified, record) {
                (proved) throws(PINServiceError) in try offer(to: transportKey, proved, secrets)
            }
        case .offer(_, proof: nil): return PINDecision(.refused(.outsideRegistration))
        case .commit(let proof): return try commit(proof, verified, record, secrets)
        case .resolve(let version): return resolve(version, record, secrets)
        }
    }

    /// Compares a proof, and counts a wrong one. All proofs are compared here.
    ///
    /// - Parameter right: The result of a correct proof, computed from the record with the counter
    ///   reset. The successor is always saved, even if only its revision changes: a correct proof
    ///   that is not saved could be one of a thousand concurrent guesses.
    private func prove(
        _ sent: PINSentProof, _ purpose: PINProof.Purpose, _ stored: PINRecord.Sealed?,
        _ verified: VerifiedPINRequest, _ record: PINRecord,
        _ right: (PINRecord) throws(PINServiceError) -> PINDecision
    ) throws(PINServiceError) -> PINDecision {
        guard let stored, stored.version == sent.version else {
            return PINDecision(.refused(.unknownVersion))
        }
        guard let proof = open(sent, verified) else {
            return PINDecision(.refused(.proofUnreadable))
        }
        let secret = try open(stored, verified.binding.keyID)
        let expected = PINProof(
            purpose, with: secret.reveal(), version: stored.version, nonce: verified.nonce,
            verified.binding, verified.protocolVersion)
        guard proof == expected else { return wrong(verified.nonce, record) }
        return try right(
            record.next {
                $0.attemptsUsed = 0
                $0.lastWrongNonce = nil
            })
    }

    /// The proof as the device computed it. `nil` if it was not sealed to one of these keys for this
    /// request: then it is no guess, right or wrong.
    private func open(_ sent: PINSentProof, _ verified: VerifiedPINRequest) -> PINProof? {
        switch sent.content {
        case .plain(let tag): return PINProof(version: sent.version, tag: tag)
        case .sealed(let sealed):
            let key = proofKeys.first { $0.publicKey.keyID == sealed.keyID }
            let tag = key?.open(
                sealed, version: sent.version, nonce: verified.nonce, verified.binding)
            return tag.map { PINProof(version: sent.version, tag: $0) }
        }
    }

    private func wrong(_ nonce: PINNonce, _ record: PINRecord) -> PINDecision {
        let used = record.attemptsUsed + 1
        let isLast = used >= limit.count
        let successor = record.next {
            $0.attemptsUsed = used
            $0.lastWrongNonce = nonce.fingerprint
            if isLast { $0.standing = .ended(.profileLocked) }
        }
        guard !isLast else { return PINDecision(.ended(.profileLocked), successor) }
        return PINDecision(.wrongPIN(PINAttempts(limit: limit, used: used)), successor)
    }

    /// Signs in with the current secret; in version 2 also with the offered one, which the right
    /// proof activates: a device proves what it has sealed and stored.
    private func signIn(
        _ proof: PINSentProof, _ verified: VerifiedPINRequest, _ record: PINRecord,
        _ secrets: PINRecord.Secrets
    ) throws(PINServiceError) -> PINDecision {
        let stored =
            switch verified.protocolVersion {
            case .one: secrets.current
            case .two: secrets.secret(proof.version)
            }
        return try prove(proof, .signIn, stored, verified, record) { proved in
            PINDecision(
                .accepted(version: proof.version, wrongBefore: record.attemptsUsed),
                proved.activating(stored, of: secrets))
        }
    }

    /// Commits a secret. A commit of the active secret is a repetition after a lost response.
    private func commit(
        _ proof: PINSentProof, _ verified: VerifiedPINRequest, _ record: PINRecord,
        _ secrets: PINRecord.Secrets
    ) throws(PINServiceError) -> PINDecision {
        let stored = secrets.secret(proof.version)
        return try prove(proof, .commit, stored, verified, record) { proved in
            PINDecision(
                .standing(version: proof.version), proved.activating(stored, of: secrets))
        }
    }

    /// Withdraws an offer that was not committed: later messages for that version are refused.
    private func resolve(
        _ version: UInt32, _ record: PINRecord, _ secrets: PINRecord.Secrets
    ) -> PINDecision {
        let standing = PINOutcome.standing(version: secrets.current?.version ?? 0)
        let kept = secrets.offered?.secret.version == version ? nil : secrets.offered
        let successor = record.next {
            $0.standing = .active(.init(current: secrets.current, offered: kept))
        }
        return PINDecision(standing, successor)
    }

    // MARK: Offers

    /// Repeats the current offer, if it is for the same transport key; otherwise makes a new
    /// secret.
    private func offer(
        to transportKey: PINTransportPublicKey, _ successor: PINRecord, _ secrets: PINRecord.Secrets
    ) throws(PINServiceError) -> PINDecision {
        if let standing = secrets.offered, standing.transportKey == transportKey {
            return PINDecision(.offered(try again(standing, successor.keyID)), successor)
        }
        let (version, isExhausted) = successor.lastVersion.addingReportingOverflow(1)
        guard !isExhausted else { return PINDecision(.refused(.versionsExhausted)) }
        let made = PINOfferedSecret(
            version: version, secret: Secret(random.bytes(PINSecret.length)),
            transportKey: transportKey)
        let sealed = PINRecord.Sealed(
            version: version, bytes: try seal(made.secret, version, successor.keyID))
        var successor = successor
        successor.lastVersion = version
        successor.standing = .active(
            .init(
                current: secrets.current, offered: .init(secret: sealed, transportKey: transportKey)
            ))
        return PINDecision(.offered(made), successor)
    }

    private func again(
        _ standing: PINRecord.Offer, _ keyID: PINKeyID
    ) throws(PINServiceError) -> PINOfferedSecret {
        PINOfferedSecret(
            version: standing.secret.version, secret: try open(standing.secret, keyID),
            transportKey: standing.transportKey)
    }

    // MARK: Secrets at rest

    private func context(_ version: UInt32, _ keyID: PINKeyID) -> String {
        "pin-secret/\(issuer)/\(keyID.text)/\(version)"
    }

    private func seal(
        _ secret: Secret, _ version: UInt32, _ keyID: PINKeyID
    ) throws(PINServiceError) -> [UInt8] {
        do { return try vault.seal(secret, context: context(version, keyID)) } catch {
            throw PINServiceError(.vault, "sealing failed: \(error)")
        }
    }

    private func open(
        _ stored: PINRecord.Sealed, _ keyID: PINKeyID
    ) throws(PINServiceError) -> Secret {
        do { return try vault.open(stored.bytes, context: context(stored.version, keyID)) } catch {
            throw PINServiceError(.vault, "a stored PIN secret does not open: \(error)")
        }
    }
}
