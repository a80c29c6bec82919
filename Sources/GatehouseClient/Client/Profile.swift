// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A person who is registered in this installation. There may be several.
public struct Profile: Sendable, Hashable, Identifiable {
    /// Names a profile within this installation, and stays the same when its person registers again.
    public struct ID: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// Ten characters of `a-z` and `0-9`.
        public let rawValue: String

        /// An identifier that the app has kept.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A text for logs, without a secret.
        public var description: String { rawValue }
    }

    /// See ``ID``.
    public let id: ID
    /// The person's `sub` at the provider.
    public let userID: String
    /// The person's username at the provider; `userID` if there is none.
    public let username: String
    /// The time of the last registration of this installation for the person.
    public let registeredAt: Date
    /// The identifier of the installation at the provider; `nil` for a person who has signed in
    /// without registering.
    public let installationID: String?
    /// Whether the key of this installation can sign the person in without a prompt.
    public let hasSignInKey: Bool
    /// Whether a PIN guards the profile.
    public let hasPIN: Bool
    /// The name for display: the one that was set with ``IdentityClient/rename(_:to:)``, or else
    /// ``username``.
    public let displayName: String
}

/// A profile as it is stored.
struct StoredProfile: Sendable, Equatable {
    var id: Profile.ID
    /// The issuer; `nil` in older records.
    var issuer: String?
    var userID: String
    var username: String
    var registeredAt: Timestamp
    var method: String
    /// The name of the sign-in key in the key store. Each profile has a key, registered or not.
    var key: RecordName
    var installationID: String?
    /// The idempotency key of the registration that made it; `nil` for who only signed in.
    var registrationID: String?
    /// `kid` at the provider, when the key is registered there.
    var keyID: String?
    var hasPIN = false
    /// The name of the key that tokens are bound to, if it is not ``key``.
    var tokenKey: RecordName?
    /// The authenticators in addition to key and PIN.
    var authenticators: [StoredAuthenticator] = []
    /// The ``Authenticator/description`` of the preferred authenticator; `nil` if none was chosen.
    var preferred: String?
    /// A passkey that the system has made and the provider may have registered: its answer did not
    /// come. In base64url.
    var unfinishedPasskey: String?
    /// The key identifier of App Attest; `nil` for other registrations.
    var attestedKey: String?
    /// The name that the person or the app has set; `nil` for none.
    var label: String?
    /// Earlier installations of the person on this device, which are still to be removed at the
    /// provider.
    var replacedInstallations: [String] = []

    /// All its installations at the provider.
    var installations: [String] {
        [installationID].compactMap(\.self) + replacedInstallations
    }

    /// Every key that it names.
    var keys: [RecordName] { [key] + [tokenKey].compactMap(\.self) + authenticators.map(\.key) }

    /// Whether the key can sign the person in without a prompt.
    var signsInAlone: Bool { keyID != nil && !hasPIN }

    /// The authenticators with which the person can sign in, the preferred one first.
    var authenticatorsInOrder: [Authenticator] {
        let own: [Authenticator] = hasPIN ? [.pin] : signsInAlone ? [.deviceKey] : []
        let all = own + authenticators.map(\.authenticator)
        guard let first = all.first(where: { $0.description == preferred }) else { return all }
        return [first] + all.filter { $0 != first }
    }

    /// Returns the authenticator of that kind; `nil` if the profile has none.
    func stored(_ authenticator: Authenticator) -> StoredAuthenticator? {
        authenticators.first { $0.authenticator == authenticator }
    }

    mutating func remove(_ authenticator: StoredAuthenticator) {
        authenticators.removeAll { $0 == authenticator }
        if preferred == authenticator.authenticator.description { preferred = nil }
    }

    /// The part that apps see.
    var publicProfile: Profile {
        Profile(
            id: id, userID: userID, username: username, registeredAt: registeredAt.date,
            installationID: installationID, hasSignInKey: signsInAlone, hasPIN: hasPIN,
            displayName: label ?? username)
    }

    var json: [UInt8] {
        var writer = JSONWriter()
        writer.member("format", 1)
        writer.member("id", id.rawValue)
        writer.member("issuer", ifPresent: issuer)
        writer.member("user_id", userID)
        writer.member("username", username)
        writer.member("registered_at", registeredAt.milliseconds)
        writer.member("method", method)
        writer.member("key", key.rawValue)
        writer.member("installation_id", ifPresent: installationID)
        writer.member("registration_id", ifPresent: registrationID)
        writer.member("key_id", ifPresent: keyID)
        writer.member("has_pin", hasPIN)
        writer.member("token_key", ifPresent: tokenKey?.rawValue)
        writer.member("authenticators", .array(authenticators.map(\.json)))
        writer.member("preferred", ifPresent: preferred)
        writer.member("unfinished_passkey", ifPresent: unfinishedPasskey)
        writer.member("attested_key", ifPresent: attestedKey)
        writer.member("label", ifPresent: label)
        if !replacedInstallations.isEmpty {
            writer.member(
                "replaced_installations", .array(replacedInstallations.map(JSONValue.string)))
        }
        return writer.finish()
    }
}

extension StoredProfile {
    /// `nil` for what ``json`` has not written.
    init?(json bytes: [UInt8]) {
        guard let object = try? JSONParser.parseObject(bytes, maximumBytes: 65_536),
            object["format"]?.integer == 1, let id = object["id"]?.string,
            let userID = object["user_id"]?.string, let username = object["username"]?.string,
            let registeredAt = object["registered_at"]?.integer,
            let method = object["method"]?.string,
            let key = object["key"]?.string.flatMap({ RecordName(rawValue: $0) })
        else { return nil }
        self.init(
            id: Profile.ID(rawValue: id), issuer: object["issuer"]?.string, userID: userID,
            username: username,
            registeredAt: Timestamp(milliseconds: registeredAt), method: method, key: key,
            installationID: object["installation_id"]?.string,
            registrationID: object["registration_id"]?.string,
            keyID: object["key_id"]?.string, hasPIN: object["has_pin"]?.bool ?? false,
            tokenKey: object["token_key"]?.string.flatMap { RecordName(rawValue: $0) },
            authenticators: (object["authenticators"]?.array ?? [])
                .compactMap { StoredAuthenticator($0) },
            preferred: object["preferred"]?.string,
            unfinishedPasskey: object["unfinished_passkey"]?.string,
            attestedKey: object["attested_key"]?.string, label: object["label"]?.string,
            replacedInstallations: object["replaced_installations"]?.strings ?? [])
    }
}

extension StoredAuthenticator {
    fileprivate var json: JSONValue {
        [
            "kind": .string(kind), "id": .string(id), "key": .string(key.rawValue),
            "key_id": .string(keyID),
        ]
    }

    /// `nil` for what ``json`` has not written.
    fileprivate init?(_ value: JSONValue) {
        guard let kind = value["kind"]?.string, let id = value["id"]?.string,
            let key = value["key"]?.string.flatMap({ RecordName(rawValue: $0) }),
            let keyID = value["key_id"]?.string
        else { return nil }
        self.init(kind: kind, id: id, key: key, keyID: keyID)
    }
}
