import Agent
// SPDX-License-Identifier: Apache-2.0
import AgentClient
import Primitives
import SingleSignOn
import Testing

/// What the machine makes of registrations that were taken back.
@Suite struct LeavingTests {
    private let device = RegistrationSubject.device(.everyone)
    private let anna = RegistrationSubject.person("anna")

    @Test("A person who was taken off waits to begin again, and the machine stays registered")
    func person() {
        var run = MachineRun.complete()
        #expect(run(.unregistered(anna)) == [.forget(anna)])
        #expect(run.anna == .waiting && run.device == .registered)
        #expect(run(.unregistered(anna)) == [])
        #expect(run(.arrived("anna")) == [.prompt(anna)])
        #expect(run(.begun(anna, by: "anna")).begun.map(\.presence) == ["anna"])
    }

    @Test("Unregistering a device unregisters its people; it waits for a manual start")
    func wholeDevice() {
        var run = MachineRun.complete()
        #expect(run(.unregistered(device)) == [.forget(anna), .forget(device)])
        #expect(run.device == .waiting && run.anna == .waitingForDevice)
        #expect(run(.unregistered(device)) == [])
        #expect(run(.begun(device, by: "root")).begun.map(\.presence) == ["root"])
    }

    @Test("What was taken back is not made again by itself: not by time, a restart or a token")
    func stays() {
        var run = MachineRun.complete()
        run(.unregistered(device))
        #expect(run.wait(.days(9)) == [])
        #expect(run(.resumed) == [])
        #expect(run(.planned(.test(token: true))) == [])
        #expect(run(.planned(.test(token: true, revision: "2"))) == [])
        #expect(run.device == .waiting)
    }

    @Test("What is under way for a person ends with their registration, and its answer is too late")
    func underWay() {
        var run = MachineRun.complete()
        run(.needsRepair(anna))
        // Being repaired, they are not registered; the device still is, and goes with all of it.
        #expect(run(.unregistered(anna)) == [])
        let number = run.attempt(anna)?.number ?? 0
        #expect(
            run(.unregistered(device)) == [
                .abandon(attempt: number), .forget(anna), .forget(device),
            ])
        #expect(run(.answered(anna, attempt: number, .success)) == [])
        #expect(run.anna == .waitingForDevice)
    }

    @Test("A machine that is repaired, or that tries again, is taken off as well")
    func repaired() {
        var run = MachineRun.complete()
        run(.needsRepair(device))
        let number = run.attempt(device)?.number ?? 0
        #expect(run(.unregistered(device)).contains(.abandon(attempt: number)))
        #expect(run.device == .waiting && run.anna == .waitingForDevice)
        #expect(run(.answered(device, attempt: number, .success)) == [])
        #expect(run.device == .waiting)

        run = MachineRun()
        run(.planned(.test(token: true)))
        run.answer(device, .failed)
        #expect(run(.unregistered(device)) == [.forget(device)])
        #expect(run.device == .waiting)
        #expect(run.wait(.days(1)) == [])
    }

    @Test("Who is not registered cannot be taken off")
    func absent() {
        var run = MachineRun()
        #expect(run(.unregistered(device)) == [])
        run(.planned(.test()))
        #expect(run(.unregistered(device)) == [])
        #expect(run(.unregistered(anna)) == [])
        #expect(run(.unregistered(.person("nobody"))) == [])
        run(.begun(device, by: "root"))
        run.answer(device, .failedNoRetry)
        #expect(run(.unregistered(device)) == [] && run.device == .refused)
    }

    @Test("A person who returns between two migrations has keys that are no longer to be removed")
    func comesBack() {
        var run = MachineRun.registered()
        run(.arrived("anna"))
        run(.planned(.test(shared: false, token: true, revision: "2")))
        run(.planned(.test(token: true, revision: "3")))
        #expect(run.registrations.outgoing == [.person("anna")])
        run(.departed("anna"))
        run(.planned(.test(shared: false, token: true, revision: "4")))
        #expect(run.registrations.outgoing == [.person("anna"), .everyone])
        run(.arrived("anna"))
        #expect(run.registrations.outgoing == [.everyone])
        #expect(run.registrations.devices.keys.map(\.text) == ["+anna"])
    }
}
