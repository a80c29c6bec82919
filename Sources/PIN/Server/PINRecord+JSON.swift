// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

/// The stored form of the record: one JSON object. Key id and revision are separate columns.
extension PINRecord {
    package var json: [UInt8] {
        var writer = JSONWriter(capacity: 1_024)
        writer.member("key", publicKey.json)
        writer.member("last_version", Int64(lastVersion))
        writer.member("attempts_used", Int64(attemptsUsed))
        writer.member("last_wrong_nonce", ifPresent: lastWrongNonce.map { Base64URL.encode($0) })
        switch standing {
        case .ended(let ending): writer.member("ended", ending.rawValue)
        case .active(let secrets):
            if let current = secrets.current { writer.member("current", current.json) }
            if let offered = secrets.offered { writer.member("offered", offered.json) }
        }
        return writer.finish()
    }

    /// Reads the form of ``json``. `nil` for anything else: a damaged row is an error, never an
    /// empty record.
    package init?(json: [UInt8], revision: Int64) {
        guard let object = try? JSONParser.parseObject(json, maximumBytes: 65_536, maximumDepth: 4),
            revision >= 0, let members = object["key"]?.object,
            case .publicKey(let key)? = try? JSONWebKey(members),
            let lastVersion = object["last_version"]?.integer.flatMap(UInt32.init(exactly:)),
            let attemptsUsed = object["attempts_used"]?.integer.flatMap(Int.init(exactly:)),
            (0...PINAttemptLimit.range.upperBound).contains(attemptsUsed),
            let standing = State(object, lastVersion: lastVersion)
        else { return nil }
        var nonce: [UInt8]?
        if let text = object["last_wrong_nonce"] {
            guard let bytes = text.string.flatMap({ Base64URL.decode($0) }) else { return nil }
            nonce = bytes
        }
        self.init(
            publicKey: key, standing: standing, lastVersion: lastVersion,
            attemptsUsed: attemptsUsed, lastWrongNonce: nonce, revision: revision)
    }
}

extension PINRecord.State {
    fileprivate init?(_ object: JSONObject, lastVersion: UInt32) {
        let (current, offered) = (object["current"], object["offered"])
        if let ended = object["ended"] {
            guard let ending = ended.string.flatMap(PINTermination.init(rawValue:)), current == nil,
                offered == nil
            else { return nil }
            self = .ended(ending)
            return
        }
        let secrets = PINRecord.Secrets(
            current: current.flatMap { PINRecord.Sealed($0) },
            offered: offered.flatMap { PINRecord.Offer($0) })
        guard (secrets.current == nil) == (current == nil),
            (secrets.offered == nil) == (offered == nil),
            max(secrets.current?.version ?? 0, secrets.offered?.secret.version ?? 0) <= lastVersion
        else { return nil }
        self = .active(secrets)
    }
}

extension PINRecord.Sealed {
    fileprivate var json: JSONValue {
        ["ver": .integer(Int64(version)), "sealed": .string(Base64URL.encode(bytes))]
    }

    fileprivate init?(_ value: JSONValue) {
        guard let version = value["ver"]?.integer.flatMap(UInt32.init(exactly:)), version > 0,
            let bytes = value["sealed"]?.string.flatMap({ Base64URL.decode($0) })
        else { return nil }
        self.init(version: version, bytes: bytes)
    }
}

extension PINRecord.Offer {
    fileprivate var json: JSONValue {
        ["secret": secret.json, "transport_key": .string(Base64URL.encode(transportKey.bytes))]
    }

    fileprivate init?(_ value: JSONValue) {
        guard let secret = value["secret"].flatMap({ PINRecord.Sealed($0) }),
            let key = value["transport_key"]?.string.flatMap({ Base64URL.decode($0) })
                .flatMap({ PINTransportPublicKey(bytes: $0) })
        else { return nil }
        self.init(secret: secret, transportKey: key)
    }
}
