// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// Judges requests about PINs (docs/protocols/pin.md, "The server"). Pure but for randomness: it
/// reads a record and computes what it becomes.
///
/// The caller, for every request: read the record of ``UnverifiedPINRequest/keyID``; ``judge`` it;
/// have the store settle the successor under the record's revision and consume the nonce, in one
/// step; answer. When another request was faster, begin again with the record as it is now. When
/// the nonce is gone, ``recall`` says what the answer is.
package struct PINVerifier: Sendable {
    private let issuer: String
    private let limit: PINAttemptLimit
    private let vault: any PINSecretProtector
    private let random: any RandomSource

    package init(
        issuer: String, limit: PINAttemptLimit, vault: any PINSecretProtector,
        random: any RandomSource
    ) {
        self.issuer = issuer
        self.limit = limit
        self.vault = vault
        self.random = random
    }

    // MARK: Entries

    /// Judges a sign-in, a change of the PIN, a commit or a resolution.
    ///
    /// - Parameter record: `nil` when no record has that key id. That costs a signature check as
    ///   well, so that time does not tell which keys exist.
    package func judge(
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
        case .living(let secrets): return try judge(verified, record, secrets)
        }
    }

    /// Judges the offer request of a registration: for a key whose evidence was just verified
    /// against ``PINRegistrationChallenge``, or whose registration is being repeated because the
    /// answer was lost.
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
        case .living(let secrets) where secrets.current != nil:
            return PINDecision(.refused(.alreadyRegistered))
        case .living(let secrets):
            return try offer(to: transportKey, record.next { _ in }, secrets)
        }
    }

    /// What to answer when the nonce of a request is not living: again what was answered to the
    /// same request, when that was "wrong PIN"; the end, which has no end; otherwise a refusal.
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

    /// The same for an offer request within a registration that is being repeated: the secret that
    /// stands offered to the same transport key. Whoever repeats it without that key gains nothing.
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
        case .living(let secrets):
            guard secrets.current == nil, let standing = secrets.offered,
                standing.transportKey == transportKey
            else { return .refused(.nonceUsed) }
            return .offered(try again(standing, record.keyID))
        }
    }

    // MARK: Living profiles

    private func judge(
        _ verified: VerifiedPINRequest, _ record: PINRecord, _ secrets: PINRecord.Secrets
    ) throws(PINServiceError) -> PINDecision {
        switch verified.request {
        case .signIn(let proof):
            return try prove(proof, .signIn, secrets.current, verified, record) { proved in
                PINDecision(
                    .accepted(version: proof.version, wrongBefore: record.attemptsUsed), proved)
            }
        case .offer(let transportKey, let proof?):
            return try prove(proof, .change(transportKey), secrets.current, verified, record) {
                (proved) throws(PINServiceError) in try offer(to: transportKey, proved, secrets)
            }
        case .offer(_, proof: nil): return PINDecision(.refused(.outsideRegistration))
        case .commit(let proof): return try commit(proof, verified, record, secrets)
        case .resolve(let version): return resolve(version, record, secrets)
        }
    }

    /// The one place where a proof is compared, and where a wrong one is counted.
    ///
    /// - Parameter right: What a right proof leads to; it is given the record with the count
    ///   cleared. The successor is always written, also when nothing in it changed but its
    ///   revision: a right answer that did not pass through the store could be one of a thousand
    ///   guesses judged at the same moment.
    private func prove(
        _ proof: PINProof, _ purpose: PINProof.Purpose, _ stored: PINRecord.Sealed?,
        _ verified: VerifiedPINRequest, _ record: PINRecord,
        _ right: (PINRecord) throws(PINServiceError) -> PINDecision
    ) throws(PINServiceError) -> PINDecision {
        guard let stored, stored.version == proof.version else {
            return PINDecision(.refused(.unknownVersion))
        }
        let secret = try open(stored, verified.binding.keyID)
        let expected = PINProof(
            purpose, with: secret.reveal(), version: stored.version, nonce: verified.nonce,
            verified.binding)
        guard proof == expected else { return wrong(verified.nonce, record) }
        return try right(
            record.next {
                $0.attemptsUsed = 0
                $0.lastWrongNonce = nil
            })
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

    /// A commit of what already counts is one whose answer was lost.
    private func commit(
        _ proof: PINProof, _ verified: VerifiedPINRequest, _ record: PINRecord,
        _ secrets: PINRecord.Secrets
    ) throws(PINServiceError) -> PINDecision {
        let isCurrent = secrets.current?.version == proof.version
        let stored = isCurrent ? secrets.current : secrets.offered?.secret
        return try prove(proof, .commit, stored, verified, record) { proved in
            var proved = proved
            if !isCurrent { proved.standing = .living(.init(current: stored)) }
            return PINDecision(.standing(version: proof.version), proved)
        }
    }

    /// Takes an offer back that was not committed: whatever is still on its way for that version
    /// comes too late from now on.
    private func resolve(
        _ version: UInt32, _ record: PINRecord, _ secrets: PINRecord.Secrets
    ) -> PINDecision {
        let standing = PINOutcome.standing(version: secrets.current?.version ?? 0)
        let kept = secrets.offered?.secret.version == version ? nil : secrets.offered
        let successor = record.next {
            $0.standing = .living(.init(current: secrets.current, offered: kept))
        }
        return PINDecision(standing, successor)
    }

    // MARK: Offers

    /// The standing offer again, when it is for the same transport key; otherwise a new secret.
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
        successor.standing = .living(
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
