// SPDX-License-Identifier: Apache-2.0

/// What has a desktop tell the agent who has come, and people what the agent wants of them: at the
/// beginning of their session (XDG autostart), and every hour of it (a timer of their own systemd), for
/// a sign-in ends while they sit there.
package struct SessionStartUnits: Sendable, Equatable {
    /// Folders below the root of the system.
    package static let autostartFolder = "/etc/xdg/autostart"
    package static let userFolder = "/etc/systemd/user"

    package static let autostartName = "gatehouse-arrived.desktop"
    package static let serviceName = "gatehouse-arrived.service"
    package static let timerName = "gatehouse-arrived.timer"

    /// The program, an absolute path.
    package var program: String

    package init(program: String) { self.program = program }

    /// The entry that starts with each session of a desktop.
    package var autostart: String {
        """
        [Desktop Entry]
        Type=Application
        Name=Gatehouse
        Comment=Prompts you to register or to sign in, if required
        Comment[de]=Bittet um Registrierung oder Anmeldung, wenn sie nötig ist
        Exec=\(Self.desktopWord(program)) arrived --desktop
        NoDisplay=true
        Terminal=false

        """
    }

    /// `@system` are accounts without a person.
    package var service: String {
        """
        [Unit]
        Description=Gatehouse: prompts to register or to sign in, if required
        ConditionUser=!@system

        [Service]
        Type=oneshot
        ExecStart=\(ServiceUnits.quoted(program)) arrived --desktop

        """
    }

    package var timer: String {
        """
        [Unit]
        Description=Gatehouse: every hour of a session
        ConditionUser=!@system

        [Timer]
        OnActiveSec=1h
        OnUnitActiveSec=1h
        AccuracySec=10min

        [Install]
        WantedBy=timers.target

        """
    }

    /// The line that an administrator adds to PAM for terminal sessions.
    package var pamLine: String {
        "session optional pam_exec.so type=open_session quiet stdout \(program) arrived"
    }

    /// An argument of `Exec` (Desktop Entry Specification, "The Exec key"), escaped twice: as an
    /// argument, and as a value.
    private static func desktopWord(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy {
            0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 || "-_./".utf8.contains($0)
        }
        guard !isPlain || word.isEmpty else { return word }
        let escaped = word.map { letter -> String in
            switch letter {
            case "\"", "`", "$": "\\\\\(letter)"
            case "\\": #"\\\\"#
            case "%": "%%"
            default: String(letter)
            }
        }
        return "\"\(escaped.joined())\""
    }
}
