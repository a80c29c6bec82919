// SPDX-License-Identifier: Apache-2.0
import TPM

extension FuzzTarget {
    /// Objects of a TPM as stores keep them: what is read is written back byte for byte, and the
    /// point of a key is 64 bytes.
    static let tpmObject = FuzzTarget(name: "tpm-object") { bytes in
        if let objects = TPMObject.decode(bytes, count: 2) {
            precondition(objects.flatMap(\.encoded) == bytes, "an object does not survive writing")
        }
        let area = TPMObject(privatePart: [1], publicPart: bytes)
        precondition((area?.point?.count ?? 64) == 64, "a point of another length")
    }
}
