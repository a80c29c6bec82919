// SPDX-License-Identifier: Apache-2.0
package import JOSE
package import Primitives

/// What is registered here, with which keys, and what happens next: for people and scripts. It holds
/// no secret.
package struct AgentStatus: Sendable, Equatable {
    package struct Device: Sendable, Equatable {
        package var owner: DeviceOwner
        package var phase: String
        package var until: Timestamp?
        package var keyID: String?
        package var issuer: String?
        package var registeredAt: Timestamp?
        /// When its keys are replaced next; `nil` for never.
        package var rotatesAt: Timestamp?
        /// Why it is not registered.
        package var reason: String?

        package init(owner: DeviceOwner, phase: String) {
            self.owner = owner
            self.phase = phase
        }
    }

    package struct Person: Sendable, Equatable {
        package var account: String
        package var phase: String
        package var until: Timestamp?
        package var loginUserName: String?
        package var keyID: String?
        package var standing = "signed_out"
        package var standingUntil: Timestamp?
        package var next: String?
        package var nextAt: Timestamp?
        package var fullLoginAt: Timestamp?
        package var hasUnlockKey = false
        /// `nil` when the key has no PIN.
        package var pinTries: Int?
        /// Whether only the provider can admit them, after a wrong password.
        package var owesLogin = false
        /// Whether a security key is needed for a full login.
        package var needsSecurityKey = false
        /// Whether what was registered is no good any more, and they have to do it again.
        package var needsRepair = false
        /// Whether a profile for this account alone counts.
        package var hasOwnProfile = false
        /// When the provider responded for another person, which was refused.
        package var strangerAt: Timestamp?
        /// What they are called at the provider; `nil` where it does not say.
        package var name: String?
        package var groups: [Group] = []
        package var picture: Picture?
        /// Why they are not registered.
        package var reason: String?
        /// What opens the disk, the login window and the lock screen.
        package var places: [AdmissionOutlook] = []

        package init(account: String, phase: String) {
            self.account = account
            self.phase = phase
        }

        /// Of the groups that the provider was asked about.
        package struct Group: Sendable, Equatable {
            package var identifier: String
            /// `nil` where the extension gave none.
            package var name: String?

            package init(identifier: String, name: String?) {
                self.identifier = identifier
                self.name = name
            }
        }

        package struct Picture: Sendable, Equatable {
            /// As ``Avatar`` calls it.
            package var format: String
            package var length: Int

            package init(format: String, length: Int) {
                self.format = format
                self.length = length
            }
        }
    }

    package var now: Timestamp
    package var extensionIdentifier: String?
    package var method: String?
    package var keyStore: String
    /// The attestation key that a provider must trust for this device's TPM: Base64 of the key in
    /// DER (`attestation_tpm_keys`).
    package var attestationKey: String?
    package var devices: [Device] = []
    package var people: [Person] = []
    package var problems: [String] = []
    /// Where profiles belong.
    package var profiles: String?

    package init(now: Timestamp, keyStore: String) {
        self.now = now
        self.keyStore = keyStore
    }
}

extension AgentStatus {
    package var json: JSONValue {
        var object = JSONObject()
        object["now"] = .string(now.rfc3339)
        object["extension"] = extensionIdentifier.map(JSONValue.string)
        object["method"] = method.map(JSONValue.string)
        object["key_store"] = .string(keyStore)
        object["attestation_key"] = attestationKey.map(JSONValue.string)
        object["devices"] = .array(devices.map(\.json))
        object["people"] = .array(people.map(\.json))
        object["problems"] = .array(problems.map(JSONValue.string))
        object["profiles"] = profiles.map(JSONValue.string)
        return .object(object)
    }

    package init?(_ value: JSONValue) {
        guard let now = value["now"]?.string.flatMap({ Timestamp(rfc3339: $0) }),
            let keyStore = value["key_store"]?.string, let devices = value["devices"]?.array,
            let people = value["people"]?.array, let problems = value["problems"]?.strings
        else { return nil }
        self.init(now: now, keyStore: keyStore)
        attestationKey = value["attestation_key"]?.string
        extensionIdentifier = value["extension"]?.string
        method = value["method"]?.string
        self.devices = devices.compactMap { Device($0) }
        self.people = people.compactMap { Person($0) }
        self.problems = problems
        profiles = value["profiles"]?.string
    }
}

extension AgentStatus.Device {
    fileprivate var json: JSONValue {
        var object = JSONObject([.init(name: "owner", value: .string(owner.text))])
        object["phase"] = .string(phase)
        object["until"] = until.map { .string($0.rfc3339) }
        object["key_id"] = keyID.map(JSONValue.string)
        object["issuer"] = issuer.map(JSONValue.string)
        object["registered_at"] = registeredAt.map { .string($0.rfc3339) }
        object["rotates_at"] = rotatesAt.map { .string($0.rfc3339) }
        object["reason"] = reason.map(JSONValue.string)
        return .object(object)
    }

    fileprivate init?(_ value: JSONValue) {
        guard let owner = value["owner"]?.string.flatMap({ DeviceOwner($0) }),
            let phase = value["phase"]?.string
        else { return nil }
        self.init(owner: owner, phase: phase)
        until = value.time("until")
        keyID = value["key_id"]?.string
        issuer = value["issuer"]?.string
        registeredAt = value.time("registered_at")
        rotatesAt = value.time("rotates_at")
        reason = value["reason"]?.string
    }
}

extension AgentStatus.Person {
    fileprivate var json: JSONValue {
        var object = JSONObject([.init(name: "account", value: .string(account))])
        object["phase"] = .string(phase)
        object["until"] = until.map { .string($0.rfc3339) }
        object["login_user_name"] = loginUserName.map(JSONValue.string)
        object["key_id"] = keyID.map(JSONValue.string)
        object["standing"] = .string(standing)
        object["standing_until"] = standingUntil.map { .string($0.rfc3339) }
        object["next"] = next.map(JSONValue.string)
        object["next_at"] = nextAt.map { .string($0.rfc3339) }
        object["full_login_at"] = fullLoginAt.map { .string($0.rfc3339) }
        object["unlock_key"] = .bool(hasUnlockKey)
        object["pin_tries"] = pinTries.map { .integer(Int64($0)) }
        if owesLogin { object["owes_login"] = true }
        if needsSecurityKey { object["security_key"] = true }
        if needsRepair { object["repair"] = true }
        if hasOwnProfile { object["own_profile"] = true }
        object["another_person_at"] = strangerAt.map { .string($0.rfc3339) }
        object["name"] = name.map(JSONValue.string)
        object["groups"] = .array(groups.map(\.json))
        object["picture"] = picture?.json
        object["reason"] = reason.map(JSONValue.string)
        object["places"] = .array(places.map(\.json))
        return .object(object)
    }

    fileprivate init?(_ value: JSONValue) {
        guard let account = value["account"]?.string, let phase = value["phase"]?.string,
            let standing = value["standing"]?.string
        else { return nil }
        self.init(account: account, phase: phase)
        until = value.time("until")
        loginUserName = value["login_user_name"]?.string
        keyID = value["key_id"]?.string
        self.standing = standing
        standingUntil = value.time("standing_until")
        next = value["next"]?.string
        nextAt = value.time("next_at")
        fullLoginAt = value.time("full_login_at")
        hasUnlockKey = value["unlock_key"]?.bool ?? false
        pinTries = value["pin_tries"]?.integer.map { Int(clamping: $0) }
        owesLogin = value["owes_login"]?.bool ?? false
        needsSecurityKey = value["security_key"]?.bool ?? false
        needsRepair = value["repair"]?.bool ?? false
        hasOwnProfile = value["own_profile"]?.bool ?? false
        strangerAt = value.time("another_person_at")
        name = value["name"]?.string
        groups = (value["groups"]?.array ?? []).compactMap { Group($0) }
        picture = value["picture"].flatMap { Picture($0) }
        reason = value["reason"]?.string
        places = (value["places"]?.array ?? []).compactMap { AdmissionOutlook($0) }
    }
}

extension AgentStatus.Person.Group {
    fileprivate var json: JSONValue {
        var object = JSONObject([.init(name: "id", value: .string(identifier))])
        object["name"] = name.map(JSONValue.string)
        return .object(object)
    }

    fileprivate init?(_ value: JSONValue) {
        guard let identifier = value["id"]?.string else { return nil }
        self.init(identifier: identifier, name: value["name"]?.string)
    }
}

extension AgentStatus.Person.Picture {
    fileprivate var json: JSONValue {
        ["format": .string(format), "bytes": .integer(Int64(length))]
    }

    fileprivate init?(_ value: JSONValue) {
        guard let format = value["format"]?.string, let length = value["bytes"]?.integer else {
            return nil
        }
        self.init(format: format, length: Int(clamping: length))
    }
}

extension AdmissionOutlook {
    fileprivate var json: JSONValue {
        var object = JSONObject([.init(name: "place", value: .string(place.rawValue))])
        object["asks"] = .string(demand.rawValue)
        object["offline"] = offline.map { .string($0.rawValue) }
        object["offline_until"] = offlineUntil.map { .string($0.rfc3339) }
        object["offline_refusal"] = refusal.map { .string($0.rawValue) }
        return .object(object)
    }

    fileprivate init?(_ value: JSONValue) {
        guard let place = value["place"]?.string.flatMap({ AdmissionPoint(rawValue: $0) }),
            let demand = value["asks"]?.string
                .flatMap({ AdmissionDemand(rawValue: $0) })
        else { return nil }
        self.init(place: place, demand: demand)
        offline = value["offline"]?.string.flatMap { AdmissionProof(rawValue: $0) }
        offlineUntil = value.time("offline_until")
        refusal = value["offline_refusal"]?.string.flatMap { AdmissionRefusal(rawValue: $0) }
    }
}

extension JSONValue {
    fileprivate func time(_ name: String) -> Timestamp? {
        self[name]?.string.flatMap { Timestamp(rfc3339: $0) }
    }
}
