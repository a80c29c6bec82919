// SPDX-License-Identifier: Apache-2.0
import JOSE
import Testing
import WebAuthn

@Suite struct OptionsTests {
    private let party = RelyingParty(id: "example.org", origins: ["https://example.org"])

    @Test("Creation options print as PublicKeyCredentialCreationOptionsJSON")
    func creation() {
        var options = CreationOptions(
            relyingParty: party, name: "Example",
            user: .init(id: [1, 2, 3], name: "anna", displayName: "Anna"),
            challenge: [UInt8](0..<16))
        options.excludeCredentials = [CredentialDescriptor(id: [255], transports: ["usb"])]
        options.authenticatorAttachment = .crossPlatform
        options.hints = [.securityKey]
        options.userVerification = .required
        #expect(
            options.json.text == """
                {"rp":{"id":"example.org","name":"Example"},\
                "user":{"id":"AQID","name":"anna","displayName":"Anna"},\
                "challenge":"AAECAwQFBgcICQoLDA0ODw",\
                "pubKeyCredParams":[{"type":"public-key","alg":-7},{"type":"public-key","alg":-8},\
                {"type":"public-key","alg":-257}],"timeout":300000,\
                "excludeCredentials":[{"type":"public-key","id":"_w","transports":["usb"]}],\
                "authenticatorSelection":{"residentKey":"required","requireResidentKey":true,\
                "userVerification":"required","authenticatorAttachment":"cross-platform"},\
                "hints":["security-key"],"attestation":"none","attestationFormats":[],\
                "extensions":{}}
                """)
    }

    @Test("Request options print as PublicKeyCredentialRequestOptionsJSON")
    func request() {
        var options = RequestOptions(relyingParty: party, challenge: [1])
        options.allowCredentials = [CredentialDescriptor(id: [1, 2])]
        #expect(
            options.json.text == """
                {"challenge":"AQ","timeout":300000,"rpId":"example.org",\
                "allowCredentials":[{"type":"public-key","id":"AQI"}],\
                "userVerification":"preferred","hints":[],"extensions":{}}
                """)
    }
}
