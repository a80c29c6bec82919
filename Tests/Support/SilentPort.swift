// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#endif

/// A port of this machine that takes connections and says nothing.
package struct SilentPort: Sendable {
    private let socket: Int32
    package let number: UInt16

    package init() throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let socket = Glibc.socket(
            AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
        let isOpen = withUnsafeMutableBytes(of: &address) { bytes in
            guard let place = bytes.bindMemory(to: sockaddr.self).baseAddress else { return false }
            return bind(socket, place, length) == 0 && listen(socket, 8) == 0
                && getsockname(socket, place, &length) == 0
        }
        guard isOpen else { throw HarnessError("no port to listen at: \(errno)") }
        self.socket = socket
        number = UInt16(bigEndian: address.sin_port)
    }

    package func close() { Glibc.close(socket) }

    /// Whether a connection arrived since the last call.
    package func wasReached() -> Bool {
        let connection = accept(socket, nil, nil)
        guard connection >= 0 else { return false }
        Glibc.close(connection)
        return true
    }
}
