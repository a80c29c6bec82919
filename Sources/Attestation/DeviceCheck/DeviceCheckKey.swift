// SPDX-License-Identifier: Apache-2.0
import Crypto
import JOSE
package import Primitives

/// A team's DeviceCheck key, which signs its requests: a JWT by ES256 with the key's id as `kid`
/// and the team as `iss` (Apple, "Generating JWT for DeviceCheck requests").
package struct DeviceCheckKey: Sendable {
    package let teamID: String
    package let keyID: String
    private let signer: JOSESigner

    /// - Parameter pem: The `.p8` file from Apple: PKCS #8, P-256.
    package init?(pem: Secret, keyID: String, teamID: String) {
        guard let key = try? P256.Signing.PrivateKey(pemRepresentation: pem.revealText()),
            let pair = try? PrivateJWK(scalar: Secret(key.rawRepresentation), on: .p256)
                .with(KeyParameters(keyID: keyID)),
            let signer = try? JOSESigner(pair, algorithm: .es256)
        else { return nil }
        self.teamID = teamID
        self.keyID = keyID
        self.signer = signer
    }

    /// A bearer token for requests within the next minutes. Times are in seconds.
    ///
    /// - Throws: `failure` when the library below fails.
    package func authorization(now: Timestamp) throws -> Secret {
        let claims: JSONValue = ["iss": .string(teamID), "iat": .integer(now.seconds)]
        return Secret(try signer.sign(payload: claims.bytes, typ: "JWT"))
    }
}
