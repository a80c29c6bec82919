// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import Testing
import WebAuthn

extension EndToEnd {
    /// The same responses, judged by us, by py_webauthn and by python-fido2. They must agree;
    /// where a peer differs, the table below says why it is wrong.
    @Suite(
        "Second opinions on WebAuthn",
        .enabled(
            if: WebDriver.isInstalled && Repository.hasPeers,
            "needs chromium, chromedriver and .venv of Scripts/bootstrap"))
    struct SecondOpinionStory {
        /// Where a peer accepts what we refuse, and why we are right. A row is for every question
        /// that ends with its words; a peer that mends its fault fails the test, so that the row
        /// goes.
        private static let differences = [
            Difference(
                "py_webauthn", "registration, another id",
                "step 7.1.27 stores the attested id; the one that the client names must be it"),
            Difference("python-fido2", "registration, another id", "as py_webauthn"),
            Difference(
                "py_webauthn", "registration, one more byte",
                "an attestation object is one CBOR item; what follows it was signed by nobody"),
            Difference(
                "python-fido2", "attestation object cut",
                "its decoder takes a byte string that is shorter than it says"),
            Difference(
                "python-fido2", "type is not public-key",
                "section 5.8.2 knows one type, and the response must be of it"),
            Difference(
                "python-fido2", "counter stands still",
                "step 7.2.22 asks for a decision; python-fido2 keeps no counter"),
        ]

        private struct Difference {
            let peer: String
            let about: String

            /// The third word is for the reader.
            init(_ peer: String, _ about: String, _: String) {
                self.peer = peer
                self.about = about
            }
        }

        @Test("three judges agree on what a browser answered, and on its spoilt forms")
        func agreement() async throws {
            let questions = try await questions()
            try #require(questions.count == 120)
            let ours = try await ourVerdicts(questions)
            let theirs = try await peersVerdicts(questions)
            try #require(ours.count == questions.count && theirs.count == questions.count)
            for (index, question) in questions.enumerated() {
                let accepted = ours[index]["verdict"] == "accepted"
                #expect(
                    accepted == !question.about.contains(","),
                    "\(question.about): \(ours[index].text)")
                for peer in ["py_webauthn", "python-fido2"] {
                    let opinion = theirs[index][peer].string ?? ""
                    let differs = (opinion == "accepted") != accepted
                    let isKnown = Self.differences.contains {
                        $0.peer == peer && question.about.hasSuffix($0.about)
                    }
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

        private func ourVerdicts(_ questions: [WebAuthnQuestion]) async throws -> [JSON] {
            var verdicts: [Int: JSON] = [:]
            for kind in ["registration", "assertion"] {
                let indices = questions.indices.filter { questions[$0].json["kind"].string == kind }
                let input = indices.map { questions[$0].json.text }.joined(separator: "\n") + "\n"
                let judged = try await Command.gatehouse(
                    "inspect", "webauthn-\(kind)", "--batch", input: input)
                for (index, line) in zip(indices, judged.output.split(separator: "\n")) {
                    verdicts[index] = try JSON(parsing: Array(line.utf8))
                }
            }
            return questions.indices.compactMap { verdicts[$0] }
        }

        private func peersVerdicts(_ questions: [WebAuthnQuestion]) async throws -> [JSON] {
            let input = questions.map(\.json.text).joined(separator: "\n") + "\n"
            let judged = try await Command.peer("webauthn_opinions.py", [], input: input)
            try #require(judged.status == 0, "\(judged.errors)")
            return try judged.output.split(separator: "\n").map {
                try JSON(parsing: Array($0.utf8))
            }
        }
    }
}
