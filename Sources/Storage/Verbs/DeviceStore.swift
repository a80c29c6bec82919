// SPDX-License-Identifier: Apache-2.0
package import Primitives

/// Where machines, their keys and the people on them are kept.
package protocol DeviceStore: Sendable {
    /// Registers a device with its signing and encryption key, or its new keys, in one step with
    /// taking `authority` out of use. See ``DeviceRegistrationOutcome``.
    ///
    /// - Parameter provesIdentity: Whether hardware vouched for the serial number or UDID that the
    ///   device is known by. It is that very device then, and renews its place by any right.
    func register(
        _ device: Device, keys: [DeviceKey], by authority: DeviceRegistrationAuthority,
        provesIdentity: Bool, keyOverlap: TimeSpan, now: Timestamp
    ) async throws -> DeviceRegistrationOutcome
    /// The living device that has that living signing key, with all its living keys but those of
    /// people.
    func device(
        signingKey kid: [UInt8], in project: Identifier<Project>, now: Timestamp
    ) async throws -> (Device, [DeviceKey])?
    func device(_ id: Identifier<Device>) async throws -> Device?
    /// Up to `limit` devices in order of registration, after `id`, revoked ones too.
    func devices(
        of project: Identifier<Project>, after id: Identifier<Device>?, limit: Int
    ) async throws -> [Device]
    /// Up to `limit` devices whose `name` begins with `prefix`, in order of that name, after
    /// `place`, revoked ones too. Small letters and capitals of ASCII are one.
    func devices(
        of project: Identifier<Project>, by name: Device.SearchName, startingWith prefix: String,
        after place: SearchCursor<Device>?, limit: Int
    ) async throws -> [Device]
    /// Every key the device ever had, oldest first.
    func keys(of device: Identifier<Device>) async throws -> [DeviceKey]
    /// Who uses the device.
    func users(of device: Identifier<Device>) async throws -> [DeviceUser]
    /// Up to `limit` devices that the person uses, the last one heard of first, revoked ones too.
    func devices(usedBy person: Identifier<Person>, limit: Int) async throws -> [Device]
    /// Up to `limit` machines that are not revoked and that the person signs in on, the last one
    /// heard of first, with whether each holds a key for them.
    func machines(
        of person: Identifier<Person>, now: Timestamp, limit: Int
    ) async throws -> [PersonDevice]
    /// The living keys of that person on that device.
    func userKeys(
        of person: Identifier<Person>, on device: Identifier<Device>, now: Timestamp
    ) async throws -> [DeviceKey]
    /// Who has that user name, with their living keys on that device: what a login with a key looks
    /// up, in one read.
    func person(
        username: String, in project: Identifier<Project>, keysOn device: Identifier<Device>,
        now: Timestamp
    ) async throws -> (Person, [DeviceKey])?
    /// Registers a person on a device, with a key that takes the place of the one before, or
    /// without one when what they use is not the device's.
    func register(
        _ user: DeviceUser, key: DeviceKey?, now: Timestamp
    ) async throws -> DeviceUserOutcome
    /// Lets a person in on a device, in one step: makes the grant with its first refresh token,
    /// notes who used what, and writes `event`. Older grants of that person there end within
    /// `overlap`, so that what is under way finishes.
    ///
    /// - Parameters:
    ///   - credential: what was shown; without it the person is not signed in.
    ///   - nonce: taken out of use in the same step, unless that was done before; when it was used,
    ///     nothing is done.
    func signIn(
        _ user: DeviceUser, with credential: Identifier<Credential>?, grant: Grant,
        overlap: TimeSpan, using nonce: OneTimeUse?, recording event: AuditEvent, now: Timestamp
    ) async throws -> DeviceUserOutcome
    /// Takes a person off a device, in one step: that they used it, their key there, their grants
    /// and their unlock keys. `false` when there was nothing of theirs.
    func remove(
        user person: Identifier<Person>, from device: Identifier<Device>, now: Timestamp
    ) async throws -> Bool
    /// Notes that the device was heard of.
    func touch(device: Identifier<Device>, now: Timestamp) async throws
    /// Notes what device management says of a living device; `nil` for nothing. `false` when there
    /// is none.
    func note(
        compliance: Device.Compliance?, until: Timestamp?, of device: Identifier<Device>,
        in project: Identifier<Project>
    ) async throws -> Bool
    /// Ends the device: its keys, the grants of everybody on it and their unlock keys, in one
    /// step. `false` when it had ended before, or is of another project.
    func revoke(
        device: Identifier<Device>, of project: Identifier<Project>, now: Timestamp
    ) async throws -> Bool

    func save(_ token: RegistrationToken) async throws
    /// Whether a device can register with the token of that keyed hash. The registration itself
    /// uses the token, and can still be refused.
    func isActive(
        deviceToken hash: [UInt8], in project: Identifier<Project>, now: Timestamp
    ) async throws -> Bool
    /// Up to `limit` tokens in order of making, after `id`, ended ones too.
    func deviceTokens(
        of project: Identifier<Project>, after id: Identifier<RegistrationToken>?, limit: Int
    ) async throws -> [RegistrationToken]
    /// Up to `limit` tokens of which that begins so, in order of it, after `place`, ended ones too.
    /// Capitals of ASCII and small letters are the same.
    func deviceTokens(
        of project: Identifier<Project>, by name: RegistrationToken.SearchName,
        startingWith prefix: String, after place: SearchCursor<RegistrationToken>?, limit: Int
    ) async throws -> [RegistrationToken]
    /// `false` when there is no living token of that id.
    func revoke(
        deviceToken: Identifier<RegistrationToken>, of project: Identifier<Project>, now: Timestamp
    ) async throws -> Bool
}

/// By what right a device is registered.
package enum DeviceRegistrationAuthority: Sendable, Equatable {
    /// A registration token, by its keyed hash. One for any serial number lets in machines that
    /// are new; one for a serial number also renews that very machine.
    case token(hash: [UInt8])
    /// Somebody signed in; may renew what they registered themselves.
    case person(Identifier<Person>)
    /// Whoever signed with a living key of that device: its keys rotate, and everything that is
    /// bound to it stays. Keys of one person become the machine's in the same way, and then the
    /// old ones end at once; never the other way round.
    case key(of: Identifier<Device>)
}

package enum DeviceRegistrationOutcome: Sendable, Equatable {
    /// It is new, or holds the place (and the identifier) of the device that it was.
    case registered(Device)
    /// The token is unknown, spent, over, revoked, or for another machine.
    case tokenRefused
    /// One of the keys was registered before: by another device, for another use, or has ended.
    case keyTaken
    /// A living device has that serial number or UDID, and `authority` is no proof of being it.
    case identityTaken
    /// The key that proves the device is of one with another serial number or UDID.
    case identityChanged
    /// Keys that are everybody's never become those of one person.
    case sharingNarrowed
}

package enum DeviceUserOutcome: Sendable, Equatable {
    case done
    /// The device, the person or the client was ended meanwhile.
    case ended
    /// The device's keys belong to another person.
    case anothersDevice
    case keyTaken
    /// The credential that was shown does not exist any more.
    case credentialReplaced
    /// The nonce was used before.
    case nonceUsed
}

/// Where the keys are kept that unlock things of people on devices.
package protocol UnlockKeyStore: Sendable {
    /// The newest key whose certificate is valid.
    func unlockKey(
        of person: Identifier<Person>, on device: Identifier<Device>, purpose: String,
        now: Timestamp
    ) async throws -> UnlockKey?
    /// Keeps the key, unless there is a valid one already: that one is returned then. `nil` when
    /// the device has ended.
    func provision(_ key: UnlockKey, now: Timestamp) async throws -> UnlockKey?
    /// A key that still opens what was locked with it.
    func unlockKey(_ id: Identifier<UnlockKey>, now: Timestamp) async throws -> UnlockKey?
    /// Keeps a key for longer than it was to be; never for less.
    func keep(unlockKey id: Identifier<UnlockKey>, until end: Timestamp) async throws
}

/// Where the provider's encryption keys are kept.
package protocol EncryptionKeyStore: Sendable {
    /// Newest first.
    func encryptionKeys(of project: Identifier<Project>) async throws -> [EncryptionKey]
    /// Adds the first key of a project. Two processes may start at once: the first wins.
    func addEncryptionKey(_ key: EncryptionKey) async throws
    /// Puts the key in the place of the one in use, which still opens what was encrypted to it.
    /// `false` when another process has just done it.
    func rotateEncryptionKey(to successor: EncryptionKey) async throws -> Bool
    /// Deletes a key that was rotated out. `false` when there is no such one.
    func retireEncryptionKey(
        _ id: Identifier<EncryptionKey>, of project: Identifier<Project>
    ) async throws -> Bool
}
