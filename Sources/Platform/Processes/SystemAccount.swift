// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A user account of this machine (passwd(5)).
package struct SystemAccount: Sendable, Equatable {
    package let id: UInt32
    package let name: String

    /// The user whose rights this process has.
    package static var effectiveUser: UInt32 { geteuid() }

    /// The account of a user id; `nil` if there is none.
    package init?(id: UInt32) {
        self.init { getpwuid_r(id, $0, $1, $2, $3) }
    }

    /// The account of that name; `nil` if there is none.
    package init?(named name: String) {
        self.init { getpwnam_r(name, $0, $1, $2, $3) }
    }

    private init?(
        _ find: (
            UnsafeMutablePointer<passwd>, UnsafeMutablePointer<CChar>, Int,
            UnsafeMutablePointer<UnsafeMutablePointer<passwd>?>
        ) -> Int32
    ) {
        var entry = passwd()
        var result: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16_384)
        let found: SystemAccount? = buffer.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress, find(&entry, base, buffer.count, &result) == 0,
                result != nil, let name = entry.pw_name
            else { return nil }
            return SystemAccount(id: entry.pw_uid, name: String(cString: name))
        }
        guard let found else { return nil }
        self = found
    }

    private init(id: UInt32, name: String) { (self.id, self.name) = (id, name) }
}

/// Facts about this machine.
package enum Machine {
    /// The host name; `nil` if the system does not say.
    package static var hostName: String? {
        var name = [CChar](repeating: 0, count: 256)
        return gethostname(&name, name.count - 1) == 0 ? text(name) : nil
    }

    /// Processors that are switched on.
    package static var processorCount: Int { Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
    /// In bytes.
    package static var pageSize: Int { Int(sysconf(Int32(_SC_PAGESIZE))) }
}
