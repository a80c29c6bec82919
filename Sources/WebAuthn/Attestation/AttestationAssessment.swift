// SPDX-License-Identifier: Apache-2.0
import Primitives

/// A statement with its trust; of a compound one, the deciding statement.
struct AssessedStatement {
    let statement: VerifiedStatement
    let trust: AttestationTrust
}

/// Steps 7.1.23 and 7.1.24: assesses a verified statement.
struct AttestationAssessment {
    let policy: AttestationPolicy
    let aaguid: AAGUID
    let algorithm: COSEAlgorithm
    /// The moment at which every certificate must be valid.
    let now: Timestamp

    func assess(
        _ statement: VerifiedStatement
    ) async throws(WebAuthnRefusal) -> AssessedStatement {
        guard !policy.deniedModels.contains(aaguid) else {
            throw refusal(.attestationModelNotAllowed, "\(aaguid) is denied")
        }
        let assessed =
            statement.parts.isEmpty
            ? AssessedStatement(statement: statement, trust: try await assessOne(statement))
            : try await assessCompound(statement.parts)
        guard let allowed = policy.allowedModels else { return assessed }
        guard allowed.contains(aaguid) else {
            throw refusal(.attestationModelNotAllowed, "\(aaguid) is not on the list")
        }
        guard assessed.trust == .anchored else {
            throw refusal(.attestationUntrusted, "the model is not proved")
        }
        return assessed
    }

    /// Assesses a compound statement. With the rule `all`, the result is the weakest part; with
    /// `any`, the strongest part that passes.
    private func assessCompound(
        _ parts: [VerifiedStatement]
    ) async throws(WebAuthnRefusal) -> AssessedStatement {
        var assessed: [AssessedStatement] = []
        var refused: WebAuthnRefusal?
        for part in parts {
            do {
                assessed.append(
                    AssessedStatement(statement: part, trust: try await assessOne(part)))
            } catch {
                if policy.compoundRule == .all { throw error }
                refused = refused ?? error
            }
        }
        let order: [AttestationTrust] =
            policy.compoundRule == .all
            ? [.none, .unanchored, .anchored] : [.anchored, .unanchored, .none]
        for trust in order {
            if let found = assessed.first(where: { $0.trust == trust }) { return found }
        }
        throw refused ?? refusal(.attestationNotAcceptable, "there is no statement")
    }

    private func assessOne(
        _ statement: VerifiedStatement
    ) async throws(WebAuthnRefusal) -> AttestationTrust {
        let known = try known(statement)
        switch statement.type {
        case .none:
            guard policy.acceptsNone else {
                throw refusal(.attestationNotAcceptable, "none is not accepted")
            }
            return .none
        case .selfAttestation:
            guard policy.acceptsSelf else {
                throw refusal(.attestationNotAcceptable, "self is not accepted")
            }
            return .none
        case .certified:
            return try await anchor(statement, known)
        }
    }

    /// Returns the trust in a statement.
    ///
    /// 7.1.23: the anchors are those of the model, if a source has it, and those of the policy.
    /// 7.1.24: the certificate leads to one of them, or is one.
    private func anchor(
        _ statement: VerifiedStatement, _ known: AuthenticatorTrust?
    ) async throws(WebAuthnRefusal) -> AttestationTrust {
        let anchors = known?.anchors.adding(policy.anchors) ?? policy.anchors
        if anchors.isEmpty {
            guard policy.acceptsUnanchored, known == nil else {
                throw refusal(.attestationUntrusted, "there is no anchor")
            }
            return .unanchored
        }
        let path = AttestationPath(
            certificates: statement.trustPath, verifiedExtensions: statement.verifiedExtensions,
            isAndroidKey: statement.isAndroidKey)
        if let reason = await path.refusal(anchors: anchors, now: now) {
            throw refusal(.attestationUntrusted, reason)
        }
        return .anchored
    }

    /// Returns the source's statement for the model, after the credential was checked against it.
    private func known(
        _ statement: VerifiedStatement
    ) throws(WebAuthnRefusal) -> AuthenticatorTrust? {
        guard let source = policy.source, let known = lookUp(source, statement) else { return nil }
        if let reason = known.refusal { throw refusal(.attestationModelNotAllowed, reason) }
        if let algorithms = known.algorithms, !algorithms.contains(algorithm) {
            throw refusal(
                .attestationModelNotAllowed, "the model has no alg \(algorithm.rawValue)")
        }
        // A client can remove an attestation but cannot turn one type into another.
        guard statement.type == .none || known.attestationTypes.contains(statement.type) else {
            throw refusal(.attestationNotAcceptable, "the model does not attest so")
        }
        let distrusted = statement.trustPath.contains {
            known.distrustedCertificates.contains($0.der)
        }
        guard !distrusted else {
            throw refusal(.attestationUntrusted, "a certificate is no longer trusted")
        }
        return known
    }

    /// Looks the model up by AAGUID, or by the certificate of a U2F key.
    private func lookUp(
        _ source: any AttestationTrustSource, _ statement: VerifiedStatement
    ) -> AuthenticatorTrust? {
        if !aaguid.isZero { return source.statement(for: .aaguid(aaguid)) }
        for certificate in statement.trustPath {
            let model = AuthenticatorModel.certificateKey(identifier: certificate.keyIdentifier)
            if let known = source.statement(for: model) { return known }
        }
        return nil
    }

    private func refusal(_ code: WebAuthnRefusal.Code, _ reason: String) -> WebAuthnRefusal {
        WebAuthnRefusal(CeremonyStep(.registration, 24), code, reason)
    }
}
