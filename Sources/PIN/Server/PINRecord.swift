// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives

/// The server's record of one profile's PIN on one device. A value: ``PINVerifier`` computes the
/// next one, and the store replaces exactly the one from which it was computed.
package struct PINRecord: Sendable, Equatable {
    /// The state: active with secrets, or terminated without.
    package enum State: Sendable, Equatable {
        case active(Secrets)
        case ended(PINTermination)
    }

    /// At most one active secret and one offered secret.
    package struct Secrets: Sendable, Equatable {
        /// The secret for sign-ins; `nil` until the first offer is committed.
        package internal(set) var current: Sealed?
        package internal(set) var offered: Offer?

        init(current: Sealed? = nil, offered: Offer? = nil) {
            self.current = current
            self.offered = offered
        }

        /// The secret with that number, current or offered.
        func secret(_ version: UInt32) -> Sealed? {
            if let current, current.version == version { return current }
            return offered?.secret.version == version ? offered?.secret : nil
        }
    }

    /// A secret that is sealed by the protector's key.
    package struct Sealed: Sendable, Equatable {
        package let version: UInt32
        let bytes: [UInt8]
    }

    /// A secret that a device requested and has not yet confirmed as sealed.
    package struct Offer: Sendable, Equatable {
        package let secret: Sealed
        /// The key of the recipient: a repeated request with the same key receives the same secret.
        let transportKey: PINTransportPublicKey
    }

    package let publicKey: PublicJWK
    /// The identifier of ``publicKey``.
    package let keyID: PINKeyID
    package internal(set) var standing: State
    /// The greatest version ever issued; versions are not reused.
    package internal(set) var lastVersion: UInt32
    /// The number of wrong proofs since the last correct one.
    package internal(set) var attemptsUsed: Int
    /// SHA-256 of the nonce of the last wrong proof, so that the same request gets the same
    /// response without being counted again.
    package internal(set) var lastWrongNonce: [UInt8]?
    /// 0 for a record that is not stored; incremented with each replacement.
    package internal(set) var revision: Int64

    /// Creates the record of a device key whose registration was just verified. `nil` for a kind of
    /// key that cannot sign requests.
    package init?(registering key: PublicJWK) {
        guard PINDeviceAlgorithm.pinned(for: key) != nil else { return nil }
        self.init(
            publicKey: key, standing: .active(Secrets()), lastVersion: 0, attemptsUsed: 0,
            lastWrongNonce: nil, revision: 0)
    }

    /// Creates the record of a terminated profile, without other data.
    package init(ended ending: PINTermination, key: PublicJWK, revision: Int64) {
        self.init(
            publicKey: key, standing: .ended(ending), lastVersion: 0, attemptsUsed: 0,
            lastWrongNonce: nil, revision: revision)
    }

    init(
        publicKey: PublicJWK, standing: State, lastVersion: UInt32, attemptsUsed: Int,
        lastWrongNonce: [UInt8]?, revision: Int64
    ) {
        self.publicKey = publicKey
        keyID = PINKeyID(publicKey)
        self.standing = standing
        self.lastVersion = lastVersion
        self.attemptsUsed = attemptsUsed
        self.lastWrongNonce = lastWrongNonce
        self.revision = revision
    }

    /// Whether the request with that nonce was the last that was wrong.
    package func wasWrong(_ nonce: PINNonce) -> Bool {
        lastWrongNonce.map { ConstantTime.equal($0, nonce.fingerprint) } ?? false
    }

    /// Returns the record after the removal of the device or the profile: its secrets are deleted.
    /// A locked profile stays locked.
    package func revoked() -> PINRecord {
        guard case .active = standing else { return self }
        return next { $0.standing = .ended(.deviceRevoked) }
    }

    /// Returns the record with `secret` as the active one. If it was the offered one, there is no
    /// other afterwards.
    func activating(_ secret: Sealed?, of secrets: Secrets) -> PINRecord {
        guard secret != secrets.current else { return self }
        var record = self
        record.standing = .active(Secrets(current: secret))
        return record
    }

    /// Returns the successor of this record.
    func next(_ change: (inout PINRecord) -> Void) -> PINRecord {
        var record = self
        // The revision cannot overflow in practice.
        record.revision &+= 1
        change(&record)
        return record
    }
}
