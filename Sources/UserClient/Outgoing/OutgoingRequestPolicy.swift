// SPDX-License-Identifier: Apache-2.0
package import Platform

/// The policy for requests to servers that a third party names. The provider applies it to upstream
/// providers, custom services, push services and vendors. The agent, which runs as root, applies it
/// to the picture URL in an ID token.
///
/// Public addresses are always allowed. Addresses inside the operator's network (loopback, private
/// and link-local networks, metadata services of clouds) are allowed only if the operator lists
/// them. Administrators of projects are not operators, and the provider has network access that
/// they lack. A provider on a loopback address belongs to a developer and may send requests to its
/// own machine.
package struct OutgoingRequestPolicy: Sendable, Equatable {
    /// An entry of `outgoing-allow` and `--picture-allow`.
    package enum Permission: Sendable, Hashable {
        case range(NetworkRange)
        /// A name with any address, in lower case.
        case host(String)

        /// Returns `nil` if the text is neither an address, nor a range, nor a name.
        package init?(_ text: String) {
            if let range = NetworkRange(text) {
                self = .range(range)
                return
            }
            let name = text.lowercased()
            let labels = name.split(separator: ".", omittingEmptySubsequences: false)
            let isName = labels.allSatisfy { label in
                (1...63).contains(label.utf8.count)
                    && label.utf8.allSatisfy { letter in
                        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter)
                            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(letter)
                            || letter == UInt8(ascii: "-")
                    }
            }
            // A text that ends in digits is a mistyped address.
            guard isName, name.utf8.count <= 253, labels.last?.allSatisfy(\.isNumber) == false
            else { return nil }
            self = .host(name)
        }
    }

    private let permissions: Set<Permission>
    private let asksOwnMachine: Bool

    /// - Parameter asksOwnMachine: Whether loopback addresses are allowed without an entry.
    package init(_ permissions: [Permission] = [], asksOwnMachine: Bool) {
        self.permissions = Set(permissions)
        self.asksOwnMachine = asksOwnMachine
    }

    /// - Parameter host: The name that resolved to the address.
    package func allow(_ address: NetworkAddress, of host: String) -> Bool {
        let reached = address.reached
        if Self.isPublic(reached) || permissions.contains(.host(host.lowercased())) { return true }
        if asksOwnMachine, Self.ownMachine.contains(where: { $0.contains(reached) }) { return true }
        return permissions.contains { permission in
            guard case .range(let range) = permission else { return false }
            return range.contains(reached) || range.contains(address)
        }
    }

    // MARK: What addresses are for (IANA's registries of special-purpose addresses, RFC 6890)

    private static let ownMachine = ranges("127.0.0.0/8 ::1")
    private static let specialOfIPv4 = ranges(
        """
        0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 \
        192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 \
        224.0.0.0/3
        """)
    /// The only allocated global range of IPv6 (RFC 4291 section 2.4).
    private static let globalOfIPv6 = ranges("2000::/3")
    private static let specialOfIPv6 = ranges("2001::/23 2001:db8::/32 3fff::/20")

    private static func ranges(_ text: String) -> [NetworkRange] {
        text.split(separator: " ").compactMap { NetworkRange(String($0)) }
    }

    private static func isPublic(_ address: NetworkAddress) -> Bool {
        let special = address.bytes.count == 4 ? specialOfIPv4 : specialOfIPv6
        let isGlobal =
            address.bytes.count == 4 || globalOfIPv6.contains { $0.contains(address) }
        return isGlobal && !special.contains { $0.contains(address) }
    }
}
