// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// The processing of one request: read, verify, save, respond. The caller handles HTTP and the
/// result of an accepted PIN.
package struct PINEndpoint: Sendable {
    /// The response, and the outcome for the log and audit event.
    package struct Reply: Sendable {
        package let answer: PINResponse
        package let outcome: PINOutcome
        /// The record after the request; `nil` for an unknown key.
        package let record: PINRecord?
    }

    /// The maximum number of tries if concurrent requests change the record, before an error.
    static let greatestTries = 16

    private let verifier: PINVerifier
    private let signer: PINStatementSigner
    private let store: any PINStore

    package init(verifier: PINVerifier, signer: PINStatementSigner, store: any PINStore) {
        self.verifier = verifier
        self.signer = signer
        self.store = store
    }

    /// Processes a sign-in, a change, a commit or a resolution.
    ///
    /// - Throws: The store's errors, and ``PINServiceError``: no attempt was recorded, and the outcome
    ///   is unknown.
    package func answer(_ request: UnverifiedPINRequest, now: Timestamp) async throws -> Reply {
        try await process(request, now) { record throws(PINServiceError) in
            (record?.revision ?? 0, try verifier.verify(request, record))
        } recalling: {
            verifier.recall(request, $0)
        }
    }

    /// Processes the offer request of a registration whose evidence for `key` was just verified.
    package func register(
        _ request: UnverifiedPINRequest, key: PINRecord, now: Timestamp
    ) async throws -> Reply {
        try await process(request, now) { stored throws(PINServiceError) in
            let record = stored ?? key
            return (record.revision, try verifier.register(request, record))
        } recalling: { record throws(PINServiceError) in
            try verifier.recallRegistration(request, record)
        }
    }

    private func process(
        _ request: UnverifiedPINRequest, _ now: Timestamp,
        judging: (PINRecord?) throws(PINServiceError) -> (revision: Int64, PINDecision),
        recalling: (PINRecord?) throws(PINServiceError) -> PINOutcome
    ) async throws -> Reply {
        for _ in 0..<Self.greatestTries {
            let record = try await store.pinRecord(of: request.keyID)
            let (revision, judgement) = try judging(record)
            guard judgement.needsSettling else {
                return try reply(judgement.outcome, request, record, now)
            }
            switch try await store.applyPINChange(
                judgement.successor, of: request.keyID, evaluatedAt: revision,
                consuming: request.nonce)
            {
            case .applied:
                return try reply(
                    judgement.outcome, request, judgement.successor ?? record, now)
            case .nonceGone:
                // Read again, because the same request may have been saved concurrently.
                let record = try await store.pinRecord(of: request.keyID)
                return try reply(try recalling(record), request, record, now)
            case .stale: continue
            }
        }
        throw PINServiceError(.contention, "\(Self.greatestTries) requests were faster")
    }

    private func reply(
        _ outcome: PINOutcome, _ request: UnverifiedPINRequest, _ record: PINRecord?,
        _ now: Timestamp
    ) throws(PINServiceError) -> Reply {
        let answer: PINResponse =
            switch outcome {
            case .accepted: .accepted
            case .offered(let secret):
                .delivery(
                    try signer.delivery(of: secret, to: request.keyID, answering: request.nonce))
            case .standing(let version):
                .version(
                    try signer.version(
                        version, to: request.keyID, answering: request.nonce,
                        in: request.protocolVersion))
            case .wrongPIN(let budget): .wrongPIN(budget)
            case .ended(let ending):
                .ended(
                    try signer.ending(
                        ending, of: request.keyID, now: now, in: request.protocolVersion))
            case .refused: .refused
            }
        return Reply(answer: answer, outcome: outcome, record: record)
    }
}
