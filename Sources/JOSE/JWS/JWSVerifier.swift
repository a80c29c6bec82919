// SPDX-License-Identifier: Apache-2.0
import Primitives

/// Verifies JWS with keys and algorithms that the caller pinned; the message chooses among them at
/// most. Only this type makes a ``VerifiedJWS``.
package struct JWSVerifier: Sendable {
    /// The handling of a key's `alg`.
    package enum KeyAlgorithmRule: Sendable {
        /// The key is for exactly that algorithm (RFC 8725 section 3.1). For everything that
        /// grants something.
        case exact
        /// RSASSA-PSS keys may also verify with a longer hash than the one they name, as the
        /// Wycheproof vectors (JWS 346, 350) expect. For looking at data only.
        case noWeakerHash
    }

    private let keys: [JSONWebKey]
    /// Whether the keys are a set, from which `kid` selects.
    private let isSet: Bool
    private let algorithms: [JWSAlgorithm]
    private let rule: KeyAlgorithmRule

    /// A verifier with one key; a `kid` in the message does not matter.
    package init(
        key: JSONWebKey, algorithms: [JWSAlgorithm], rule: KeyAlgorithmRule = .exact
    ) {
        keys = [key]
        isSet = false
        self.algorithms = algorithms
        self.rule = rule
    }

    /// A verifier with a set of keys. A message with `kid` is verified with that key; one without
    /// needs exactly one key in the set that fits its algorithm.
    package init(keys: JWKSet, algorithms: [JWSAlgorithm], rule: KeyAlgorithmRule = .exact) {
        self.keys = keys.keys
        isSet = true
        self.algorithms = algorithms
        self.rule = rule
    }

    /// Verifies the compact serialisation.
    package func verify(
        compact bytes: [UInt8], maximumBytes: Int = UnverifiedJWS.defaultMaximumBytes
    ) throws(JOSEError) -> VerifiedJWS {
        try verify(UnverifiedJWS(compact: bytes, maximumBytes: maximumBytes))
    }

    package func verify(
        compact text: String, maximumBytes: Int = UnverifiedJWS.defaultMaximumBytes
    ) throws(JOSEError) -> VerifiedJWS {
        try verify(compact: Array(text.utf8), maximumBytes: maximumBytes)
    }

    /// Verifies. One of several signatures must be valid; the result contains its header.
    ///
    /// - Throws: `algorithmUnsupported`, `algorithmNotAllowed`, `keyNotFound`, `keyNotPermitted`,
    ///   `keyMismatch`, `keyTooWeak`, `signatureInvalid`.
    package func verify(_ jws: UnverifiedJWS) throws(JOSEError) -> VerifiedJWS {
        var failure: JOSEError?
        for signature in jws.signatures {
            do throws(JOSEError) {
                let key = try check(signature)
                return VerifiedJWS(header: signature.header, payload: jws.payload, key: key)
            } catch {
                failure = failure ?? error
            }
        }
        throw failure ?? JOSEError(.malformed, "there is no signature")
    }

    /// The key that made the signature.
    private func check(_ signature: UnverifiedJWS.Signature) throws(JOSEError) -> JSONWebKey {
        guard let algorithm = JWSAlgorithm(exactly: signature.header.algorithm) else {
            throw JOSEError(.algorithmUnsupported, "no such signature algorithm here")
        }
        guard algorithms.contains(algorithm) else {
            throw JOSEError(.algorithmNotAllowed, "\(algorithm.rawValue) is not pinned")
        }
        let key = try select(algorithm, keyID: signature.keyID)
        try checkPermission(key, algorithm)
        guard holds(signature, by: algorithm, key) else {
            throw JOSEError(.signatureInvalid, "the signature is wrong")
        }
        return key
    }

    private func select(
        _ algorithm: JWSAlgorithm, keyID: String?
    ) throws(JOSEError) -> JSONWebKey {
        let candidates: [JSONWebKey]
        if isSet, let keyID {
            candidates = keys.filter { $0.parameters.keyID?.hasSameBytes(as: keyID) == true }
        } else if isSet {
            candidates = keys.filter { (try? checkPermission($0, algorithm)) != nil }
        } else {
            candidates = keys
        }
        guard let key = candidates.first, candidates.count == 1 else {
            throw JOSEError(.keyNotFound, "\(candidates.count) keys could have signed")
        }
        return key
    }

    private func checkPermission(
        _ key: JSONWebKey, _ algorithm: JWSAlgorithm
    ) throws(JOSEError) {
        if let shared = key.symmetricKey {
            guard let minimum = algorithm.minimumSymmetricBytes else { throw Self.mismatch }
            guard shared.key.reveal().count >= minimum else {
                throw JOSEError(.keyTooWeak, "\(algorithm.rawValue) needs \(minimum) bytes")
            }
        } else if let material = key.publicKey?.material {
            guard algorithm.fits(material) else { throw Self.mismatch }
        }
        guard key.parameters.permits(use: "sig", operations: ["verify"]) else {
            throw JOSEError(.keyNotPermitted, "use or key_ops do not permit verification")
        }
        guard allows(key.parameters.algorithm, algorithm) else {
            throw JOSEError(.keyNotPermitted, "the key is for another algorithm")
        }
    }

    private static var mismatch: JOSEError {
        JOSEError(.keyMismatch, "the key is of another kind than the algorithm")
    }

    private func allows(_ named: String?, _ algorithm: JWSAlgorithm) -> Bool {
        guard let named else { return true }
        guard let own = JWSAlgorithm(exactly: named) else { return false }
        if own == algorithm { return true }
        let pss: [JWSAlgorithm] = [.ps256, .ps384, .ps512]
        guard rule == .noWeakerHash, let from = pss.firstIndex(of: own),
            let to = pss.firstIndex(of: algorithm)
        else { return false }
        return to >= from
    }

    private func holds(
        _ signature: UnverifiedJWS.Signature, by algorithm: JWSAlgorithm, _ key: JSONWebKey
    ) -> Bool {
        if let shared = key.symmetricKey {
            return SignatureArithmetic.holds(
                signature.bytes, over: signature.signingInput, by: algorithm,
                sharedKey: shared.key.reveal())
        }
        guard let verification = key.publicKey?.verification else { return false }
        return SignatureArithmetic.holds(
            signature.bytes, over: signature.signingInput, by: algorithm, verification)
    }
}

/// A JWS with a valid signature, under a key and an algorithm of the verifier.
package struct VerifiedJWS: Sendable {
    package let header: JOSEHeader
    package let payload: [UInt8]
    /// The key that verified it.
    package let key: JSONWebKey

    fileprivate init(header: JOSEHeader, payload: [UInt8], key: JSONWebKey) {
        self.header = header
        self.payload = payload
        self.key = key
    }
}
