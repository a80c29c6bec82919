// SPDX-License-Identifier: Apache-2.0
import JOSE
import PlatformSSO
import Primitives

/// The record as it lies in the sealed state file.
extension AgentRecord {
    static let version: Int64 = 1

    var json: JSONValue {
        let devices = devices.sorted { $0.key.text < $1.key.text }.map { owner, device in
            JSONValue.object(device.json(owner))
        }
        let people = people.sorted { $0.key < $1.key }.map { name, person in
            JSONValue.object(person.json(name))
        }
        var object = JSONObject([.init(name: "version", value: .integer(Self.version))])
        object["latest"] = .integer(latest.milliseconds)
        object["terms"] = terms?.json
        object["attestation_key"] = attestationKey?.json
        object["machine"] = machine.json
        object["devices"] = .array(devices)
        object["people"] = .array(people)
        return .object(object)
    }

    /// `nil` when it is no record of this version.
    init?(_ value: JSONValue) {
        guard value["version"]?.integer == Self.version, let latest = value["latest"]?.integer,
            let machine = value["machine"].flatMap({ RegistrationStateMachine($0) }),
            let devices = value["devices"]?.array, let people = value["people"]?.array
        else { return nil }
        self.init(machine: machine, latest: Timestamp(milliseconds: latest))
        if let text = value["terms"] {
            guard let read = EffectiveAdmissionPolicy(text) else { return nil }
            terms = read
        }
        if let text = value["attestation_key"] {
            guard let read = AgentKey(text) else { return nil }
            attestationKey = read
        }
        for entry in devices {
            guard let owner = entry["owner"]?.string.flatMap({ DeviceOwner($0) }),
                let device = DeviceRecord(entry, latest: self.latest)
            else { return nil }
            self.devices[owner] = device
        }
        for entry in people {
            guard let name = entry["account"]?.string, let person = PersonRecord(entry) else {
                return nil
            }
            self.people[name] = person
        }
    }
}

extension DeviceRecord {
    fileprivate func json(_ owner: DeviceOwner) -> JSONObject {
        var object = JSONObject([.init(name: "owner", value: .string(owner.text))])
        object["signing"] = signing.json
        object["encryption"] = encryption.json
        object["managed"] = managed.json
        object["configuration"] = configuration.map { .object($0.json) }
        object["registered_at"] = registeredAt.map { .integer($0.milliseconds) }
        object["leaving"] = leavingSince.map { .integer($0.milliseconds) }
        return object
    }

    fileprivate init?(_ value: JSONValue, latest: Timestamp) {
        guard let signing = value["signing"].flatMap({ AgentKey($0) }),
            let encryption = value["encryption"].flatMap({ AgentKey($0) })
        else { return nil }
        self.init(signing: signing, encryption: encryption)
        guard let managed = ManagedKeys(value["managed"]) else { return nil }
        self.managed = managed
        registeredAt = value["registered_at"]?.integer.map { Timestamp(milliseconds: $0) }
        leavingSince = value["leaving"]?.integer.map { Timestamp(milliseconds: $0) }
        // Earlier builds wrote no time: it was before they saved it.
        if value["leaving"]?.bool == true { leavingSince = latest }
        if let text = value["configuration"] {
            guard let object = text.object, let read = try? LoginConfiguration(json: object) else {
                return nil
            }
            configuration = read
        }
    }
}

extension CustomClaims {
    /// `nil` for none.
    fileprivate var json: JSONValue? {
        guard self != CustomClaims() else { return nil }
        return ["header": .object(header), "body": .object(body)]
    }

    fileprivate init(_ value: JSONValue?) {
        self.init(
            header: value?["header"]?.object ?? JSONObject(),
            body: value?["body"]?.object ?? JSONObject())
    }
}

extension PersonRecord {
    fileprivate func json(_ account: String) -> JSONObject {
        var object = JSONObject([.init(name: "account", value: .string(account))])
        object["login_user_name"] = loginUserName.map(JSONValue.string)
        if isNameDoubted { object["name_doubted"] = true }
        object["login_claims"] = loginClaims.json
        object["assertion_claims"] = assertionClaims.json
        object["key"] = key?.json
        if isKeyInvalid { object["key_invalid"] = true }
        object["managed"] = managed.json
        object["tokens"] = tokens.map { .object($0) }
        object["session"] = session?.json
        object["identity"] = identity?.json
        object["stranger_at"] = strangerAt.map { .integer($0.milliseconds) }
        if wrongPINs > 0 { object["wrong_pins"] = .integer(Int64(wrongPINs)) }
        if owesLogin { object["owes_login"] = true }
        if let unlock {
            object["certificate"] = .string(Base64URL.encode(unlock.certificate))
            object["key_context"] = unlock.context.map(JSONValue.string)
        }
        if !kept.isEmpty { object["kept"] = .array(kept.map(\.json)) }
        object["portrait"] = portrait?.json
        return object
    }

    fileprivate init?(_ value: JSONValue) {
        self.init()
        loginUserName = value["login_user_name"]?.string
        isNameDoubted = value["name_doubted"]?.bool ?? false
        loginClaims = CustomClaims(value["login_claims"])
        assertionClaims = CustomClaims(value["assertion_claims"])
        if let text = value["key"] {
            guard let read = AgentKey(text) else { return nil }
            key = read
        }
        isKeyInvalid = value["key_invalid"]?.bool ?? false
        guard let managed = ManagedKeys(value["managed"]) else { return nil }
        self.managed = managed
        tokens = value["tokens"]?.object
        if let text = value["session"] {
            guard let read = SignInSession(text) else { return nil }
            session = read
        }
        // An identity that cannot be read could be of any person.
        if let text = value["identity"] {
            guard let read = LoginIdentity(text) else { return nil }
            identity = read
        }
        strangerAt = value["stranger_at"]?.integer.map { Timestamp(milliseconds: $0) }
        // What cannot be read leaves no try.
        wrongPINs = value["wrong_pins"].map { Int(clamping: $0.integer ?? .max) } ?? 0
        owesLogin = value["owes_login"]?.bool ?? false
        if let certificate = value["certificate"]?.string.flatMap({ Base64URL.decode($0) }) {
            unlock = UnlockRecord(
                certificate: certificate, context: value["key_context"]?.string)
        }
        kept = (value["kept"]?.array ?? []).compactMap { CachedKeyAgreement($0) }
        portrait = value["portrait"].flatMap { PersonDisplayInfo($0) }
    }
}

extension SignInSession {
    fileprivate var json: JSONValue {
        var object = JSONObject()
        object["refresh_token"] = .string(refreshToken.revealText())
        object["id_token"] = .string(idToken)
        object["sub"] = subject.map(JSONValue.string)
        object["groups"] = .array(groups.map(JSONValue.string))
        object["full_login_at"] = .integer(fullLoginAt.milliseconds)
        object["refreshed_at"] = .integer(refreshedAt.milliseconds)
        object["expires_at"] = .integer(expiresAt.milliseconds)
        object["auth_time"] = authenticatedAt.map { .integer($0.milliseconds) }
        return .object(object)
    }

    fileprivate init?(_ value: JSONValue) {
        func time(_ name: String) -> Timestamp? {
            value[name]?.integer.map { Timestamp(milliseconds: $0) }
        }
        guard let token = value["refresh_token"]?.string, let idToken = value["id_token"]?.string,
            let groups = value["groups"]?.strings, let fullLoginAt = time("full_login_at"),
            let refreshedAt = time("refreshed_at"), let expiresAt = time("expires_at")
        else { return nil }
        self.init(
            refreshToken: Secret(token), idToken: idToken, subject: value["sub"]?.string,
            groups: groups, fullLoginAt: fullLoginAt, refreshedAt: refreshedAt,
            expiresAt: expiresAt, authenticatedAt: time("auth_time"))
    }
}

extension ManagedKeys {
    /// `nil` when there is nothing, as usual.
    fileprivate var json: JSONValue? {
        guard self != ManagedKeys() else { return nil }
        let members = AgentKeyRole.allCases.flatMap { role -> [JSONObject.Member] in
            var members: [JSONObject.Member] = []
            if let key = pending[role] {
                members.append(.init(name: "pending_" + role.rawValue, value: key.json))
            }
            if offered.contains(role) {
                members.append(.init(name: "offered_" + role.rawValue, value: true))
            }
            if let time = since[role] {
                let value = JSONValue.integer(time.milliseconds)
                members.append(.init(name: "since_" + role.rawValue, value: value))
            }
            if let bytes = certificates[role] {
                let text = JSONValue.string(Base64URL.encode(bytes))
                members.append(.init(name: "certificate_" + role.rawValue, value: text))
            }
            return members
        }
        return .object(JSONObject(members))
    }

    fileprivate init?(_ value: JSONValue?) {
        self.init()
        for role in AgentKeyRole.allCases {
            if let text = value?["pending_" + role.rawValue] {
                guard let key = AgentKey(text) else { return nil }
                pending[role] = key
            }
            if value?["offered_" + role.rawValue]?.bool == true { offered.insert(role) }
            if let time = value?["since_" + role.rawValue] {
                guard let read = time.integer else { return nil }
                since[role] = Timestamp(milliseconds: read)
            }
            if let text = value?["certificate_" + role.rawValue] {
                guard let bytes = text.string.flatMap({ Base64URL.decode($0) }) else { return nil }
                certificates[role] = bytes
            }
        }
    }
}
