// SPDX-License-Identifier: Apache-2.0
import Platform

/// Whose arrival it is: who was named, who PAM says has come, or who runs the command.
struct SessionUser: Equatable {
    /// `nil` for whoever runs the command.
    let account: String?

    /// Services and root, who are never asked: below `UID_MIN` of login.defs, and what systemd keeps for
    /// containers and services, with `nobody` (its UIDS-GIDS). Those of homes that people carry along,
    /// 60001 to 60513, are people's.
    static func isPerson(_ identifier: UInt32) -> Bool {
        identifier >= 1000 && !(60_514...65_535).contains(identifier)
    }

    /// - Parameters:
    ///   - user: who runs the command.
    ///   - identifier: of an account; `nil` where it is not known.
    /// - Returns: `nil` where nobody has come: at the end of a session, and for accounts that are not
    ///   people's.
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
