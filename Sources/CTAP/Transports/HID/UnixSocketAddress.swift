// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The path of a Unix socket, in the form that the system takes it.
struct UnixSocketAddress {
    let path: String
    private var address = sockaddr_un()

    /// `nil` when the path is longer than the system allows, about 100 bytes.
    init?(_ path: String) {
        self.path = path
        let name = Array(path.utf8) + [0]
        guard name.count <= MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
    }

    /// Whether a call with this address succeeds; `errno` says why not.
    private func succeeds(_ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Bool {
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        return withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, size) == 0 }
        }
    }

    func connect(_ descriptor: Int32) -> Bool {
        succeeds { address, size in
            #if canImport(Glibc)
                Glibc.connect(descriptor, address, size)
            #elseif canImport(Musl)
                Musl.connect(descriptor, address, size)
            #else
                Darwin.connect(descriptor, address, size)
            #endif
        }
    }

    func bind(_ descriptor: Int32) -> Bool {
        succeeds { address, size in
            #if canImport(Glibc)
                Glibc.bind(descriptor, address, size)
            #elseif canImport(Musl)
                Musl.bind(descriptor, address, size)
            #else
                Darwin.bind(descriptor, address, size)
            #endif
        }
    }
}
