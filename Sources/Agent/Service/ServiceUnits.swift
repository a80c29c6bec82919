// SPDX-License-Identifier: Apache-2.0

/// The units by which systemd runs the agent: the socket is there from the start of the machine, the
/// agent from the first time that somebody asks, or at once where something is to be registered.
package struct ServiceUnits: Sendable, Equatable {
    package static let socketName = "gatehouse-agent.socket"
    package static let serviceName = "gatehouse-agent.service"

    /// The program, an absolute path.
    package var program: String
    /// Further arguments of `agent run`.
    package var arguments: [String]

    package init(program: String, arguments: [String] = []) {
        self.program = program
        self.arguments = arguments
    }

    package var socket: String {
        """
        [Unit]
        Description=Gatehouse agent, socket

        [Socket]
        ListenStream=\(AgentLine.standardPath)
        SocketMode=0666
        DirectoryMode=0755

        [Install]
        WantedBy=sockets.target

        """
    }

    package var service: String {
        let words = ([program, "agent", "run"] + arguments).map(Self.quoted)
        return """
            [Unit]
            Description=Gatehouse agent: Platform SSO of this machine
            Requires=\(Self.socketName)
            After=network-online.target
            Wants=network-online.target

            [Service]
            ExecStart=\(words.joined(separator: " "))
            ExecReload=/bin/kill -HUP $MAINPID
            Restart=on-failure
            RestartSec=5
            StateDirectory=gatehouse-agent
            StateDirectoryMode=0700
            ProtectSystem=strict
            ProtectHome=yes
            PrivateTmp=yes
            NoNewPrivileges=yes
            MemoryDenyWriteExecute=yes
            LimitCORE=0

            [Install]
            WantedBy=multi-user.target
            Also=\(Self.socketName)

            """
    }

    /// A word of a command line (systemd.service(5), "Command lines").
    private static func quoted(_ word: String) -> String {
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
