// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import Storage

/// Makers of machines and of what hangs on them.
extension StoreFixture {
    package func makeMachine(
        serial: String = "", sharing: Device.Sharing = .shared,
        registeredBy: Identifier<Person>? = nil
    ) -> Device {
        Device(
            id: identifier(), project: project.id, sharing: sharing,
            facts: DeviceAttributes(serial: serial, model: "Mac15,3", hostName: "anna's Mac"),
            registeredBy: registeredBy, registeredAt: now, lastSeenAt: now)
    }

    package func makeKeys(of device: Device, at time: Timestamp? = nil) -> [DeviceKey] {
        [DeviceKey.Use.signing, .encryption].map { use in
            DeviceKey(
                kid: bytes(), project: project.id, device: device.id, use: use,
                publicJWK: #"{"kty":"EC"}"#, createdAt: time ?? now)
        }
    }

    package func makeUserKey(on device: Device, of person: Person? = nil) -> DeviceKey {
        DeviceKey(
            kid: bytes(), project: project.id, device: device.id,
            person: (person ?? self.person).id, use: .user, publicJWK: #"{"kty":"EC"}"#,
            createdAt: now)
    }

    package func makeUser(on device: Device, _ person: Person? = nil) -> DeviceUser {
        DeviceUser(
            project: project.id, device: device.id, person: (person ?? self.person).id,
            method: .password, loginName: "anna", registeredAt: now)
    }

    package func makeToken(serial: String? = nil, uses: Int64 = 1) -> RegistrationToken {
        RegistrationToken(
            id: identifier(), project: project.id, hash: bytes(), label: "lab", serial: serial,
            maximumUses: uses, createdAt: now, expiresAt: now + .days(7))
    }

    package func makeUnlockKey(on device: Device) -> UnlockKey {
        UnlockKey(
            id: identifier(), project: project.id, device: device.id, person: person.id,
            purpose: "user_unlock", sealedPrivateKey: bytes(60), certificate: bytes(90),
            createdAt: now, expiresAt: now + .days(1), deleteAfter: now + .days(2))
    }

    package func register(
        _ device: Device, _ keys: [DeviceKey], by authority: DeviceRegistrationAuthority,
        provesIdentity: Bool = false, at time: Timestamp? = nil
    ) async throws -> DeviceRegistrationOutcome {
        try await store.devices.register(
            device, keys: keys, by: authority, provesIdentity: provesIdentity,
            keyOverlap: .hours(1), now: time ?? now)
    }

    /// A registered machine with its keys.
    package func registeredMachine(
        serial: String = "", sharing: Device.Sharing = .shared
    ) async throws -> (Device, [DeviceKey]) {
        let machine = makeMachine(serial: serial, sharing: sharing)
        let token = makeToken()
        try await store.devices.save(token)
        let keys = makeKeys(of: machine)
        let outcome = try await register(machine, keys, by: .token(hash: token.hash))
        guard outcome == .registered(machine) else {
            throw ConformanceFailure(description: "a new machine was \(outcome)")
        }
        return (machine, keys)
    }

    package func signIn(
        _ person: Person? = nil, on device: Device, at time: Timestamp? = nil,
        with credential: Credential? = nil,
        using nonce: OneTimeUse? = nil
    ) async throws -> (DeviceUserOutcome, Grant) {
        let person = person ?? self.person
        var grant = makeGrant()
        grant.person = person.id
        grant.device = device.id
        grant.generation = 1
        var user = makeUser(on: device, person)
        user.lastSignInAt = time ?? now
        let outcome = try await store.devices.signIn(
            user, with: credential?.id, grant: grant, overlap: .minutes(10), using: nonce,
            recording: makeEvent("device.sign-in"), now: time ?? now)
        return (outcome, grant)
    }
}
