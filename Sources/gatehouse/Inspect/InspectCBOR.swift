// SPDX-License-Identifier: Apache-2.0
import CBOR
package import JOSE
import Primitives

/// `gatehouse inspect cbor`: `{"cbor":"…","profile":"rfc8949"|"ctap2"}` → diagnostic notation.
/// Without a profile, `rfc8949`.
package enum InspectCBOR {
    package static func verdict(for input: JSONValue) -> JSONValue { verdict(input).json }

    private static func verdict(_ input: JSONValue) -> Verdict {
        guard let text = input["cbor"]?.string, let bytes = Base64URL.decode(text) else {
            return .badInput("\"cbor\" must be a base64url string")
        }
        guard let profile = profile(input["profile"]) else {
            return .badInput("\"profile\" must be \"rfc8949\" or \"ctap2\"")
        }
        do {
            let value = try CBORValue.decode(bytes, profile: profile)
            return .accepted(["diagnostic": .string(value.diagnostic)])
        } catch {
            return .refused(code: error.code.rawValue, reason: "\(error)")
        }
    }

    private static func profile(_ value: JSONValue?) -> CBORProfile? {
        switch value {
        case nil, "rfc8949": .rfc8949
        case "ctap2": .ctap2
        default: nil
        }
    }
}
