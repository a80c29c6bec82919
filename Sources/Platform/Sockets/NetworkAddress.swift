// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// An IP address: 4 or 16 bytes in network order.
package struct NetworkAddress: Sendable, Hashable {
    package let bytes: [UInt8]

    /// `nil` for another number of bytes.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// As `inet_pton` reads it: no short and no octal forms, no zone.
    package init?(text: String) {
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &bytes) == 1 {
            self.bytes = Array(bytes.prefix(4))
        } else if inet_pton(AF_INET6, text, &bytes) == 1 {
            self.bytes = bytes
        } else {
            return nil
        }
    }

    /// The IPv4 address of a mapped address (`::ffff:192.0.2.1`, RFC 4291 section 2.5.5.2),
    /// otherwise the address itself.
    package var unmapped: NetworkAddress {
        let prefix: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
        guard bytes.starts(with: prefix), bytes.count == 16 else { return self }
        return NetworkAddress(Array(bytes.suffix(4))) ?? self
    }

    /// The IPv4 address that an IPv6 address represents: mapped and compatible addresses (RFC 4291
    /// section 2.5.5), NAT64 (RFC 6052) and 6to4 (RFC 3056).
    package var reached: NetworkAddress {
        guard bytes.count == 16 else { return self }
        let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10...11] == [0xFF, 0xFF]
        // `::` and `::1` are addresses of IPv6's own.
        let isCompatible = bytes.prefix(12).allSatisfy { $0 == 0 } && bytes[12...14] != [0, 0, 0]
        let isTranslated = bytes.prefix(12) == [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]
        if isMapped || isCompatible || isTranslated {
            return NetworkAddress(Array(bytes.suffix(4))) ?? self
        }
        return bytes.prefix(2) == [0x20, 0x02] ? NetworkAddress(Array(bytes[2...5])) ?? self : self
    }
}

extension NetworkAddress: CustomStringConvertible {
    /// As `inet_ntop` writes it.
    package var description: String {
        // INET6_ADDRSTRLEN
        var text = [CChar](repeating: 0, count: 46)
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "?" }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

/// A range of addresses with a common prefix: `10.0.0.0/8`, `fd00::/8`, or one address.
package struct NetworkRange: Sendable, Hashable {
    package let base: NetworkAddress
    /// The length of the prefix in bits.
    package let length: Int

    /// `nil` for anything else, and for a range whose base has bits behind its length.
    package init?(_ text: String) {
        guard let (base, length) = Self.parts(of: text) else { return nil }
        self.init(base: base, length: length)
        let isClean = base.bytes.indices.allSatisfy { base.bytes[$0] & ~mask(of: $0) == 0 }
        guard isClean else { return nil }
    }

    /// The network that an address is in: `10.0.0.0/8` of `10.0.0.5/8`.
    package init?(covering text: String) {
        guard let (given, length) = Self.parts(of: text) else { return nil }
        let range = NetworkRange(base: given, length: length)
        let bytes = given.bytes.indices.map { given.bytes[$0] & range.mask(of: $0) }
        guard let base = NetworkAddress(bytes) else { return nil }
        self.init(base: base, length: length)
    }

    private init(base: NetworkAddress, length: Int) {
        self.base = base
        self.length = length
    }

    private static func parts(of text: String) -> (base: NetworkAddress, length: Int)? {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let base = NetworkAddress(text: String(parts[0])) else { return nil }
        let whole = base.bytes.count * 8
        guard parts.count == 2 else { return (base, whole) }
        guard (1...3).contains(parts[1].utf8.count),
            parts[1].utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let length = Int(parts[1]), length <= whole
        else { return nil }
        return (base, length)
    }

    package func contains(_ address: NetworkAddress) -> Bool {
        address.bytes.count == base.bytes.count
            && address.bytes.indices.allSatisfy {
                address.bytes[$0] & mask(of: $0) == base.bytes[$0]
            }
    }

    /// The bits of that byte which count.
    private func mask(of index: Int) -> UInt8 {
        let bits = min(max(length - index * 8, 0), 8)
        return bits == 0 ? 0 : 0xFF << UInt8(8 - bits)
    }
}

extension NetworkRange: CustomStringConvertible {
    /// `10.0.0.0/8`
    package var description: String { "\(base)/\(length)" }
}
