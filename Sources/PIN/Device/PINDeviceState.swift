// SPDX-License-Identifier: Apache-2.0
import JOSE

/// The device's state of one profile's PIN. A value: each step computes the next state, which the
/// caller stores durably **before** it sends a message that depends on it.
///
/// At every moment the active secret of the server is one of the stored ones, or the profile is
/// terminated (docs/protocols/pin.md, "Agreement"; checked in docs/protocols/pin.pml).
package struct PINDeviceState: Sendable, Equatable {
    package let binding: PINBinding
    /// The active secret by the server's last statement.
    package private(set) var current: SealedPINSecret?
    /// A sealed secret that may be committed: until the server states otherwise, it may be the
    /// active one.
    package private(set) var offered: SealedPINSecret?
    /// The reason of the termination of the profile; both secrets are then deleted.
    package private(set) var ending: PINTermination?

    package enum TransitionRefusal: Error, Sendable, Equatable {
        /// The profile is terminated.
        case over
        /// There is already an offered secret. The device must first request which one is active.
        case unresolved
        /// The statement is for another key or issuer.
        case notForUs
        /// The server states a secret that was never stored here. The state is unchanged; the
        /// person registers again.
        case contradiction(version: UInt32)
    }

    package init(binding: PINBinding) { self.binding = binding }

    /// The secret for a sign-in with an entered PIN; `nil` while it is unknown which of two PINs
    /// applies. The first secret of a profile is the only one: signing in with it activates it, and it
    /// stays ``offered`` here, because that response is not signed.
    package var signInSecret: SealedPINSecret? {
        guard let offered else { return current }
        return current == nil && !offered.isOutdated ? offered : nil
    }

    /// Whether version 1 sealed the secret for a sign-in.
    package var isOutdated: Bool { signInSecret?.isOutdated ?? false }

    /// Returns the state with a newly sealed secret in addition to the current one. Store the
    /// result, then commit.
    package func offering(_ sealed: SealedPINSecret) throws(TransitionRefusal) -> PINDeviceState {
        guard ending == nil else { throw .over }
        guard offered == nil else { throw .unresolved }
        var next = self
        next.offered = sealed
        return next
    }

    /// Returns the state with the secret that the server states as active, without the other.
    package func applying(
        _ statement: VerifiedPINVersion
    ) throws(TransitionRefusal) -> PINDeviceState {
        guard ending == nil else { throw .over }
        guard statement.binding == binding else { throw .notForUs }
        var next = self
        next.offered = nil
        if statement.version == offered?.version {
            next.current = offered
        } else if statement.version != current?.version ?? 0 {
            throw .contradiction(version: statement.version)
        }
        return next
    }

    /// Returns the state after the termination: only the reason remains. The caller also deletes
    /// the keys.
    package func wiped(by statement: VerifiedPINEnding) throws(TransitionRefusal) -> PINDeviceState
    {
        guard statement.binding == binding else { throw .notForUs }
        var next = PINDeviceState(binding: binding)
        next.ending = statement.ending
        return next
    }
}

/// The stored form, inside the SDK's sealed store.
extension PINDeviceState {
    package var json: [UInt8] {
        var writer = JSONWriter()
        writer.member("format", 1)
        writer.member("iss", binding.issuer)
        writer.member("kid", binding.keyID.text)
        if let current { writer.member("current", current.json) }
        if let offered { writer.member("offered", offered.json) }
        writer.member("ended", ifPresent: ending?.rawValue)
        return writer.finish()
    }

    /// Returns `nil` if the bytes are damaged: report that, and do not replace the state by an
    /// empty one.
    package init?(json: [UInt8]) {
        guard let object = try? JSONParser.parseObject(json, maximumBytes: 65_536, maximumDepth: 4),
            object["format"]?.integer == 1, let issuer = object["iss"]?.string,
            let keyID = object["kid"]?.string.flatMap({ PINKeyID(text: $0) })
        else { return nil }
        self.init(binding: PINBinding(issuer: issuer, keyID: keyID))
        current = object["current"].flatMap { SealedPINSecret($0) }
        offered = object["offered"].flatMap { SealedPINSecret($0) }
        ending = object["ended"]?.string.flatMap(PINTermination.init(rawValue:))
        guard (current == nil) == (object["current"] == nil),
            (offered == nil) == (object["offered"] == nil),
            (ending == nil) == (object["ended"] == nil),
            ending == nil || (current == nil && offered == nil)
        else { return nil }
    }
}
