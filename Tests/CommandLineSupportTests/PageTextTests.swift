// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import CommandLineSupport

@Suite struct PageTextTests {
    private static let ours = "http://127.0.0.1:41234/f/abc"
    private static let theirs =
        "https://idp.example.com/authorize?a=b&redirect_uri=http%3A%2F%2F127.0.0.1%3A41235%2Fcb"

    @Test("The port to which the answer comes is that of the page, or of its redirect")
    func ports() {
        #expect(PageText.answerPort(of: Self.ours) == 41_234)
        #expect(PageText.answerPort(of: Self.theirs) == 41_235)
        for other in [
            "https://idp.example.com/",
            "https://idp.example.com/?redirect_uri=https://a.example/cb",
            "http://127.0.0.1.example.com:1/", "",
        ] {
            #expect(PageText.answerPort(of: other) == nil, "\(other)")
        }
    }

    @Test("Without a browser it says why a phone is no way, and over ssh which port to forward")
    func elsewhere() {
        let here = PageText(url: Self.theirs).text
        #expect(here.contains(Self.theirs) && here.contains("A phone cannot be used"))
        #expect(!here.contains("ssh"))
        let away = PageText(url: Self.ours, remoteHost: "lab-7\u{1B}[2J").text
        #expect(away.contains("ssh -L 41234:127.0.0.1:41234 lab-7"))
        #expect(!away.contains("\u{1B}"))
    }

    @Test("Where a browser opens it, nothing more is said than where it is")
    func open() {
        let text = PageText(url: Self.ours, isOpen: true, remoteHost: "lab-7").text
        #expect(text.contains(Self.ours) && !text.contains("phone") && !text.contains("ssh"))
        let plain = PageText(url: "https://idp.example.com/").text
        #expect(plain.contains("https://idp.example.com/") && !plain.contains("phone"))
    }
}
