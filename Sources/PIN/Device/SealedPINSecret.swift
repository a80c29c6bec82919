// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives

/// A PIN secret as the device stores it: sealed under the PIN, and then under the sealing key.
///
/// It does not reveal whether a PIN is correct. Nothing may be added that does: no tag, check digit
/// or marker.
package struct SealedPINSecret: Sendable, Equatable {
    /// The maximum size of a sealing key's result. Software keys add tens of bytes; RSA keys some
    /// hundreds.
    static let greatestBoxLength = 2_048

    /// The inner layer. Its parameters are stored with the secret, so that a change of the defaults
    /// does not affect it.
    enum Layer: Sendable, Equatable {
        case version1(PINVersion1Layer)
        case version2(rounds: UInt32, salt: [UInt8])
    }

    package let version: UInt32
    let layer: Layer
    let box: [UInt8]

    /// Whether version 1 sealed it. At the next right PIN it is replaced by a new secret.
    package var isOutdated: Bool {
        if case .version1 = layer { true } else { false }
    }

    /// Returns the additional data that the sealing key authenticates: all other fields.
    func context(_ binding: PINBinding) -> [UInt8] { Self.context(binding, version, layer) }

    static func context(
        _ binding: PINBinding, _ version: UInt32, _ layer: Layer
    ) -> [UInt8] {
        switch layer {
        case .version1(let layer):
            var transcript = PINTranscript(.sealed, binding, .one)
            transcript.append(version)
            layer.append(to: &transcript)
            return transcript.bytes
        case .version2(let rounds, let salt):
            var transcript = PINTranscript(.sealed, binding, .two)
            transcript.append(version)
            transcript.append(rounds)
            transcript.append(salt)
            return transcript.bytes
        }
    }
}

extension SealedPINSecret {
    var json: JSONValue {
        let members: [JSONObject.Member] =
            switch layer {
            case .version1(let layer): layer.json
            case .version2(let rounds, let salt):
                [
                    .init(name: "rounds", value: .integer(Int64(rounds))),
                    .init(name: "salt", value: .string(Base64URL.encode(salt))),
                ]
            }
        return .object(
            JSONObject(
                [.init(name: "ver", value: .integer(Int64(version)))] + members
                    + [.init(name: "box", value: .string(Base64URL.encode(box)))]))
    }

    /// Returns `nil` for data that ``json`` cannot have written, and for unreasonable costs.
    init?(_ value: JSONValue) {
        guard let object = value.object,
            let version = object["ver"]?.integer.flatMap(UInt32.init(exactly:)), version > 0,
            let box = object["box"]?.string.flatMap({ Base64URL.decode($0) }),
            box.count <= Self.greatestBoxLength, let layer = Self.layer(object)
        else { return nil }
        self.init(version: version, layer: layer, box: box)
    }

    private static func layer(_ object: JSONObject) -> Layer? {
        switch Set(object.names) {
        case PINVersion1Layer.members: return PINVersion1Layer(object).map { .version1($0) }
        case ["ver", "rounds", "salt", "box"]:
            guard let rounds = object["rounds"]?.integer.flatMap(UInt32.init(exactly:)),
                PINStretching.acceptedRounds.contains(rounds),
                let salt = object["salt"]?.string.flatMap({ Base64URL.decode($0) }),
                salt.count == PINStretching.saltLength
            else { return nil }
            return .version2(rounds: rounds, salt: salt)
        default: return nil
        }
    }
}
