// SPDX-License-Identifier: Apache-2.0
import Attestation
package import JOSE
package import Primitives

/// `gatehouse inspect attestation`: verifies evidence of a device or an app by its `format`. The
/// members of each are in docs/attestation.md; without `now`, the machine's clock.
package enum InspectAttestation {
    package static func verdict(
        for input: JSONValue, clock: any WallClock = SystemWallClock()
    ) async -> JSONValue {
        let verdict: Verdict =
            switch await AttestationInspection.verdict(for: input, clock: clock) {
            case .accepted(let value): .accepted(value)
            case .refused(let refusal):
                .refused(code: refusal.code.rawValue, reason: refusal.reason)
            case .badInput(let reason): .badInput(reason)
            }
        return verdict.json
    }
}
