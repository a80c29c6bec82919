// SPDX-License-Identifier: Apache-2.0
import JOSE
import PIN
import Primitives
import ProviderCore
import Storage
import Synchronization

/// The keys that protect PIN secrets are derived from the master secret, which is not in the
/// database.
extension DerivedKeys: PINSecretProtector {}

/// The store of a project's PINs for one request. It implements the two operations of the PIN
/// protocol.
final class ProjectPINStore: PINStore {
    private let provider: Provider
    private let tenant: Tenant
    private let facts: RequestMetadata
    private let nonces: StatelessNonce
    /// The draft of the audit event for a wrong PIN or a lock, which is written in the transaction
    /// that counts it.
    private let draft: AuditEventDraft
    private let state = Mutex(State())

    private struct State {
        var read: StoredPIN?
        var hasRecorded = false
    }

    /// - Parameter purpose: the purpose of the nonces.
    init(
        _ provider: Provider, tenant: Tenant, facts: RequestMetadata,
        nonces purpose: StatelessNonce.Purpose = .pin, draft: AuditEventDraft
    ) {
        self.provider = provider
        self.tenant = tenant
        self.facts = facts
        self.draft = draft
        nonces = StatelessNonce(for: purpose, of: tenant, in: provider, now: facts.now)
    }

    /// The endpoint for one request about these PINs.
    func endpoint(for request: UnverifiedPINRequest) async throws -> PINEndpoint {
        PINEndpoint(
            verifier: try await Self.verifier(of: request, at: tenant, in: provider),
            signer: try await Self.signer(of: tenant, in: provider), store: self)
    }

    static func verifier(
        of request: UnverifiedPINRequest, at tenant: Tenant, in provider: Provider
    ) async throws -> PINVerifier {
        let proofKeys =
            if let keyID = request.proofKeyID {
                try await provider.encryptionKeys.pinProofKeys(of: tenant, naming: keyID)
            } else { [PINProofKey]() }
        return PINVerifier(
            issuer: tenant.issuer, limit: tenant.project.policy.registration.pin.limit,
            vault: provider.secrets, proofKeys: proofKeys, random: provider.random)
    }

    static func signer(of tenant: Tenant, in provider: Provider) async throws -> PINStatementSigner
    {
        PINStatementSigner(
            issuer: tenant.issuer, signer: try await provider.keys.signer(for: tenant))
    }

    /// The PIN of the last request before its change; `nil` if its key is unknown.
    var read: StoredPIN? { state.withLock { $0.read } }
    /// Whether the result is already in the audit log.
    var hasRecorded: Bool { state.withLock { $0.hasRecorded } }

    func pinRecord(of keyID: PINKeyID) async throws -> PINRecord? {
        let stored = try await provider.store.pins.pin(of: keyID.bytes, in: tenant.project.id)
        state.withLock { $0.read = stored }
        return try stored.map { try PINRecord($0) }
    }

    func applyPINChange(
        _ successor: PINRecord?, of keyID: PINKeyID, evaluatedAt revision: Int64,
        consuming nonce: PINNonce
    ) async throws -> PINSettlement {
        guard let genuine = nonces.check(nonce.text) else { return .nonceGone }
        let event = event(for: successor, nonce)
        let change = PINChange(
            project: tenant.project.id, keyID: keyID.bytes, revision: revision,
            successor: successor.map(Self.stored), nonce: genuine.use, now: facts.now,
            event: event.map { provider.audit.prepare($0) })
        switch try await provider.store.pins.apply(change) {
        case .applied:
            if let event {
                provider.audit.wasRecorded(event)
                state.withLock { $0.hasRecorded = true }
            }
            return .applied
        case .stale: return .stale
        case .nonceGone: return .nonceGone
        }
    }

    private static func stored(_ record: PINRecord) -> PINChange.Successor {
        switch record.standing {
        case .active: .content(String(decoding: record.json, as: UTF8.self))
        case .ended(let ending): .ended(ending.rawValue)
        }
    }

    /// The audit event of a wrong PIN, or `nil`.
    private func event(for successor: PINRecord?, _ nonce: PINNonce) -> AuditEventDraft? {
        guard let successor, successor.wasWrong(nonce), let pin = read else { return nil }
        var event = draft
        event.code = successor.standing == .ended(.profileLocked) ? "profile_locked" : "wrong_pin"
        event.person = pin.person
        event.details = pin.auditDetails
        return event
    }
}

extension StoredPIN {
    var auditDetails: String {
        var details = JSONObject()
        details["installation"] = installation.map { .string($0.description) }
        return details.json.text
    }

    /// Whether the PIN can no longer be used to sign in.
    var isOver: Bool { ending != nil || installation == nil }
}

extension PINRecord {
    /// - Throws: `corrupt` if the row is damaged. It never returns an empty record instead.
    fileprivate init(_ stored: StoredPIN) throws {
        if stored.isOver {
            let reason = stored.ending.map(PINTermination.init(rawValue:)) ?? .deviceRevoked
            guard let reason,
                let key = try? JSONWebKey(bytes: Array(stored.publicJWK.utf8)).publicKey
            else { throw StorageError(.corrupt, "the record of a terminated PIN cannot be read") }
            self.init(ended: reason, key: key, revision: stored.revision)
        } else {
            guard
                let record = PINRecord(json: Array(stored.content.utf8), revision: stored.revision)
            else { throw StorageError(.corrupt, "a PIN cannot be read") }
            self = record
        }
    }
}
