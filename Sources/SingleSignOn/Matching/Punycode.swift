// SPDX-License-Identifier: Apache-2.0

/// The encoding of Unicode in the characters of the DNS: RFC 3492 section 6.3, encoding only.
enum Punycode {
    private static let base: UInt32 = 36
    private static let least: UInt32 = 1
    private static let greatest: UInt32 = 26
    private static let skew: UInt32 = 38
    private static let damping: UInt32 = 700

    /// Returns `nil` if the result exceeds a label of 63 characters with its prefix.
    static func encode(_ input: [UInt32]) -> String? {
        let basic = input.filter { $0 < 0x80 }.map { UInt8(truncatingIfNeeded: $0) }
        var output = basic + (basic.isEmpty ? [] : [UInt8(ascii: "-")])
        var (next, delta, bias): (UInt32, UInt32, UInt32) = (128, 0, 72)
        var handled = UInt32(basic.count)
        while handled < input.count {
            guard output.count <= 59, let lowest = input.filter({ $0 >= next }).min() else {
                return nil
            }
            // A label is short and a code point has 21 bits, so the sum cannot overflow.
            delta += (lowest - next) * (handled + 1)
            next = lowest
            for letter in input {
                if letter < next { delta += 1 }
                guard letter == next else { continue }
                append(delta, bias: bias, to: &output)
                bias = adapted(delta, count: handled + 1, isFirst: handled == UInt32(basic.count))
                delta = 0
                handled += 1
            }
            delta += 1
            next += 1
        }
        return output.count <= 59 ? String(decoding: output, as: UTF8.self) : nil
    }

    /// A number of digits that grow with their place, section 3.3.
    private static func append(_ delta: UInt32, bias: UInt32, to output: inout [UInt8]) {
        var rest = delta
        var place = base
        while true {
            let threshold =
                place <= bias ? least : place >= bias + greatest ? greatest : place - bias
            guard rest >= threshold else { return output.append(digit(rest)) }
            output.append(digit(threshold + (rest - threshold) % (base - threshold)))
            rest = (rest - threshold) / (base - threshold)
            place += base
        }
    }

    /// `a` to `z`, then `0` to `9`.
    private static func digit(_ value: UInt32) -> UInt8 {
        UInt8(truncatingIfNeeded: value < 26 ? value + 0x61 : value - 26 + 0x30)
    }

    /// Section 6.1.
    private static func adapted(_ delta: UInt32, count: UInt32, isFirst: Bool) -> UInt32 {
        var delta = isFirst ? delta / damping : delta / 2
        delta += delta / count
        var steps: UInt32 = 0
        while delta > (base - least) * greatest / 2 {
            delta /= base - least
            steps += base
        }
        return steps + (base - least + 1) * delta / (delta + skew)
    }
}
