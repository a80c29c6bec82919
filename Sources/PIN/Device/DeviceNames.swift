// SPDX-License-Identifier: Apache-2.0

// The app SDK has public types of these names. A type of its own hides ours, and inside it the
// module cannot be named either, for the module's name is that of its foremost type.

package typealias DevicePIN = PIN
package typealias DevicePINPolicy = PINPolicy
package typealias DevicePINPolicyViolation = PINPolicyViolation
package typealias DeviceAttemptBudget = AttemptBudget
