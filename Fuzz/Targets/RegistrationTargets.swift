// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import JOSE
import Primitives

extension FuzzTarget {
    /// A key in PEM is written and read back the same.
    static let pem = FuzzTarget(name: "pem") { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        if let pair = try? PrivateJWK(pem: Secret(text)) {
            let again = (try? pair.pem()).flatMap { try? PrivateJWK(pem: $0) }
            precondition(again == pair, "a key pair does not survive writing")
        }
        if let key = try? PublicJWK(pem: text) {
            let again = try? JSONWebKey(bytes: key.json.bytes).publicKey
            precondition(again == key, "a public key does not survive writing")
        }
    }

    /// A registration request is written and read back the same.
    static let registrationRequest = FuzzTarget(name: "registration-request") { bytes in
        guard let body = try? JSONParser.parseObject(bytes, maximumBytes: 65_536),
            let request = try? AppRegistrationRequest(body)
        else { return }
        let again = request.json.object.flatMap { try? AppRegistrationRequest($0) }
        precondition(again?.json == request.json, "a request does not survive writing")
        guard let sent = request.key, let key = try? InstallationKey(sent) else { return }
        _ = KeyBinding(nonce: request.nonce, key: key).isProven(by: request.keyProof ?? "")
    }

    /// What an app says of its version is written and read back the same, and is ordered one way.
    static let applicationVersion = FuzzTarget(name: "application-version") { bytes in
        guard let app = ApplicationVersion(String(decoding: bytes, as: UTF8.self)) else { return }
        precondition(ApplicationVersion(app.field) == app, "a version does not survive writing")
        let (one, other) = (app.version, app.systemVersion)
        let orders = [one < other, one == other, one > other].count { $0 }
        precondition(orders == 1, "two versions are ordered in more than one way, or in none")
    }
}
