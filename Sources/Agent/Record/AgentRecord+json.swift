// SPDX-License-Identifier: Apache-2.0
import AgentClient
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

    /// Reads a record of this version.
    init(_ object: JSONObject) throws(JSONMemberError) {
        let reader = JSONReader(object) { $0 }
        _ = try reader.required("version", .integer(Self.version...Self.version))
        self.init(
            machine: try RegistrationStateMachine(try reader.required("machine", .object)),
            latest: try reader.required("latest", .milliseconds))
        terms = try reader.optionalObject("terms").map(EffectiveAdmissionPolicy.init)
        attestationKey = try reader.optional("attestation_key", .agentKey)
        for entry in try reader.objects("devices") {
            let owner = try entry.required("owner", .owner)
            devices[owner] = try DeviceRecord(entry, latest: latest)
        }
        for entry in try reader.objects("people") {
            people[try entry.required("account", .string)] = try PersonRecord(entry)
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

    fileprivate init(
        _ reader: JSONReader<JSONMemberError>, latest: Timestamp
    ) throws(JSONMemberError) {
        self.init(
            signing: try reader.required("signing", .agentKey),
            encryption: try reader.required("encryption", .agentKey))
        managed = try ManagedKeys(try reader.optionalObject("managed"))
        registeredAt = try reader.optional("registered_at", .milliseconds)
        // Earlier builds wrote `true` for a time before they saved it.
        leavingSince =
            reader.object["leaving"] == true
            ? latest : try reader.optional("leaving", .milliseconds)
        configuration = try reader.optional(
            "configuration",
            JSONForm<JSONObject>.object.map("a login configuration") {
                try? LoginConfiguration(json: $0)
            })
    }
}

extension CustomClaims {
    /// `nil` for none.
    fileprivate var json: JSONValue? {
        guard self != CustomClaims() else { return nil }
        return ["header": .object(header), "body": .object(body)]
    }

    fileprivate init(_ reader: JSONReader<JSONMemberError>?) throws(JSONMemberError) {
        self.init(
            header: try reader?.required("header", .object) ?? JSONObject(),
            body: try reader?.required("body", .object) ?? JSONObject())
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
        if !cachedKeyAgreements.isEmpty { object["kept"] = .array(cachedKeyAgreements.map(\.json)) }
        object["portrait"] = portrait?.json
        return object
    }

    fileprivate init(_ reader: JSONReader<JSONMemberError>) throws(JSONMemberError) {
        self.init()
        loginUserName = try reader.optional("login_user_name", .string)
        isNameDoubted = try reader.optional("name_doubted", .bool) ?? false
        loginClaims = try CustomClaims(try reader.optionalObject("login_claims"))
        assertionClaims = try CustomClaims(try reader.optionalObject("assertion_claims"))
        key = try reader.optional("key", .agentKey)
        isKeyInvalid = try reader.optional("key_invalid", .bool) ?? false
        managed = try ManagedKeys(try reader.optionalObject("managed"))
        tokens = try reader.optional("tokens", .object)
        session = try reader.optionalObject("session").map(SignInSession.init)
        // An identity that cannot be read could be of any person.
        identity = try reader.optional("identity", JSONForm("an identity") { LoginIdentity($0) })
        strangerAt = try reader.optional("stranger_at", .milliseconds)
        let value = reader.object
        // What cannot be read leaves no try.
        wrongPINs = value["wrong_pins"].map { Int(clamping: $0.integer ?? .max) } ?? 0
        owesLogin = try reader.optional("owes_login", .bool) ?? false
        if let certificate = try reader.optional("certificate", .base64url) {
            unlock = UnlockRecord(
                certificate: certificate, context: try reader.optional("key_context", .string))
        }
        cachedKeyAgreements = (value["kept"]?.array ?? []).compactMap { CachedKeyAgreement($0) }
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

    fileprivate init(_ reader: JSONReader<JSONMemberError>) throws(JSONMemberError) {
        self.init(
            refreshToken: Secret(try reader.required("refresh_token", .string)),
            idToken: try reader.required("id_token", .string),
            subject: try reader.optional("sub", .string),
            groups: try reader.required("groups", .strings),
            fullLoginAt: try reader.required("full_login_at", .milliseconds),
            refreshedAt: try reader.required("refreshed_at", .milliseconds),
            expiresAt: try reader.required("expires_at", .milliseconds),
            authenticatedAt: try reader.optional("auth_time", .milliseconds))
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

    fileprivate init(_ reader: JSONReader<JSONMemberError>?) throws(JSONMemberError) {
        self.init()
        guard let reader else { return }
        for role in AgentKeyRole.allCases {
            let name = role.rawValue
            pending[role] = try reader.optional("pending_" + name, .agentKey)
            if try reader.optional("offered_" + name, .bool) ?? false { offered.insert(role) }
            since[role] = try reader.optional("since_" + name, .milliseconds)
            certificates[role] = try reader.optional("certificate_" + name, .base64url)
        }
    }
}
