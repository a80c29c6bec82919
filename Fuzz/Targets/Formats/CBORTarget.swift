// SPDX-License-Identifier: Apache-2.0
import CBOR

extension FuzzTarget {
    /// What is decoded encodes to a canonical form, which decodes to itself again.
    static let cbor = FuzzTarget(name: "cbor") { bytes in
        if let value = try? CBORValue.decode(bytes, profile: .rfc8949) {
            let canonical = value.encoded()
            let again = try? CBORValue.decode(canonical, profile: .rfc8949)
            precondition(again?.encoded() == canonical, "CBOR does not survive encoding")
            precondition(!value.diagnostic.isEmpty)
        }
        if let value = try? CBORValue.decode(bytes, profile: .ctap2) {
            precondition(
                (try? CBORValue.decode(bytes, profile: .rfc8949)) != nil,
                "canonical CBOR is CBOR")
            precondition(value.encoded(ordering: .ctap2).count <= bytes.count)
        }
    }
}
