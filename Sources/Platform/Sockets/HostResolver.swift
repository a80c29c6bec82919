// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Addresses of a host name, as the system resolves it.
package enum HostResolver {
    /// Calls `getaddrinfo` on its own thread: the addresses in the system's order, each once.
    ///
    /// - Parameter host: A name, or an address as a URL contains it. Other notations of an address
    ///   that the system accepts (`127.1`) are addresses.
    package static func addresses(of host: String) async throws -> [NetworkAddress] {
        let bare =
            host.hasPrefix("[") && host.hasSuffix("]") ? host.dropFirst().dropLast() : host[...]
        if let address = NetworkAddress(text: String(bare)) { return [address] }
        return try await BlockingCall.run { try lookUp(String(bare)) }
    }

    package struct Unknown: Error, CustomStringConvertible {
        let code: Int32
        package var description: String {
            "no address is known (\(String(cString: gai_strerror(code))))"
        }
    }

    private static func lookUp(_ host: String) throws(Unknown) -> [NetworkAddress] {
        var hints = addrinfo()
        hints.ai_flags = AI_ADDRCONFIG
        hints.ai_family = AF_UNSPEC
        // One row for each address; the type differs between the C libraries.
        hints.ai_protocol = numericCast(IPPROTO_TCP)
        var first: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, nil, &hints, &first)
        guard code == 0 else { throw Unknown(code: code) }
        defer { freeaddrinfo(first) }
        var found: [NetworkAddress] = []
        var row = first
        while let entry = row {
            if let address = NetworkAddress(entry.pointee), !found.contains(address) {
                found.append(address)
            }
            row = entry.pointee.ai_next
        }
        return found
    }
}

extension NetworkAddress {
    /// Returns `nil` for another family.
    fileprivate init?(_ info: addrinfo) {
        guard let address = info.ai_addr else { return nil }
        switch info.ai_family {
        case AF_INET:
            let bytes = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                withUnsafeBytes(of: $0.pointee.sin_addr) { Array($0) }
            }
            self.init(bytes)
        case AF_INET6:
            let bytes = address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                withUnsafeBytes(of: $0.pointee.sin6_addr) { Array($0) }
            }
            self.init(bytes)
        default: return nil
        }
    }
}
