// SPDX-License-Identifier: Apache-2.0
import WebAuthn

extension FuzzTarget {
    /// What can be read of a TPM's key ends where the bytes end: one byte less or more is none.
    static let tpmPublicArea = FuzzTarget(name: "tpm-public-area") { bytes in
        guard (try? TPMPublicArea(bytes[...])) != nil else { return }
        precondition((try? TPMPublicArea(bytes.dropLast())) == nil, "a byte was overlooked")
        precondition((try? TPMPublicArea((bytes + [0])[...])) == nil, "a byte was overlooked")
    }

    static let tpmAttestationData = FuzzTarget(name: "tpm-attestation-data") { bytes in
        guard let data = try? TPMAttestationData(bytes[...]) else { return }
        precondition(data.name.count <= 66 && data.qualifyingData.count <= 64)
        precondition((try? TPMAttestationData(bytes.dropLast())) == nil, "a byte was overlooked")
    }

    static let tpmQuoteData = FuzzTarget(name: "tpm-quote-data") { bytes in
        guard let data = try? TPMQuoteData(bytes[...]) else { return }
        precondition(data.selections.allSatisfy { $0.indexes.allSatisfy { 0..<32 ~= $0 } })
        precondition((try? TPMQuoteData(bytes.dropLast())) == nil, "a byte was overlooked")
    }

    /// Android's key description, which certificates of phones carry.
    static let keyDescription = FuzzTarget(name: "key-description") { bytes in
        guard let description = try? AndroidKeyDescription(der: bytes[...]) else { return }
        precondition(description.attestationChallenge.count < bytes.count)
    }

    /// Our own ML-DSA: a fixed key accepts no random bytes as a signature.
    static let mlDSASignature = FuzzTarget(name: "ml-dsa-signature") { bytes in
        guard let key = MLDSAPublicKey([UInt8](repeating: 0x5A, count: 1312), .mlDSA44) else {
            return
        }
        let signature = (bytes + [UInt8](repeating: 0, count: 2420)).prefix(2420)
        precondition(!key.isValid(signature: signature, over: [1]), "a forgery")
    }
}
