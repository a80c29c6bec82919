// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// TCP ports of 127.0.0.1.
package enum LoopbackPort {
    /// A port that no process listened on at the time of the call.
    package static func free() throws(PlatformError) -> Int { try bound(to: 0) }

    package static func isFree(_ port: UInt16) -> Bool { (try? bound(to: port)) != nil }

    /// Binds a port, or any for 0, and releases it.
    private static func bound(to port: UInt16) throws(PlatformError) -> Int {
        #if canImport(Glibc)
            let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        #elseif canImport(Musl)
            let file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)
        #else
            let file = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        guard file >= 0 else { throw .last("socket") }
        defer { close(file) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(file, $0, length) == 0 && getsockname(file, $0, &length) == 0
            }
        }
        guard isBound else { throw .last("bind") }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
