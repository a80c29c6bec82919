// SPDX-License-Identifier: Apache-2.0
import PIN

/// A project's policy for a new PIN.
public struct PINPolicy: Sendable, Hashable {
    /// Exact number of digits, 5 to 32.
    public let length: Int
    /// The maximum number of equal digits in a row: 2 allows `11` and refuses `111`.
    public let maximumRepeats: Int
    /// Whether all digits may follow one another by one step, as in 12345 or 97531.
    public let allowsSequences: Bool
    /// PINs that may not be chosen.
    public let blocked: Set<String>

    init(_ policy: DevicePINPolicy) {
        length = policy.length
        maximumRepeats = policy.maximumRepeats
        allowsSequences = policy.allowsSequences
        blocked = policy.blocked
    }

    /// Validates a PIN without a request.
    public func validate(_ pin: borrowing PIN) throws(IdentityError) {
        try validate(pin.typed)
    }

    func validate(_ typed: TypedPIN) throws(IdentityError) {
        guard
            let policy = try? DevicePINPolicy(
                length: length, maximumRepeats: maximumRepeats, allowsSequences: allowsSequences,
                blocked: blocked)
        else { return }
        do { try policy.validate(typed.pin) } catch { throw Self.error(error) }
    }

    static func error(_ violation: DevicePINPolicyViolation) -> IdentityError {
        switch violation {
        case .notDigits:
            IdentityError(.pinValidation, .pinNotDigits, "a PIN consists of decimal digits")
        case .wrongLength(let required):
            IdentityError(.pinValidation, .pinWrongLength, "a PIN has \(required) digits")
        case .blocked:
            IdentityError(.pinValidation, .pinBlocked, "too many people choose that PIN")
        case .sequence:
            IdentityError(.pinValidation, .pinSequence, "the digits follow one another")
        case .tooManyRepeats(let maximum):
            IdentityError(
                .pinValidation, .pinTooManyRepeats,
                "one digit repeats more than \(maximum) times in a row")
        }
    }
}

/// The remaining attempts at the provider.
public struct RemainingAttempts: Sendable, Hashable {
    /// The maximum of wrong PINs in a row. The last one locks the profile.
    public let limit: Int
    /// Wrong ones since the last right one.
    public let used: Int
    /// ``limit`` less ``used``.
    public var remaining: Int { limit - used }

    init(_ budget: PINAttempts) {
        limit = budget.limit
        used = budget.used
    }
}
