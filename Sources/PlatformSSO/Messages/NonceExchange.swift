// SPDX-License-Identifier: Apache-2.0
import JOSE

/// The request for a server nonce, which precedes each login, refresh and key request (Apple
/// "Obtaining a server nonce").
package enum NonceExchange {
    package static let mediaType = "application/json"
    package static let defaultKeyPath = "Nonce"

    /// Returns the response of the provider, `{"Nonce":"…"}`.
    package static func answer(_ nonce: String) -> [UInt8] {
        var object = JSONWriter(capacity: 128)
        object.member("Nonce", nonce)
        return object.finish()
    }

    /// Returns the nonce of a response.
    ///
    /// - Parameter keyPath: `nonceResponseKeypath` of the configuration.
    /// - Throws: `malformed`, `tooLarge`; `claimMissing` if there is no text at the path.
    package static func nonce(
        in body: [UInt8], keyPath: String = defaultKeyPath
    ) throws(PlatformSSORefusal) -> String {
        let answer = try MessageClaims(payload: body)
        guard let path = JSONKeyPath(keyPath),
            let nonce = path.value(in: .object(answer.members))?.string,
            1...4096 ~= nonce.utf8.count
        else { throw PlatformSSORefusal(.claimMissing, "no nonce at \(keyPath)") }
        return nonce
    }
}
