// SPDX-License-Identifier: Apache-2.0
import AgentClient
import Foundation
import JOSE
import Primitives
import Support
import Testing

@testable import Agent

@Suite struct AgentMessageTests {
    @Test(
        "Requests and replies are the same after they were sent",
        arguments: AgentRequest.Verb.allCases)
    func roundTrip(_ verb: AgentRequest.Verb) {
        let request = AgentRequest(verb, account: "anna", repair: true, content: "text")
        #expect(AgentRequest(request.json) == request)
    }

    @Test("Every reply is the same after it was sent")
    func replies() {
        let questions: [AgentPrompt] = [
            .line("Who?", suggestion: "anna"), .line("Who?", suggestion: nil), .secret("Password?"),
            .choice("Which?", ["a", "b"]), .notice("Look at your phone."),
            .page("https://idp.example.com"),
            .code(
                DeviceCodeInstructions(
                    url: "https://idp.example.com/device", code: "WDJB-MJHT",
                    completeURL: "https://idp.example.com/device?user_code=WDJB-MJHT")),
        ]
        let replies =
            questions.map(AgentResponse.ask) + AgentStep.allCases.map(AgentResponse.step)
            + [.result(["a": 1]), .refusal(.notYours)]
        for reply in replies { #expect(AgentResponse(reply.json) == reply) }
    }

    @Test(
        "What is no request is refused",
        arguments: [
            #"{}"#, #"{"version":2,"request":"status"}"#, #"{"version":1,"request":"rm"}"#,
            #"{"version":"1","request":"status"}"#, #"{"version":1}"#,
        ])
    func malformed(_ text: String) throws {
        let object = try JSONParser.parseObject(Array(text.utf8), maximumBytes: 1000)
        #expect(AgentRequest(object) == nil)
    }

    @Test(
        "What is no reply is refused",
        arguments: [
            #"{}"#, #"{"step":"dance"}"#, #"{"ask":{"kind":"choice","text":"a","choices":[]}}"#,
            #"{"ask":{"text":"a"}}"#, #"{"ask":{"kind":"code","text":"a","code":"b"}}"#,
            #"{"refusal":{"code":"a"}}"#, #"{"step":"signed_in","a":1}"#,
        ])
    func malformedReply(_ text: String) throws {
        let object = try JSONParser.parseObject(Array(text.utf8), maximumBytes: 1000)
        #expect(AgentResponse(object) == nil)
    }
}

@Suite struct ServiceTests {
    @Test("A socket of systemd is taken only when it is for this process")
    func activated() {
        #expect(
            ActivatedSocket.descriptor(["LISTEN_PID": "7", "LISTEN_FDS": "1"], process: 7) == 3)
        for environment in [
            [:], ["LISTEN_PID": "8", "LISTEN_FDS": "1"], ["LISTEN_PID": "7", "LISTEN_FDS": "2"],
            ["LISTEN_PID": "7", "LISTEN_FDS": "x"], ["LISTEN_FDS": "1"],
        ] {
            #expect(ActivatedSocket.descriptor(environment, process: 7) == nil)
        }
    }

    @Test("The units name the program, its arguments quoted, and one socket")
    func units() {
        let units = ServiceUnits(
            program: "/usr/lib/gatehouse/gatehouse-agent", arguments: ["--profiles", "/a b/100%$"])
        #expect(
            units.service.contains(
                #"ExecStart=/usr/lib/gatehouse/gatehouse-agent run --profiles "/a b/100%%$$""#))
        #expect(units.service.contains("Requires=gatehouse-agent.socket"))
        #expect(units.socket.contains("ListenStream=/run/gatehouse/agent.sock"))
    }

    /// What a machine says whose firmware has these.
    private func facts(
        serial: String, model: String = "ThinkPad T14"
    ) throws -> LocalDeviceAttributes {
        let folder = TestFolder()
        let firmware = folder.path("sys/class/dmi/id")
        try FileManager.default.createDirectory(
            atPath: firmware, withIntermediateDirectories: true)
        for (name, text) in [("product_serial", serial), ("product_name", model)] {
            try Data((text + "\n").utf8).write(
                to: URL(filePath: firmware).appending(path: name))
        }
        return withExtendedLifetime(folder) {
            LocalDeviceAttributes.ofThisMachine(root: folder.path(""))
        }
    }

    @Test("Firmware values are reported unchanged")
    func firmware() throws {
        for serial in ["PF2XK1AB", "VMware-56 4d 9f", "C02XY1234567", "Default string 7"] {
            let facts = try facts(serial: serial)
            #expect(facts.serialNumber == serial)
            #expect(facts.model == "ThinkPad T14")
        }
    }

    @Test(
        "What makers leave in firmware when they have nothing to say is left out",
        arguments: [
            "", " ", "0", "00000000", "XXXXXXXX", "FFFF-FFFF", ".....", "None", "N/A", "Unknown",
            "Default string", "DEFAULT STRING", "To be filled by O.E.M.", "To Be Filled By O.E.M",
            "Not Specified", "Not Applicable", "System Serial Number", "System serial number ",
            "123456789", "0123456789", "INVALID", "OEM",
        ])
    func fillings(text: String) throws {
        let facts = try facts(serial: text, model: text)
        #expect(facts.serialNumber == nil && facts.model == nil)
    }

    @Test("A machine without firmware that speaks has no serial number")
    func facts() throws {
        let folder = TestFolder()
        #expect(!LocalDeviceAttributes.isInSetup(root: folder.path("nowhere")))
        let facts = LocalDeviceAttributes.ofThisMachine(root: folder.path("nowhere"))
        #expect(facts.serialNumber == nil && facts.udid == nil && facts.model == nil)
        #expect(facts.systemVersion == "Linux")
    }
}
