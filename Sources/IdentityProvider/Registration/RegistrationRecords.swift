// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import Crypto
import JOSE
import Primitives
import Storage

/// What one registration will leave behind.
struct RegistrationRecords {
    let person: Person
    let credentials: [Credential]
    let installation: Installation
    private let context: CeremonyContext

    init(_ evidence: InstallationRegistration.Evidence, in context: CeremonyContext) {
        let (claim, vouched) = (evidence.claim, evidence.vouched)
        let id: Identifier<Person> = context.newIdentifier()
        let installation: Identifier<Installation> = context.newIdentifier()
        let person = Person(
            id: id, project: context.project, username: vouched.name?.username ?? id.description,
            realm: vouched.name?.realm ?? "", createdAt: context.now,
            origin: claim.request.method.rawValue, attributes: vouched.attributes.json.text,
            entitlementSet: vouched.entitlementSet ?? "")
        let key = claim.key.map {
            $0.credential(
                of: person, installation, isInHardware: vouched.keyIsInHardware,
                name: claim.request.name, in: context)
        }
        var details = vouched.details
        details["key_id"] = claim.key.map { .string($0.keyID) }
        let identity = vouched.identity?.credential(of: person, in: context)
        self.person = person
        credentials = [key, identity].compactMap(\.self)
        self.installation = Installation(
            id: installation, project: context.project, person: id,
            registrationID: claim.request.registrationID.bytes,
            method: claim.request.method.rawValue,
            binding: Self.binding(claim.key, vouched.identity), credential: key?.id,
            name: claim.request.name, details: details.json.text, createdAt: context.now)
        self.context = context
    }

    /// What "the same again" means: the same key, and the same identity where there is one.
    private static func binding(
        _ key: InstallationKey?, _ identity: FederatedIdentity?
    ) -> [UInt8] {
        let none = [UInt8](repeating: 0, count: 32)
        return Array(
            SHA256.hash(data: (key?.jwk.thumbprint ?? none) + (identity?.externalID ?? none)))
    }

    /// - Parameters:
    ///   - installation: the earlier one, when this registration repeats it.
    func binding(
        _ installation: Installation? = nil, _ person: Person? = nil, recording: EventRecording
    ) -> Binding {
        Binding(
            person: person ?? self.person, credential: credentials.first,
            factor: AuthenticationFactor(at: context.now, methods: [], contextClass: ""),
            notice: nil, installation: installation ?? self.installation, recording: recording)
    }
}

extension JSONObject {
    var json: JSONValue { .object(self) }
}

extension InstallationKey {
    /// - Parameter isInHardware: whether that is proven.
    func credential(
        of person: Person, _ installation: Identifier<Installation>, isInHardware: Bool,
        name: String, in context: CeremonyContext
    ) -> Credential {
        let details = SignInKeyDetails(
            keyID: keyID, installation: installation, isInHardware: isInHardware)
        return Credential(
            id: context.newIdentifier(), project: person.project, person: person.id,
            kind: .signInKey, externalID: jwk.thumbprint,
            publicPart: jwk.json.bytes, details: details.json.text, label: name,
            createdAt: context.now)
    }
}

/// What is kept beside an installation's key.
struct SignInKeyDetails: Sendable, Equatable {
    var keyID: String
    var installation: Identifier<Installation>
    var isInHardware: Bool

    init(keyID: String, installation: Identifier<Installation>, isInHardware: Bool) {
        self.keyID = keyID
        self.installation = installation
        self.isInHardware = isInHardware
    }

    /// `nil` for what ``json`` did not make.
    init?(_ text: String) {
        guard let object = try? JSONParser.parseObject(Array(text.utf8), maximumBytes: 4096),
            let keyID = object["kid"]?.string,
            let installation = object["installation"]?.string
                .flatMap({ Identifier<Installation>($0) })
        else { return nil }
        self.init(
            keyID: keyID, installation: installation,
            isInHardware: object["hardware"]?.bool ?? false)
    }

    var json: JSONValue {
        [
            "kid": .string(keyID), "installation": .string(installation.description),
            "hardware": .bool(isInHardware),
        ]
    }
}
