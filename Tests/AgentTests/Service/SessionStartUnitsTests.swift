// SPDX-License-Identifier: Apache-2.0
import Agent
import Testing

@Suite struct SessionStartUnitsTests {
    private let units = SessionStartUnits(program: "/usr/local/bin/gatehouse-agent")

    @Test("A desktop begins with the command, and the timer has its own service")
    func commands() {
        let command = "/usr/local/bin/gatehouse-agent arrived --desktop"
        #expect(units.autostart.contains("\nExec=\(command)\n"))
        #expect(units.autostart.hasPrefix("[Desktop Entry]\nType=Application\n"))
        #expect(units.service.contains("\nExecStart=\(command)\n"))
        #expect(
            SessionStartUnits.serviceName.dropLast(7) == SessionStartUnits.timerName.dropLast(5))
        #expect(units.timer.contains("WantedBy=timers.target"))
        #expect(
            units.pamLine
                == "session optional pam_exec.so type=open_session quiet stdout "
                + "/usr/local/bin/gatehouse-agent arrived")
    }

    @Test("Accounts of the system have no such service")
    func system() {
        for text in [units.service, units.timer] {
            #expect(text.contains("ConditionUser=!@system"))
        }
    }

    @Test("A program with an odd path is one word to systemd and to a desktop")
    func quoted() {
        let odd = SessionStartUnits(program: #"/opt/a b/50%$"\gatehouse"#)
        #expect(odd.autostart.contains(#"Exec="/opt/a b/50%%\\$\\"\\\\gatehouse" arrived"#))
        #expect(odd.service.contains(#"ExecStart="/opt/a b/50%%$$\"\\gatehouse" arrived"#))
    }
}
