// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// A store of devices, their keys and their users.
package protocol DeviceStore: Sendable {
    /// Registers a device with its signing and encryption key, or its new keys, and consumes
    /// `authority` in the same transaction. See ``DeviceRegistrationOutcome``.
    ///
    /// - Parameter provesIdentity: Whether hardware attested the serial number or UDID of the
    ///   device. The record of that device is then renewed, whatever the authority.
    func register(
        _ device: Device, keys: [DeviceKey], by authority: DeviceRegistrationAuthority,
        provesIdentity: Bool, keyOverlap: TimeSpan, now: Timestamp
    ) async throws -> DeviceRegistrationOutcome
    /// Returns the active device with that active signing key, and all its active keys except user
    /// keys.
    func device(
        signingKey kid: [UInt8], in project: Identifier<Project>, now: Timestamp
    ) async throws -> (Device, [DeviceKey])?
    func device(_ id: Identifier<Device>) async throws -> Device?
    /// Returns up to `limit` devices in order of registration, after `id`, including revoked ones.
    func devices(
        of project: Identifier<Project>, after id: Identifier<Device>?, limit: Int
    ) async throws -> [Device]
    /// Returns up to `limit` devices whose `name` begins with `prefix`, in order of that name,
    /// after `place`, including revoked ones. ASCII case is ignored.
    func devices(
        of project: Identifier<Project>, by name: Device.SearchName, startingWith prefix: String,
        after place: SearchCursor<Device>?, limit: Int
    ) async throws -> [Device]
    /// Returns every key that the device ever had, oldest first.
    func keys(of device: Identifier<Device>) async throws -> [DeviceKey]
    /// Returns the users of the device.
    func users(of device: Identifier<Device>) async throws -> [DeviceUser]
    /// Returns up to `limit` devices of the person, last seen first, including revoked ones.
    func devices(usedBy person: Identifier<Person>, limit: Int) async throws -> [Device]
    /// Returns up to `limit` active devices that the person signs in on, last seen first, with
    /// whether each has a key of the person.
    func machines(
        of person: Identifier<Person>, now: Timestamp, limit: Int
    ) async throws -> [PersonDevice]
    /// Returns the active keys of that person on that device.
    func userKeys(
        of person: Identifier<Person>, on device: Identifier<Device>, now: Timestamp
    ) async throws -> [DeviceKey]
    /// Returns the person with that username and their active keys on that device: the lookup of a
    /// login with a key, in one read.
    func person(
        username: String, in project: Identifier<Project>, keysOn device: Identifier<Device>,
        now: Timestamp
    ) async throws -> (Person, [DeviceKey])?
    /// Registers a person on a device. A key replaces the previous one; there is none if the method
    /// does not use a device key.
    func register(
        _ user: DeviceUser, key: DeviceKey?, now: Timestamp
    ) async throws -> DeviceUserOutcome
    /// Signs a person in on a device in one transaction: inserts the grant with its first refresh
    /// token, updates the times of last use and writes `event`. Older grants of that person on the
    /// device expire within `overlap`, so that requests in progress can finish.
    ///
    /// - Parameters:
    ///   - credential: The credential that was used; without it the person is not signed in.
    ///   - nonce: Consumed in the same transaction, unless that was done before. If it was consumed
    ///     by another request, nothing changes.
    func signIn(
        _ user: DeviceUser, with credential: Identifier<Credential>?, grant: Grant,
        overlap: TimeSpan, using nonce: OneTimeUse?, recording event: AuditEvent, now: Timestamp
    ) async throws -> DeviceUserOutcome
    /// Removes a person from a device in one transaction: the registration, the key, the grants and
    /// the unlock keys. Returns `false` if there were none.
    func remove(
        user person: Identifier<Person>, from device: Identifier<Device>, now: Timestamp
    ) async throws -> Bool
    /// Updates the time at which the device was last seen.
    func touch(device: Identifier<Device>, now: Timestamp) async throws
    /// Updates the compliance that device management reports for an active device; `nil` clears it.
    /// Returns `false` if there is no such device.
    func note(
        compliance: Device.Compliance?, until: Timestamp?, of device: Identifier<Device>,
        in project: Identifier<Project>
    ) async throws -> Bool
    /// Revokes the device, its keys, the grants of all people on it and their unlock keys, in one
    /// transaction. Returns `false` if it was revoked before, or belongs to another project.
    func revoke(
        device: Identifier<Device>, of project: Identifier<Project>, now: Timestamp
    ) async throws -> Bool

    func save(_ token: RegistrationToken) async throws
    /// Whether a device can register with the token of that keyed hash. The registration itself
    /// uses the token, and can still be refused.
    func isActive(
        deviceToken hash: [UInt8], in project: Identifier<Project>, now: Timestamp
    ) async throws -> Bool
    /// Returns up to `limit` tokens in order of creation, after `id`, including expired and revoked
    /// ones.
    func deviceTokens(
        of project: Identifier<Project>, after id: Identifier<RegistrationToken>?, limit: Int
    ) async throws -> [RegistrationToken]
    /// Returns up to `limit` tokens whose `name` begins with `prefix`, in order of that name, after
    /// `place`, including expired and revoked ones. ASCII case is ignored.
    func deviceTokens(
        of project: Identifier<Project>, by name: RegistrationToken.SearchName,
        startingWith prefix: String, after place: SearchCursor<RegistrationToken>?, limit: Int
    ) async throws -> [RegistrationToken]
    /// Revokes the token. Returns `false` if there is no active token of that id.
    func revoke(
        deviceToken: Identifier<RegistrationToken>, of project: Identifier<Project>, now: Timestamp
    ) async throws -> Bool
}

/// The authority by which a device is registered.
package enum DeviceRegistrationAuthority: Sendable, Equatable {
    /// A registration token, by its keyed hash. A token without a serial number registers new
    /// devices; one with a serial number also renews that device.
    case token(hash: [UInt8])
    /// A signed-in person, who may renew their own registrations.
    case person(Identifier<Person>)
    /// A signature with an active key of that device: its keys rotate, and everything that is bound
    /// to it stays. Per-user keys can become shared keys in this way, and then the old ones are
    /// revoked at once. The reverse is not possible.
    case key(of: Identifier<Device>)
}

package enum DeviceRegistrationOutcome: Sendable, Equatable {
    /// The device is new, or replaces its earlier record under the same identifier.
    case registered(Device)
    /// The token is unknown, consumed, expired, revoked, or for another device.
    case tokenRefused
    /// One of the keys was registered before: by another device, for another use, or is revoked.
    case keyTaken
    /// An active device has that serial number or UDID, and `authority` does not prove to be that
    /// device.
    case identityTaken
    /// The key that proves the device belongs to a device with another serial number or UDID.
    case identityChanged
    /// Shared keys cannot become the keys of one person.
    case sharingNarrowed
}

package enum DeviceUserOutcome: Sendable, Equatable {
    case done
    /// The device, person or client was revoked concurrently.
    case ended
    /// The device's keys belong to another person.
    case anothersDevice
    case keyTaken
    /// The credential was deleted concurrently.
    case credentialReplaced
    /// The nonce was consumed.
    case nonceUsed
}

/// A store of the keys that unlock data of people on devices.
package protocol UnlockKeyStore: Sendable {
    /// Returns the newest key whose certificate is valid.
    func unlockKey(
        of person: Identifier<Person>, on device: Identifier<Device>, purpose: String,
        now: Timestamp
    ) async throws -> UnlockKey?
    /// Inserts the key, unless there is a valid one, which is returned then. Returns `nil` if the
    /// device is revoked.
    func provision(_ key: UnlockKey, now: Timestamp) async throws -> UnlockKey?
    /// Returns a key that can still decrypt.
    func unlockKey(_ id: Identifier<UnlockKey>, now: Timestamp) async throws -> UnlockKey?
    /// Extends the lifetime of a key; never shortens it.
    func extendLifetime(ofUnlockKey id: Identifier<UnlockKey>, to end: Timestamp) async throws
}

/// A store of the provider's encryption keys.
package protocol EncryptionKeyStore: Sendable {
    /// Returns the keys, newest first.
    func encryptionKeys(of project: Identifier<Project>) async throws -> [EncryptionKey]
    /// Inserts the first key of a project. If two processes start at once, the first wins.
    func addEncryptionKey(_ key: EncryptionKey) async throws
    /// Replaces the active key, which can still decrypt older messages. Returns `false` if another
    /// process has just replaced it.
    func rotateEncryptionKey(to successor: EncryptionKey) async throws -> Bool
    /// Deletes a rotated key. Returns `false` if it does not exist.
    func retireEncryptionKey(
        _ id: Identifier<EncryptionKey>, of project: Identifier<Project>
    ) async throws -> Bool
}
