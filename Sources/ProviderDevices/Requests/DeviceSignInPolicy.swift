// SPDX-License-Identifier: Apache-2.0
import ProviderCore
import ProviderTokens
import Storage

/// The project's policy for people on devices. It is evaluated at each login and each refresh, so
/// that a change has an effect at the next one.
struct DeviceSignInPolicy {
    let call: DeviceRequestContext

    /// Evaluates the policy. All refusals are temporary errors to macOS, because another password
    /// would not help.
    ///
    /// - Parameter contextClass: the class of the sign-in.
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
                "device_not_compliant", "This device is not compliant. Contact your administrator.",
                reason: "compliance is \(call.device.compliance?.rawValue ?? "unknown")")
            refusal.auditDetails = ["reason": refusal.reason]
            return refusal
        }
        return nil
    }

    private static func refusal(_ reason: String) -> Refusal {
        var refusal = Refusal(
            "sign_in_not_allowed", "This person may not sign in on devices.", reason: reason)
        refusal.auditDetails = ["reason": reason]
        return refusal
    }
}
