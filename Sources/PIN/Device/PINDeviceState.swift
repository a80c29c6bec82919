// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

/// What a device keeps of one profile's PIN. A value: each step computes the next one, which the
/// caller stores durably **before** it sends what depends on it.
///
/// At every moment the secret that counts at the server is among those held here, or the profile
/// is over (docs/protocols/pin.md, "Agreement"; checked in docs/protocols/pin.pml).
package struct PINDeviceState: Sendable, Equatable {
    package let binding: PINBinding
    /// What the server last said counts.
    package private(set) var current: SealedPINSecret?
    /// Sealed, and perhaps committed: until the server says, this may be the one that counts.
    package private(set) var offered: SealedPINSecret?
    /// Why the profile is over; then both secrets are gone.
    package private(set) var ending: PINTermination?

    package enum Mistake: Error, Sendable, Equatable {
        /// The profile is over.
        case over
        /// A secret is offered already: ask the server first which one counts.
        case unresolved
        /// Made for another key or issuer.
        case notForUs
        /// The server names a secret that was never stored here. Nothing is forgotten; the person
        /// registers again.
        case contradiction(version: UInt32)
    }

    package init(binding: PINBinding) { self.binding = binding }

    /// What a typed PIN opens for a sign-in; `nil` while ``offered`` is unresolved, for nobody can
    /// know which PIN to ask for.
    package var signInSecret: SealedPINSecret? { offered == nil ? current : nil }

    /// Takes a newly sealed secret beside the present one. Store the result, then commit.
    package func offering(_ sealed: SealedPINSecret) throws(Mistake) -> PINDeviceState {
        guard ending == nil else { throw .over }
        guard offered == nil else { throw .unresolved }
        var next = self
        next.offered = sealed
        return next
    }

    /// Takes the server's word on which secret counts, and forgets the other.
    package func applying(_ statement: VerifiedPINVersion) throws(Mistake) -> PINDeviceState {
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

    /// The profile is over: nothing but the reason is left. The caller also removes the keys.
    package func wiped(by statement: VerifiedPINEnding) throws(Mistake) -> PINDeviceState {
        guard statement.binding == binding else { throw .notForUs }
        var next = PINDeviceState(binding: binding)
        next.ending = statement.ending
        return next
    }
}

/// As it is stored, inside the SDK's own sealed store.
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

    /// `nil` when the bytes are damaged: a state to report, never one to replace by an empty one.
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
