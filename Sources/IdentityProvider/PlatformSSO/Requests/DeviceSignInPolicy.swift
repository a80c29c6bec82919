// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

/// Whether somebody who is proven may use a machine, by the rules of the project. Asked at each login
/// and at each refresh, so that what changes counts at the next of them.
struct DeviceSignInPolicy {
    let call: DeviceRequestContext

    /// All are "later" to macOS: no other password would help.
    ///
    /// - Parameter contextClass: what the sign-in stands for.
    func refusal(of person: Person, contextClass: String) -> Refusal? {
        let policy = call.place.policy
        if let refusal = call.client.policy.refusal(of: person, contextClass: contextClass) {
            return Self.refusal(refusal.reason)
        }
        let groups = Set(person.claims.groups ?? [])
        if !policy.signInGroups.isEmpty, groups.isDisjoint(with: policy.signInGroups) {
            return Self.refusal("in none of sign_in_groups")
        }
        if policy.requiresCompliance, call.device.compliance(at: call.now) != .compliant {
            var refusal = Refusal(
                "device_not_compliant", "This machine must first be brought in order.",
                reason: "compliance is \(call.device.compliance?.rawValue ?? "unknown")")
            refusal.auditDetails = ["reason": refusal.reason]
            return refusal
        }
        return nil
    }

    private static func refusal(_ reason: String) -> Refusal {
        var refusal = Refusal(
            "sign_in_not_allowed", "This person may not sign in on machines.", reason: reason)
        refusal.auditDetails = ["reason": reason]
        return refusal
    }
}
