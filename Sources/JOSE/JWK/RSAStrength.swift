// SPDX-License-Identifier: Apache-2.0

/// Which RSA keys are accepted: 2048 to 8192 bits, an odd exponent of at least 65537, and not one
/// of those that a faulty smart-card library made (ROCA, CVE-2017-15361).
enum RSAStrength {
    static func check(n: [UInt8], e: [UInt8]) throws(JOSEError) {
        guard let top = n.first, top != 0, let low = n.last, low & 1 == 1 else {
            throw JOSEError(.keyMalformed, "the modulus is not an odd number in its shortest form")
        }
        let bits = n.count * 8 - top.leadingZeroBitCount
        guard 2048...8192 ~= bits else {
            throw JOSEError(.keyTooWeak, "the modulus has \(bits) bits, not 2048 to 8192")
        }
        // BoringSSL accepts exponents of at most 33 bits; keys in use have at most 32.
        guard let first = e.first, first != 0, e.count <= 4 else {
            throw JOSEError(.keyMalformed, "the exponent is not a number in its shortest form")
        }
        let exponent = e.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard exponent >= 65537, exponent & 1 == 1 else {
            throw JOSEError(.keyTooWeak, "the exponent is not odd and at least 65537")
        }
        guard !hasROCAFingerprint(n) else {
            throw JOSEError(.keyTooWeak, "the modulus carries the ROCA fingerprint")
        }
    }

    /// Whether `n` is a power of 65537 modulo every one of the primes below: true for each key of
    /// the faulty library, and for one in 2^27 of all others.
    static func hasROCAFingerprint(_ n: [UInt8]) -> Bool {
        fingerprints.allSatisfy { prime, powers in
            powers.contains(n.reduce(UInt32(0)) { ($0 << 8 | UInt32($1)) % prime })
        }
    }

    /// For each prime the subgroup that 65537 generates.
    private static let fingerprints: [(prime: UInt32, powers: Set<UInt32>)] = {
        let primes: [UInt32] = [
            3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89,
            97, 101, 103, 107, 109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167,
        ]
        return primes.map { prime in
            var powers: Set<UInt32> = []
            var power: UInt32 = 1
            while powers.insert(power).inserted { power = power * (65537 % prime) % prime }
            return (prime, powers)
        }
    }()
}
