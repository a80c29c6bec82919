// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

extension FuzzTarget {
    /// No message is accepted with a key that did not sign it.
    static let jws = FuzzTarget(name: "jws") { bytes in
        guard let verifier = verifier else { return }
        let messages = [
            try? UnverifiedJWS(compact: bytes), try? UnverifiedJWS(json: bytes),
        ]
        for case .some(let message) in messages {
            precondition((try? verifier.verify(message)) == nil, "a forgery was accepted")
        }
    }

    private static let verifier: JWSVerifier? = {
        guard let pair = try? PrivateJWK.generate(for: .es256) else { return nil }
        return JWSVerifier(key: .privateKey(pair), algorithms: JWSAlgorithm.allCases)
    }()

    /// Every payload with a valid signature is validated without a trap.
    static let claims = FuzzTarget(name: "claims") { bytes in
        guard let message = try? signer?.sign(payload: bytes, typ: "JWT"),
            let verified = try? signedVerifier?.verify(compact: message)
        else { return }
        let policy = ClaimsPolicy(
            issuers: ["a"], audience: .includesOne(of: ["b"]), types: nil,
            maximumAge: .minutes(5), maximumLifetime: .hours(1))
        for now in [Timestamp(milliseconds: .min), Timestamp(milliseconds: .max)] {
            _ = try? policy.verify(verified, now: now)
        }
    }

    private static let shared = try? SymmetricJWK(
        Secret([UInt8](repeating: 7, count: 32)), parameters: KeyParameters())
    private static let signer = shared.flatMap { try? JOSESigner($0, algorithm: .hs256) }
    private static let signedVerifier = shared.map {
        JWSVerifier(key: .symmetricKey($0), algorithms: [.hs256])
    }
}
