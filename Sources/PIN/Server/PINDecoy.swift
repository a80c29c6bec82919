// SPDX-License-Identifier: Apache-2.0
import JOSE

/// A key that nobody has, so that a request for a key that does not exist costs what others cost.
enum PINDecoy {
    private static let key = try? PrivateJWK.generate(for: .es256).publicKey

    /// Checks a signature to no end.
    static func check(_ request: UnverifiedPINRequest) {
        guard let key else { return }
        _ = try? JWSVerifier(key: .publicKey(key), algorithms: [.es256]).verify(request.jws)
    }
}
