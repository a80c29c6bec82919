// SPDX-License-Identifier: Apache-2.0
import Platform

/// The user of a session start: the named account, that of PAM, or the one that runs the command.
struct SessionUser: Equatable {
    /// `nil` for the user that runs the command.
    let account: String?

    /// Whether the id belongs to a person. Root and system accounts are below `UID_MIN` of
    /// login.defs; systemd reserves ids for containers and services, and that of the overflow user
    /// (its UIDS-GIDS). Ids of portable home directories, 60001 to 60513, belong to people.
    static func isPerson(_ identifier: UInt32) -> Bool {
        identifier >= 1000 && !(60_514...65_535).contains(identifier)
    }

    /// - Parameters:
    ///   - user: The user that runs the command.
    ///   - identifier: Returns the id of an account, or `nil` if it is unknown.
    /// - Returns: `nil` at the end of a session and for accounts that do not belong to people.
    init?(
        named: String?, environment: [String: String], user: UInt32 = SystemAccount.effectiveUser,
        identifier: (String) -> UInt32? = { SystemAccount(named: $0)?.id }
    ) {
        if let named {
            account = named
        } else if let name = environment["PAM_USER"], !name.isEmpty {
            guard environment["PAM_TYPE"].map({ $0 == "open_session" }) ?? true,
                identifier(name).map(Self.isPerson) ?? true
            else { return nil }
            account = name
        } else {
            guard Self.isPerson(user) else { return nil }
            account = nil
        }
    }
}
