// SPDX-License-Identifier: Apache-2.0
import JOSE

/// A key for requests with an unknown key id, so that they take as long as others.
enum PINDecoy {
    private static let key = try? PrivateJWK.generate(for: .es256).publicKey

    /// Checks a signature and ignores the result.
    static func check(_ request: UnverifiedPINRequest) {
        guard let key else { return }
        _ = try? JWSVerifier(key: .publicKey(key), algorithms: [.es256]).verify(request.jws)
    }
}
