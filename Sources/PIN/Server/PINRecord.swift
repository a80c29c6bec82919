// SPDX-License-Identifier: Apache-2.0
package import JOSE
import Primitives

/// What the server knows of one profile's PIN on one device. A value: ``PINVerifier`` computes the
/// next one, and the store puts it in the place of exactly the one it was computed from.
package struct PINRecord: Sendable, Equatable {
    /// Living with its secrets, or over without any: there is no third state.
    package enum Standing: Sendable, Equatable {
        case living(Secrets)
        case ended(PINTermination)
    }

    /// At most one secret that counts and one that is offered.
    package struct Secrets: Sendable, Equatable {
        /// What sign-ins are proved with; `nil` until the first offer is committed.
        package internal(set) var current: Sealed?
        package internal(set) var offered: Offer?

        init(current: Sealed? = nil, offered: Offer? = nil) {
            self.current = current
            self.offered = offered
        }
    }

    /// A secret under the vault's key.
    package struct Sealed: Sendable, Equatable {
        package let version: UInt32
        let bytes: [UInt8]
    }

    /// A secret that a device asked for and has not yet said to have sealed.
    package struct Offer: Sendable, Equatable {
        package let secret: Sealed
        /// Whom it is for: the same key asks again when the answer was lost, and gets the same.
        let transportKey: PINTransportPublicKey
    }

    package let publicKey: PublicJWK
    /// ``publicKey``'s.
    package let keyID: PINKeyID
    package internal(set) var standing: Standing
    /// The greatest version ever given out; none is used twice.
    package internal(set) var lastVersion: UInt32
    /// Wrong proofs since the last right one.
    package internal(set) var attemptsUsed: Int
    /// SHA-256 of the nonce of the last wrong proof, so that the request, sent again because the
    /// answer was lost, is answered again and not counted again.
    package internal(set) var lastWrongNonce: [UInt8]?
    /// 0 for a record that no store holds; one more with each replacement.
    package internal(set) var revision: Int64

    /// The record of a device key whose registration was just verified. `nil` for a kind of key
    /// that cannot sign requests.
    package init?(registering key: PublicJWK) {
        guard PINDeviceAlgorithm.pinned(for: key) != nil else { return nil }
        self.init(
            publicKey: key, standing: .living(Secrets()), lastVersion: 0, attemptsUsed: 0,
            lastWrongNonce: nil, revision: 0)
    }

    /// The record of a profile that is over; nothing else is left of it.
    package init(ended ending: PINTermination, key: PublicJWK, revision: Int64) {
        self.init(
            publicKey: key, standing: .ended(ending), lastVersion: 0, attemptsUsed: 0,
            lastWrongNonce: nil, revision: revision)
    }

    init(
        publicKey: PublicJWK, standing: Standing, lastVersion: UInt32, attemptsUsed: Int,
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

    /// The record after the device or the profile was removed: its secrets are gone. A profile
    /// that was locked stays locked.
    package func revoked() -> PINRecord {
        guard case .living = standing else { return self }
        return next { $0.standing = .ended(.deviceRevoked) }
    }

    /// The successor of this record.
    func next(_ change: (inout PINRecord) -> Void) -> PINRecord {
        var record = self
        // Nine quintillion requests take care of themselves.
        record.revision &+= 1
        change(&record)
        return record
    }
}
