// SPDX-License-Identifier: Apache-2.0
import AgentClient
import JOSE
import Primitives
import TerminalDialog
import Testing

@testable import CommandLineSupport

@Suite struct StatusTextTests {
    /// Long names everywhere, as the agent tells them.
    private static let full: JSONValue = [
        "now": "2026-11-22T12:00:00Z", "extension": "org.gatehouse.sso",
        "method": "UserSecureEnclaveKey", "key_store": "file",
        "devices": [
            [
                "owner": "*", "phase": "registered", "key_id": "Zm9vYmFyYmF6cXV4",
                "issuer": "https://identity.department-of-long-names.example.com/p/production",
                "registered_at": "2026-10-23T12:00:00Z",
            ]
        ],
        "people": [
            [
                "account": "somebody-whose-name-is-longer-than-any-terminal-is-wide-and-then-more",
                "phase": "registered", "login_user_name": "dora@long-names.example.com",
                "key_id": "Zm9vYmFyYmF6cXV4", "standing": "signed_in", "unlock_key": true,
                "pin_tries": 1, "next": "renew", "next_at": "2026-11-22T16:00:00Z",
                "full_login_at": "2026-11-22T10:59:00Z", "places": [],
            ]
        ],
        "problems": ["sso.mobileconfig: others can read its registration token; use chmod 600"],
    ]

    private func lines(_ width: Int, _ value: JSONValue = full) throws -> [String] {
        StatusText(
            status: try #require(AgentStatus(value)),
            style: TerminalStyle(hasColours: false, hasUnicode: true), width: width
        ).lines
    }

    @Test(
        "No line is wider than the terminal, and the panels stay whole",
        arguments: [40, 60, 72, 200])
    func fits(_ width: Int) throws {
        let lines = try lines(width)
        for line in lines { #expect(TerminalText.width(of: line) <= min(width, 72), "\(line)") }
        #expect(lines.allSatisfy { ["╭", "│", "╰"].contains($0.first) })
        #expect(lines.count { $0.hasPrefix("╭") } == 3)
    }

    @Test("Without UTF-8 everything of our own is ASCII")
    func ascii() throws {
        let text = StatusText(
            status: try #require(AgentStatus(Self.full)),
            style: TerminalStyle(hasColours: false, hasUnicode: false), width: 60)
        #expect(text.lines.allSatisfy { $0.allSatisfy(\.isASCII) })
    }

    @Test("On a usual terminal every fact has its line")
    func facts() throws {
        let text = try lines(72).joined(separator: "\n")
        for fact in [
            "1 try left", "1 hour 1 minute ago", "renews by itself in 4 hours", "30 days ago",
        ] {
            #expect(text.contains(fact), "\(fact)")
        }
    }

    @Test("Without a profile it says where profiles go")
    func unconfigured() throws {
        let nothing: JSONValue = [
            "now": "2026-11-22T12:00:00Z", "key_store": "file", "devices": [], "people": [],
            "problems": [],
        ]
        #expect(try lines(60, nothing).joined().contains("/etc/gatehouse/profiles"))
        var elsewhere = try #require(nothing.object)
        elsewhere["profiles"] = "/srv/profiles"
        #expect(try lines(60, .object(elsewhere)).joined().contains("/srv/profiles"))
    }

    @Test("With biometrics, the status shows the other method, and no further locations")
    func finger() throws {
        var person = try #require(Self.full["people"]?.array?.first?.object)
        person["places"] = [
            ["place": "disk", "asks": "local", "offline": "local_password"],
            ["place": "login", "asks": "require", "offline_refusal": "presence_needed"],
            ["place": "unlock", "asks": "local", "offline_refusal": "presence_needed"],
        ]
        var status = try #require(Self.full.object)
        status["people"] = [.object(person)]
        let text = try lines(72, .object(status)).joined(separator: "\n")
        #expect(text.contains("your finger, and your password at the provider"))
        #expect(text.contains("your finger, and your local password"))
        #expect(!text.contains("Disk"))
    }

    @Test(
        "A time is told by its two greatest units",
        arguments: [
            (59, "less than a minute"), (60, "1 minute"), (3600, "1 hour"),
            (3660, "1 hour 1 minute"),
            (90_000, "1 day 1 hour"), (172_800, "2 days"), (-5, "less than a minute"),
        ] as [(Int64, String)])
    func span(_ seconds: Int64, _ text: String) {
        #expect(StatusText.span(.seconds(seconds)) == text)
    }
}
