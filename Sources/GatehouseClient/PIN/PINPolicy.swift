// SPDX-License-Identifier: Apache-2.0
import PIN

/// What a project asks of a new PIN.
public struct PINPolicy: Sendable, Hashable {
    /// Exact number of digits, 5 to 32.
    public let length: Int
    /// How many times in a row one digit may stand: 2 lets `11` pass and refuses `111`.
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

    /// Accepts the PIN or says why not, without asking anybody.
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
            IdentityError(.pinValidation, .pinNotDigits, "a PIN is decimal digits")
        case .wrongLength(let required):
            IdentityError(.pinValidation, .pinWrongLength, "a PIN has \(required) digits")
        case .blocked:
            IdentityError(.pinValidation, .pinBlocked, "too many people choose that PIN")
        case .sequence:
            IdentityError(.pinValidation, .pinSequence, "the digits follow one another")
        case .tooManyRepeats(let maximum):
            IdentityError(
                .pinValidation, .pinTooManyRepeats,
                "one digit stands more than \(maximum) times in a row")
        }
    }
}

/// How many wrong PINs are left, as the provider counts them.
public struct RemainingAttempts: Sendable, Hashable {
    /// How many wrong ones in a row the project forgives; the last one locks.
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
