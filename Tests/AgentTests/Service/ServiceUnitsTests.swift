// SPDX-License-Identifier: Apache-2.0
import Agent
import Testing

@Suite struct ServiceUnitsTests {
    private func lines(
        _ arguments: [String], tokenFolders: [String] = [], hasTPM: Bool = false
    ) -> [Substring] {
        ServiceUnits(
            program: "/usr/local/bin/gatehouse", arguments: arguments, tokenFolders: tokenFolders,
            hasTPM: hasTPM
        ).service.split(separator: "\n")
    }

    @Test(
        "Where keys are to live in a TPM the agent waits for it",
        arguments: [
            (["--keys", "tpm"], false, "dev-tpmrm0.device"),
            (["--keys=tpm"], false, "dev-tpmrm0.device"),
            ([], true, "dev-tpmrm0.device"), (["--keys", "auto"], true, "dev-tpmrm0.device"),
            (["--keys", "tpm", "--tpm", "/dev/tpmrm1"], false, "dev-tpmrm1.device"),
        ])
    func waits(arguments: [String], hasTPM: Bool, unit: String) {
        let lines = lines(arguments, hasTPM: hasTPM)
        #expect(lines.contains("After=\(unit)") && lines.contains("Wants=\(unit)"))
    }

    @Test(
        "It waits for no TPM that is not there, not asked for, or no device",
        arguments: [
            ([], false), (["--keys", "file"], true), (["--keys", "pkcs11"], true),
            (["--keys", "tpm", "--tpm", "/run/swtpm.sock"], true),
            (["--keys", "tpm", "--tpm", "/dev/a b"], true),
        ])
    func waitsForNothing(arguments: [String], hasTPM: Bool) {
        let text = lines(arguments, hasTPM: hasTPM).joined(separator: "\n")
        #expect(!text.contains(".device"))
    }

    @Test("Keys on a token: the folders of tokens can be written, and nothing else")
    func tokens() {
        let lines = lines(["--keys", "pkcs11"], tokenFolders: ["/srv/a token"])
        #expect(
            lines.contains(
                #"ReadWritePaths=-/var/lib/softhsm -/var/lib/opencryptoki "-/srv/a token""#))
        #expect(lines.contains("ProtectSystem=strict"))
        for other in [["--keys", "tpm"], ["--keys", "file"], []] {
            #expect(!self.lines(other).contains { $0.hasPrefix("ReadWritePaths") })
        }
    }

    @Test(
        "The service has no rights of root that it does not use, and can use TPMs and security keys"
    )
    func restricted() throws {
        let lines = lines([])
        let capabilities = try #require(lines.first { $0.hasPrefix("CapabilityBoundingSet=~") })
        for right in ["CAP_SYS_ADMIN", "CAP_SYS_MODULE", "CAP_NET_ADMIN", "CAP_SYS_BOOT"] {
            #expect(capabilities.contains(right))
        }
        // Extensions run without rights and under another limit of processes.
        for right in ["CAP_SETPCAP", "CAP_SETUID", "CAP_SYS_RESOURCE", "CAP_DAC_OVERRIDE"] {
            #expect(!capabilities.contains(right))
        }
        #expect(
            lines.contains("RestrictNamespaces=yes") && lines.contains("ProtectKernelModules=yes"))
        #expect(!lines.contains { $0.hasPrefix("PrivateDevices") || $0.hasPrefix("ProtectClock") })
    }
}
