// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import JOSE
import Primitives
import ProviderCore
import Storage

/// The state between the two steps of a registration. It is sealed, because the app stores it and
/// only the service may read it. The provider stores nothing.
struct CustomTransaction: Sendable, Equatable {
    /// The identifier for the attempt limit.
    let id: [UInt8]
    let provider: String
    let registrationID: Identifier<AppRegistrationRequest>
    let state: String?
    let expiresAt: Timestamp

    /// Maximum length of the sealed text in bytes; it has 7,800 with the longest state.
    static let maximumLength = 8192

    func sealed(by secrets: DerivedKeys, for tenant: Tenant) throws -> String {
        var json = JSONWriter(capacity: 256)
        json.member("id", Base64URL.encode(id))
        json.member("provider", provider)
        json.member("registration_id", registrationID.description)
        // Encoded, because a JSON escape has up to six bytes for one character. The size then
        // depends only on the length of the state.
        json.member("state_bytes", ifPresent: state.map { Base64URL.encode(Array($0.utf8)) })
        json.member("expires_at", expiresAt.seconds)
        return Base64URL.encode(
            try secrets.seal(Secret(json.finish()), context: Self.context(tenant)))
    }

    /// Returns `nil` if the text was not sealed for this project.
    init?(_ text: String, secrets: DerivedKeys, tenant: Tenant) {
        guard text.utf8.count <= Self.maximumLength, let sealed = Base64URL.decode(text),
            let opened = try? secrets.open(sealed, context: Self.context(tenant)),
            let object = try? JSONParser.parseObject(opened.reveal(), maximumBytes: 16_384),
            let id = object["id"]?.string.flatMap({ Base64URL.decode($0) }),
            let provider = object["provider"]?.string,
            let registration = object["registration_id"]?.string
                .flatMap({ Identifier<AppRegistrationRequest>($0) }),
            let end = object["expires_at"]?.integer
        else { return nil }
        let bytes = object["state_bytes"]?.string.flatMap { Base64URL.decode($0) }
        self.init(
            id: id, provider: provider, registrationID: registration,
            // Transactions of earlier versions contain `state`.
            state: bytes.map { String(decoding: $0, as: UTF8.self) } ?? object["state"]?.string,
            expiresAt: Timestamp(seconds: end))
    }

    init(
        id: [UInt8], provider: String, registrationID: Identifier<AppRegistrationRequest>,
        state: String?, expiresAt: Timestamp
    ) {
        self.id = id
        self.provider = provider
        self.registrationID = registrationID
        self.state = state
        self.expiresAt = expiresAt
    }

    private static func context(_ tenant: Tenant) -> String {
        "custom-registration/\(tenant.project.id)"
    }
}
