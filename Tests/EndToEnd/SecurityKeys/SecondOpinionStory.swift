// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import Testing
import WebAuthn

extension EndToEnd {
    /// The same responses, verified by Gatehouse, by py_webauthn and by python-fido2. They must
    /// agree; if a peer differs, the table of ``WebAuthnJudges`` contains its error.
    @Suite(
        "Second opinions on WebAuthn",
        .enabled(
            if: WebDriver.isInstalled && Repository.hasPeers,
            "needs chromium, chromedriver and .venv of Scripts/bootstrap"))
    struct SecondOpinionStory {
        @Test("three verifiers agree on a browser's response, and on its corrupted forms")
        func agreement() async throws {
            let questions = try await questions()
            try #require(questions.count == 120)
            let ours = try await WebAuthnJudges.ours(questions)
            let theirs = try await WebAuthnJudges.peers(questions)
            try #require(ours.count == questions.count && theirs.count == questions.count)
            for (index, question) in questions.enumerated() {
                let accepted = ours[index]["verdict"] == "accepted"
                #expect(
                    accepted == !question.about.contains(","),
                    "\(question.about): \(ours[index].text)")
                for peer in WebAuthnJudges.peerNames {
                    let opinion = theirs[index][peer].string ?? ""
                    let differs = (opinion == "accepted") != accepted
                    let isKnown = WebAuthnJudges.accepts(peer, question.about)
                    #expect(differs == isKnown, "\(question.about): \(peer) says \(opinion)")
                }
            }
        }

        private func questions() async throws -> [WebAuthnQuestion] {
            let house = DemoHouse(server: try await ServerProcess("second-opinions"))
            var questions: [WebAuthnQuestion] = []
            try await house.visit { browser in
                try await browser.open(house.issuer + "/")
                let party = BrowserRelyingParty(browser, origin: house.issuer)
                for number: Int64 in [-7, -8, -257, -48, -49, -50] {
                    let algorithm = try #require(COSEAlgorithm(rawValue: number))
                    let key = try await browser.addAuthenticator(.key(over: "usb"))
                    questions += try await ceremony(party, algorithm)
                    try await key.remove()
                }
            }
            return questions.flatMap { [$0] + $0.spoilt }
        }

        private func ceremony(
            _ party: BrowserRelyingParty, _ algorithm: COSEAlgorithm
        ) async throws -> [WebAuthnQuestion] {
            var options = party.creationOptions()
            options.algorithms = [algorithm]
            options.attestation = .direct
            options.userVerification = .required
            let registered = try await party.register(options)
            var request = party.requestOptions(for: registered)
            request.userVerification = .required
            let response = try await party.page.got(request.json)
            return [
                try WebAuthnQuestion(
                    registration: registered, of: party.party, "\(algorithm) registration"),
                try WebAuthnQuestion(
                    assertion: response, to: request.challenge, for: registered.stored,
                    of: party.party, "\(algorithm) sign-in"),
            ]
        }
    }
}
