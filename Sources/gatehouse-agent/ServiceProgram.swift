// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import SSOExtensions

/// The program that systemd is told to run as root.
enum ServiceProgram {
    /// What `ProtectHome=` hides from a service (systemd.exec(5)).
    private static let hidden = ["/home/", "/root/", "/run/user/"]

    /// Refuses a program that others than root could change, for they would become root with it, and
    /// one in a home, which the unit does not see.
    ///
    /// - Parameters:
    ///   - path: absolute, with all links resolved.
    ///   - owner: who has to own it; root.
    /// - Throws: ``CommandError``.
    static func check(_ path: String, owner: UInt32 = 0) throws {
        let remedy = "install the program first, for example to /usr/local/bin"
        guard !hidden.contains(where: path.hasPrefix) else {
            throw CommandError(
                "\(path) lies in a home, where the service cannot see it; \(remedy)")
        }
        do throws(ExtensionTrustRefusal) {
            try FileTrustCheck.check(program: path, owner: owner)
        } catch {
            throw CommandError("root must not run this program: \(error.reason) \(remedy)")
        }
    }
}
