// SPDX-License-Identifier: Apache-2.0
import JOSE

extension FuzzTarget {
    /// Key agreement with whatever ephemeral key the message brings.
    static let jwe = FuzzTarget(name: "jwe") { bytes in
        let messages = [
            try? UnverifiedJWE(compact: bytes), try? UnverifiedJWE(json: bytes),
        ]
        for case .some(let message) in messages {
            _ = try? decrypter?.decrypt(message)
        }
    }

    private static let decrypter: JWEDecrypter? = {
        guard let pair = try? PrivateJWK.generate(for: .es256).with(KeyParameters()) else {
            return nil
        }
        return JWEDecrypter(key: .privateKey(pair), algorithms: JWEAlgorithm.allCases)
    }()
}
