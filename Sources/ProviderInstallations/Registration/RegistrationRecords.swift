// SPDX-License-Identifier: Apache-2.0
import AppRegistration
import Crypto
import JOSE
import PIN
import Primitives
import ProviderCore
package import Storage

/// The records of a registration.
struct RegistrationRecords {
    let person: Person
    let credentials: [Credential]
    let installation: Installation
    private let context: CeremonyContext

    /// Whether the person exists already.
    let isOfKnownPerson: Bool

    /// The new attributes of an existing person; `nil` if they are unchanged.
    let attributes: String?

    /// - Parameter known: the person, if they exist already.
    init(
        _ evidence: InstallationRegistration.Evidence, of known: Person? = nil,
        in context: CeremonyContext
    ) {
        let (claim, vouched) = (evidence.claim, evidence.vouched)
        let id: Identifier<Person> = context.newIdentifier()
        let installation: Identifier<Installation> = context.newIdentifier()
        attributes = known.flatMap(vouched.news)
        let person =
            known?.spoken(of: attributes)
            ?? Person(
                id: id, project: context.project,
                username: vouched.name?.username ?? id.description,
                realm: vouched.name?.realm ?? "", createdAt: context.now,
                origin: claim.request.method.rawValue, attributes: vouched.attributes.json.text,
                entitlementSet: vouched.entitlementSet ?? "")
        let key = claim.key.map {
            $0.credential(
                of: person, installation, isInHardware: vouched.keyIsInHardware,
                hasPIN: claim.pin != nil, attestedKey: vouched.attestedKey,
                name: claim.request.name, in: context)
        }
        var details = vouched.details
        details["key_id"] = claim.key.map { .string($0.keyID) }
        details["pin"] = claim.pin.map { _ in true }
        let identity =
            known == nil ? vouched.identity?.credential(of: person, in: context) : nil
        self.person = person
        isOfKnownPerson = known != nil
        credentials = [key, identity].compactMap(\.self)
        self.installation = Installation(
            id: installation, project: context.project, person: person.id,
            registrationID: claim.request.registrationID.bytes,
            method: claim.request.method.rawValue,
            binding: Self.binding(claim.key, vouched), credential: key?.id,
            name: claim.request.name, details: details.json.text, createdAt: context.now)
        self.context = context
    }

    /// The hash that identifies a repetition: of the key, and of the identity if there is one.
    private static func binding(
        _ key: InstallationKey?, _ vouched: VerifiedRegistrationEvidence
    ) -> [UInt8] {
        let none = [UInt8](repeating: 0, count: 32)
        let identity = vouched.identity?.externalID ?? vouched.person?.id.bytes ?? none
        return Array(SHA256.hash(data: (key?.jwk.thumbprint ?? none) + identity))
    }

    /// - Parameters:
    ///   - installation: the earlier one, if this registration repeats it.
    func binding(
        _ installation: Installation? = nil, _ person: Person? = nil, recording: EventRecording,
        pin: PINResponse? = nil, responseMembers: [JSONObject.Member] = []
    ) -> RegistrationBinding {
        RegistrationBinding(
            person: person ?? self.person, credential: credentials.first,
            factor: AuthenticationFactor(at: context.now, methods: [], contextClass: ""),
            notice: nil, installation: installation ?? self.installation, recording: recording,
            pin: pin, responseMembers: responseMembers)
    }
}

extension VerifiedRegistrationEvidence {
    /// The attributes in the evidence, if they differ from the stored ones. Evidence without an
    /// external identity contains no attributes.
    fileprivate func news(of known: Person) -> String? {
        guard identity != nil, person == nil else { return nil }
        let text = attributes.json.text
        return text == known.attributes ? nil : text
    }
}

extension Person {
    fileprivate func spoken(of attributes: String?) -> Person {
        var person = self
        person.attributes = attributes ?? self.attributes
        return person
    }
}

extension InstallationKey {
    /// - Parameters:
    ///   - isInHardware: whether the key is attested as a hardware key.
    ///   - hasPIN: whether a sign-in with the key requires a PIN.
    func credential(
        of person: Person, _ installation: Identifier<Installation>, isInHardware: Bool,
        hasPIN: Bool, attestedKey: AttestedAppKey?, name: String, in context: CeremonyContext
    ) -> Credential {
        let details = SignInKeyDetails(
            keyID: keyID, installation: installation, isInHardware: isInHardware,
            hasPIN: hasPIN, attestedKey: attestedKey)
        return Credential(
            id: context.newIdentifier(), project: person.project, person: person.id,
            kind: .signInKey, externalID: jwk.thumbprint,
            publicPart: jwk.json.bytes, details: details.json.text, label: name,
            createdAt: context.now)
    }
}

/// The details of a sign-in key.
struct SignInKeyDetails: Sendable, Equatable {
    var keyID: String
    var installation: Identifier<Installation>
    var isInHardware: Bool
    /// Whether a sign-in with it requires a PIN.
    var hasPIN: Bool
    /// The App Attest key from the registration; its counter is that of the credential.
    var attestedKey: AttestedAppKey?
    /// The kind of authenticator; `nil` for the first key of an installation.
    var authenticator: String?
    /// Whether it was added in a session with two factors. It counts for at most the factors of
    /// that session.
    var addedByTwoFactors = false

    init(
        keyID: String, installation: Identifier<Installation>, isInHardware: Bool,
        hasPIN: Bool = false, attestedKey: AttestedAppKey? = nil, authenticator: String? = nil
    ) {
        self.keyID = keyID
        self.installation = installation
        self.isInHardware = isInHardware
        self.hasPIN = hasPIN
        self.attestedKey = attestedKey
        self.authenticator = authenticator
    }

    /// Returns `nil` if the text is not from ``json``.
    init?(_ text: String) {
        guard let object = try? JSONParser.parseObject(Array(text.utf8), maximumBytes: 4096),
            let keyID = object["kid"]?.string,
            let installation = object["installation"]?.string
                .flatMap({ Identifier<Installation>($0) })
        else { return nil }
        self.init(
            keyID: keyID, installation: installation,
            isInHardware: object["hardware"]?.bool ?? false,
            hasPIN: object["pin"]?.bool ?? false,
            attestedKey: object["app_attest"].flatMap { AttestedAppKey($0) },
            authenticator: object["authenticator"]?.string)
        addedByTwoFactors = object["two_factors"]?.bool ?? false
    }

    var json: JSONValue {
        var object = JSONObject()
        object["kid"] = .string(keyID)
        object["installation"] = .string(installation.description)
        object["hardware"] = .bool(isInHardware)
        object["pin"] = .bool(hasPIN)
        object["app_attest"] = attestedKey?.json
        object["authenticator"] = authenticator.map(JSONValue.string)
        if addedByTwoFactors { object["two_factors"] = true }
        return .object(object)
    }
}

extension Installation {
    /// Whether its person signs in with a PIN.
    package var hasPIN: Bool {
        let details = try? JSONParser.parseObject(Array(details.utf8), maximumBytes: 65_536)
        return details?["pin"]?.bool ?? false
    }
}
