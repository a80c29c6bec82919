// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Whose arrival it is: who was named, who PAM says has come, or who runs the command.
struct Visitor: Equatable {
    /// `nil` for whoever runs the command.
    let account: String?

    /// Below these there are services and root (`UID_MIN` of login.defs), who are never asked.
    private static let leastPerson: UInt32 = 1000

    /// - Parameters:
    ///   - user: who runs the command.
    ///   - identifier: of an account; `nil` where it is not known.
    /// - Returns: `nil` where nobody has come: at the end of a session, and for accounts that are not
    ///   people's.
    init?(
        named: String?, environment: [String: String], user: UInt32 = geteuid(),
        identifier: (String) -> UInt32? = Visitor.identifier
    ) {
        if let named {
            account = named
        } else if let name = environment["PAM_USER"], !name.isEmpty {
            guard environment["PAM_TYPE"].map({ $0 == "open_session" }) ?? true,
                identifier(name) ?? .max >= Self.leastPerson
            else { return nil }
            account = name
        } else {
            guard user >= Self.leastPerson else { return nil }
            account = nil
        }
    }

    static func identifier(of account: String) -> UInt32? {
        var entry = passwd()
        var result: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16_384)
        guard getpwnam_r(account, &entry, &buffer, buffer.count, &result) == 0, result != nil else {
            return nil
        }
        return entry.pw_uid
    }
}
