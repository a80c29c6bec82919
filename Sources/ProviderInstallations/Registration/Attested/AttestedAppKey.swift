// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

/// An App Attest key, which is stored with the sign-in key of its installation. It verifies the
/// assertions of the app. The counter of the credential is the counter of the last assertion.
struct AttestedAppKey: Sendable, Equatable {
    let key: PublicJWK
    /// The App ID.
    let application: String

    init(key: PublicJWK, application: String) {
        self.key = key
        self.application = application
    }

    /// Returns `nil` if the value is not from ``json``.
    init?(_ value: JSONValue) {
        guard let application = value["application"]?.string,
            let jwk = value["key"]?.object, case .publicKey(let key)? = try? JSONWebKey(jwk)
        else { return nil }
        self.init(key: key, application: application)
    }

    var json: JSONValue { ["application": .string(application), "key": key.json] }
}
