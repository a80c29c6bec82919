// SPDX-License-Identifier: Apache-2.0

/// A device's boot state, attested by its TPM (`TPM2_Quote`, TPM 2.0 Library part 3 section 18.4).
package struct TPMQuote: Sendable, Equatable {
    /// `TPMS_ATTEST`
    package let quoted: [UInt8]
    /// The signature of the attestation key for ``quoted``: ECDSA with SHA-256, r and s, 32 bytes
    /// each.
    package let signature: [UInt8]
    /// The values of the registers of the SHA-256 bank, 32 bytes each.
    package let registers: [Int: [UInt8]]
}

extension TPMDevice {
    private static let registers = Array(0..<24)
    /// The maximum number of values in one response.
    private static let atOnce = 8

    /// Returns a quote of all registers of the SHA-256 bank.
    ///
    /// - Parameter challenge: Part of the statement; 64 bytes at most.
    /// - Returns: `nil` if the TPM has no such bank.
    package func quote(
        with attestationKey: TPMObject, challenge: [UInt8]
    ) throws(TPMError) -> TPMQuote? {
        let tpm = try TPMConnection(path: path)
        var values: [Int: [UInt8]] = [:]
        for start in stride(from: 0, to: Self.registers.count, by: Self.atOnce) {
            let asked = Array(Self.registers[start..<(start + Self.atOnce)])
            let found = try Self.values(try tpm.send(TPMCommand.read(registers: asked)))
            guard found.count == asked.count else { return nil }
            for (index, value) in zip(asked, found) { values[index] = value }
        }
        return try tpm.withObject(attestationKey) { (signer) throws(TPMError) in
            var response = try tpm.send(
                TPMCommand.quote(Self.registers, with: signer, challenge: challenge))
            try response.skipParameterSize()
            let quoted = try response.buffer()
            return TPMQuote(
                quoted: quoted, signature: try Self.signature(&response), registers: values)
        }
    }

    /// Returns the digests of a response to `TPM2_PCR_Read`, in the order of their registers.
    private static func values(_ answer: TPMResponse) throws(TPMError) -> [[UInt8]] {
        var answer = answer
        // How often registers have changed, and which of them follow.
        _ = try answer.number32()
        for _ in 0..<(try count(&answer)) {
            _ = try answer.number16()
            for _ in 0..<(try answer.number8()) { _ = try answer.number8() }
        }
        var values: [[UInt8]] = []
        for _ in 0..<(try count(&answer)) {
            let value = try answer.buffer()
            guard value.count == 32 else { throw .nonsense }
            values.append(value)
        }
        return values
    }

    private static func count(_ answer: inout TPMResponse) throws(TPMError) -> Int {
        let count = try answer.number32()
        guard count <= UInt32(atOnce) else { throw .nonsense }
        return Int(count)
    }
}
