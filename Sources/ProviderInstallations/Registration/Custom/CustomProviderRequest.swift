// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import JOSE
import Primitives

/// A request to an operator's identity provider: a JSON object that the project signs
/// (docs/identity-providers.md).
struct CustomProviderRequest: Sendable {
    enum Step: String, Sendable { case start, complete, cancel }

    let step: Step
    /// The issuer of the project, whose keys sign.
    let issuer: String
    /// The URL of the service. The service must refuse requests with another one.
    let audience: String
    let provider: String
    let registrationID: Identifier<AppRegistrationRequest>
    /// The data of the app, in the service's format.
    let data: String?
    /// The state that the service returned in the first step. The app cannot read it.
    let state: String?
    let now: Timestamp
    let id: [UInt8]

    /// Lifetime in seconds.
    static let lifetime: Int64 = 60
    /// `typ` of the signature.
    static let type = "gatehouse-identity-provider"
    /// The header field of the signature: a compact JWS without its payload (RFC 7515 appendix F).
    static let signatureField = "gatehouse-signature"

    var body: [UInt8] {
        var body = JSONWriter(capacity: 512)
        body.member("iss", issuer)
        body.member("aud", audience)
        body.member("jti", Base64URL.encode(id))
        body.member("iat", now.seconds)
        body.member("exp", now.seconds + Self.lifetime)
        body.member("step", step.rawValue)
        body.member("identity_provider", provider)
        body.member("registration_id", registrationID.description)
        body.member("data", ifPresent: data)
        body.member("state", ifPresent: state)
        return body.finish()
    }

    /// The detached signature of the body: `header..signature`.
    static func signature(
        over body: [UInt8], by signer: JOSESigner, typ: String = type
    ) throws(JOSEError) -> String {
        let compact = String(
            decoding: try signer.sign(payload: body, typ: typ), as: UTF8.self)
        let parts = compact.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw JOSEError(.failure, "a JWS of other than three parts") }
        return "\(parts[0])..\(parts[2])"
    }
}
