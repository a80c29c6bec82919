// SPDX-License-Identifier: Apache-2.0

extension CBORValue {
    /// A float as RFC 8949 appendix A writes it: as ECMAScript does, but always with a point.
    static func decimal(_ number: Double) -> String {
        if number.isNaN { return "NaN" }
        if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
        let sign = number.sign == .minus ? "-" : ""
        guard number != 0 else { return sign + "0.0" }
        let (digits, point) = shortestDigits(number.magnitude)
        return sign + placed(digits, point: point)
    }

    /// Returns the shortest digits of `number`, and the position of its point: 0.digits × 10^point.
    private static func shortestDigits(_ number: Double) -> (digits: String, point: Int) {
        let parts = "\(number)".split(separator: "e")
        let mantissa = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        let whole = mantissa[0]
        let fraction = mantissa.count > 1 ? mantissa[1] : ""
        var digits = String(whole + fraction)
        var point = whole.count + exponent
        while digits.first == "0" {
            digits.removeFirst()
            point -= 1
        }
        while digits.last == "0" { digits.removeLast() }
        return (digits, point)
    }

    /// ECMAScript's rule for the point: positional from 1e-6 up to 1e21, else an exponent.
    private static func placed(_ digits: String, point: Int) -> String {
        let zeros = { String(repeating: "0", count: $0) }
        switch point {
        case -5...0: return "0." + zeros(-point) + digits
        case 1...21:
            if digits.count <= point { return digits + zeros(point - digits.count) + ".0" }
            return "\(digits.prefix(point)).\(digits.dropFirst(point))"
        default:
            let fraction = digits.count > 1 ? String(digits.dropFirst()) : "0"
            return "\(digits.prefix(1)).\(fraction)e\(point > 0 ? "+" : "")\(point - 1)"
        }
    }

    /// Returns a bignum (RFC 8949 section 3.4.3) as a number, or `nil` if the tag is not a bignum
    /// or has more than 128 bytes, for which the conversion is too expensive.
    static func bignum(_ tag: UInt64, _ content: CBORValue) -> String? {
        guard tag == 2 || tag == 3, case .bytes(let bytes) = content, bytes.count <= 128 else {
            return nil
        }
        // Little-endian groups of nine decimal digits. A negative bignum is -1 - n.
        var groups: [UInt64] = [0]
        for byte in bytes { multiply(&groups, by: 256, adding: UInt64(byte)) }
        if tag == 3 { multiply(&groups, by: 1, adding: 1) }
        let head = "\(groups[groups.count - 1])"
        let tail = groups.dropLast().reversed().map { String("\(1_000_000_000 + $0)".dropFirst()) }
        return (tag == 3 ? "-" : "") + head + tail.joined()
    }

    private static func multiply(_ groups: inout [UInt64], by factor: UInt64, adding: UInt64) {
        var carry = adding
        for index in groups.indices {
            let value = groups[index] * factor + carry
            groups[index] = value % 1_000_000_000
            carry = value / 1_000_000_000
        }
        if carry > 0 { groups.append(carry) }
    }
}
