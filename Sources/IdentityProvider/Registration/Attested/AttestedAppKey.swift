// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

/// A key of App Attest, kept with the sign-in key of the installation that it vouched for: its
/// assertions are verified with it. How far they have counted is the credential's counter.
struct AttestedAppKey: Sendable, Equatable {
    let key: PublicJWK
    /// The App ID.
    let application: String

    init(key: PublicJWK, application: String) {
        self.key = key
        self.application = application
    }

    /// `nil` for what ``json`` did not make.
    init?(_ value: JSONValue) {
        guard let application = value["application"]?.string,
            let jwk = value["key"]?.object, case .publicKey(let key)? = try? JSONWebKey(jwk)
        else { return nil }
        self.init(key: key, application: application)
    }

    var json: JSONValue { ["application": .string(application), "key": key.json] }
}
