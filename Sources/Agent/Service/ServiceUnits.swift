// SPDX-License-Identifier: Apache-2.0
import AgentClient

/// The units by which systemd runs the agent: the socket exists from the start of the device, and
/// the agent starts with the first connection, or at once if a registration is due.
package struct ServiceUnits: Sendable, Equatable {
    package static let socketName = "gatehouse-agent.socket"
    package static let serviceName = "gatehouse-agent.service"

    /// The program, an absolute path.
    package var program: String
    /// Further arguments of `gatehouse-agent run`.
    package var arguments: [String]

    /// Where PKCS#11 modules keep tokens in files, besides where the usual ones do.
    package var tokenFolders: [String]
    /// Whether the machine has a TPM now, which `--keys auto` then waits for.
    package var hasTPM: Bool

    package static let standardTPM = "/dev/tpmrm0"
    /// SoftHSM's, openCryptoki's.
    private static let usualTokenFolders = ["/var/lib/softhsm", "/var/lib/opencryptoki"]

    /// Rights of root that neither the agent nor its extensions use. `PrivateDevices` and `ProtectClock` are
    /// not in the unit: they would hide TPMs and security keys.
    private static let unusedCapabilities = """
        CAP_AUDIT_CONTROL CAP_BLOCK_SUSPEND CAP_BPF CAP_LEASE CAP_LINUX_IMMUTABLE CAP_MAC_ADMIN \
        CAP_MAC_OVERRIDE CAP_MKNOD CAP_NET_ADMIN CAP_NET_RAW CAP_PERFMON CAP_SYSLOG CAP_SYS_ADMIN \
        CAP_SYS_BOOT CAP_SYS_CHROOT CAP_SYS_MODULE CAP_SYS_PACCT CAP_SYS_RAWIO CAP_SYS_TIME \
        CAP_SYS_TTY_CONFIG CAP_WAKE_ALARM
        """

    package init(
        program: String, arguments: [String] = [], tokenFolders: [String] = [],
        hasTPM: Bool = false
    ) {
        self.program = program
        self.arguments = arguments
        self.tokenFolders = tokenFolders
        self.hasTPM = hasTPM
    }

    package var socket: String {
        """
        [Unit]
        Description=Gatehouse agent, socket

        [Socket]
        ListenStream=\(AgentSocketClient.standardPath)
        SocketMode=0666
        DirectoryMode=0755

        [Install]
        WantedBy=sockets.target

        """
    }

    package var service: String {
        let words = ([program, "run"] + arguments).map(Self.quoted)
        let (after, writable) = (afterTPM, writablePaths)
        return """
            [Unit]
            Description=Gatehouse agent: Platform SSO of this device
            Requires=\(Self.socketName)
            After=network-online.target
            Wants=network-online.target\(after)

            [Service]
            ExecStart=\(words.joined(separator: " "))
            ExecReload=/bin/kill -HUP $MAINPID
            Restart=on-failure
            RestartSec=5
            StateDirectory=gatehouse-agent
            StateDirectoryMode=0700
            ProtectSystem=strict\(writable)
            ProtectHome=yes
            PrivateTmp=yes
            NoNewPrivileges=yes
            MemoryDenyWriteExecute=yes
            LimitCORE=0
            CapabilityBoundingSet=~\(Self.unusedCapabilities)
            ProtectControlGroups=yes
            ProtectHostname=yes
            ProtectKernelLogs=yes
            ProtectKernelModules=yes
            ProtectKernelTunables=yes
            RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
            RestrictNamespaces=yes
            RestrictRealtime=yes
            RestrictSUIDSGID=yes
            LockPersonality=yes
            SystemCallArchitectures=native

            [Install]
            WantedBy=multi-user.target
            Also=\(Self.socketName)

            """
    }

    /// The value of an option of `gatehouse-agent run`, in either spelling.
    private func value(of option: String) -> String? {
        for (index, word) in arguments.enumerated() {
            if word == option { return arguments.dropFirst(index + 1).first }
            if word.hasPrefix(option + "=") { return String(word.dropFirst(option.count + 1)) }
        }
        return nil
    }

    /// The agent starts after the TPM has come up, where its keys are to be there: it would find none
    /// otherwise, and with `auto` begin with keys in a file.
    private var afterTPM: String {
        let device = value(of: "--tpm") ?? Self.standardTPM
        let keys = value(of: "--keys") ?? "auto"
        guard keys == "tpm" || keys == "auto" && hasTPM,
            let unit = Self.deviceUnit(of: device)
        else { return "" }
        return "\nAfter=\(unit)\nWants=\(unit)"
    }

    /// `dev-tpmrm0.device` (systemd.device(5)); `nil` for what is no device with a plain name.
    private static func deviceUnit(of path: String) -> String? {
        guard path.hasPrefix("/dev/") else { return nil }
        let name = path.dropFirst("/dev/".count)
        let isPlain = name.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x7A ~= $0 }
        return isPlain && !name.isEmpty ? "dev-\(name).device" : nil
    }

    /// Tokens in files are written when keys are made on them. A folder that is not there is passed
    /// over (systemd.exec(5), `ReadWritePaths=`).
    private var writablePaths: String {
        guard value(of: "--keys") == "pkcs11" else { return "" }
        let folders = Self.usualTokenFolders + tokenFolders
        let words = folders.map { Self.quoted("-\($0)") }
        return "\nReadWritePaths=\(words.joined(separator: " "))"
    }

    /// A word of a command line (systemd.service(5), "Command lines").
    static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                || "-_./:=,@+".utf8.contains($0)
        }
        guard !isPlain || word.isEmpty else { return word }
        let escaped = word.flatMap { letter -> String in
            switch letter {
            case "\\", "\"": "\\\(letter)"
            case "$": "$$"
            case "%": "%%"
            default: String(letter)
            }
        }
        return "\"\(String(escaped))\""
    }
}
