// SPDX-License-Identifier: Apache-2.0
import Attestation
import Primitives
import Storage

/// The values that registers of a TPM may have, as a project's settings spell them.
enum BootRegisters {
    /// `7:3d45…`; `nil` for anything else.
    static func read(_ text: String) -> (index: Int, value: [UInt8])? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, 1...2 ~= parts[0].utf8.count, let index = Int(parts[0]),
            0...23 ~= index, String(index) == parts[0],
            let value = Hexadecimal.decode(String(parts[1])), value.count == 32
        else { return nil }
        return (index, value)
    }

    /// `nil` when machines may have been booted in any way.
    static func requirement(of policy: DeviceAttestationPolicy) -> TPMBootRequirement? {
        guard !policy.tpmRegisters.isEmpty else { return nil }
        var accepted: [Int: Set<[UInt8]>] = [:]
        for (index, value) in policy.tpmRegisters.compactMap(read) {
            accepted[index, default: []].insert(value)
        }
        return TPMBootRequirement(accepted: accepted)
    }
}
