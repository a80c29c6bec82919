// SPDX-License-Identifier: Apache-2.0
import Attestation
import Primitives
import Storage

/// Parses the accepted values of TPM registers in a project's settings.
enum BootRegisters {
    /// Parses `7:3d45…`. Returns `nil` for other text.
    static func read(_ text: String) -> (index: Int, value: [UInt8])? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, 1...2 ~= parts[0].utf8.count, let index = Int(parts[0]),
            0...23 ~= index, String(index) == parts[0],
            let value = Hexadecimal.decode(String(parts[1])), value.count == 32
        else { return nil }
        return (index, value)
    }

    /// Returns `nil` if the policy does not restrict the boot registers.
    static func requirement(of policy: DeviceAttestationPolicy) -> TPMBootRequirement? {
        guard !policy.tpmRegisters.isEmpty else { return nil }
        var accepted: [Int: Set<[UInt8]>] = [:]
        for (index, value) in policy.tpmRegisters.compactMap(read) {
            accepted[index, default: []].insert(value)
        }
        return TPMBootRequirement(accepted: accepted)
    }
}
