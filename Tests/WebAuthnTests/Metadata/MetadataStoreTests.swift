// SPDX-License-Identifier: Apache-2.0
import AttestationSupport
import Foundation
import JOSE
import Primitives
import Testing
import WebAuthn

/// What metadata say of a model, and what follows from it.
@Suite struct MetadataStoreTests {
    typealias Publisher = MetadataPublisher

    private static func model(_ text: String = Publisher.model) throws -> AuthenticatorModel {
        .aaguid(try #require(AAGUID(text)))
    }

    private static func trust(
        reports: [JSONValue], policy: MetadataStatusPolicy = MetadataStatusPolicy(),
        now: Timestamp = Publisher.now
    ) throws -> AuthenticatorTrust? {
        let entry = MetadataEntry(Publisher.entry(reports: reports).object ?? JSONObject())
        return MetadataStore([entry]).snapshot(at: now, policy: policy)
            .statement(for: try model())
    }

    private static func trust(
        changing change: (inout JSONObject) -> Void
    ) throws -> AuthenticatorTrust? {
        var statement = Publisher.statement()
        change(&statement)
        let entry = MetadataEntry(Publisher.entry(statement: statement).object ?? JSONObject())
        return MetadataStore([entry]).snapshot(at: Publisher.now).statement(for: try model())
    }

    // MARK: Status

    @Test(
        "Attack 24: statuses that end trust keep a model out",
        arguments: [
            "REVOKED", "USER_KEY_REMOTE_COMPROMISE", "USER_KEY_PHYSICAL_COMPROMISE",
            "USER_VERIFICATION_BYPASS", "ATTESTATION_KEY_COMPROMISE", "RETIRED",
        ])
    func refused(_ status: String) throws {
        #expect(try Self.trust(reports: [["status": .string(status)]])?.refusal == status)
        let later: [JSONValue] = [
            ["status": .string(status), "effectiveDate": "2025-01-01"],
            ["status": "UPDATE_AVAILABLE", "effectiveDate": "2026-01-01"],
            ["status": "FIDO_CERTIFIED_L1", "effectiveDate": "2026-02-01"],
        ]
        #expect(try Self.trust(reports: later)?.refusal == status)
    }

    @Test(
        "Other statuses do not, one that is unknown among them",
        arguments: [
            "UPDATE_AVAILABLE", "NOT_FIDO_CERTIFIED", "SELF_ASSERTION_SUBMITTED", "FIDO_CERTIFIED",
            "FIDO_CERTIFIED_L3plus", "FIPS140_CERTIFIED_L2", "revoked", "SOMETHING_NEW",
        ])
    func accepted(_ status: String) throws {
        let trust = try #require(try Self.trust(reports: [["status": .string(status)]]))
        #expect(trust.refusal == nil)
        #expect(AuthenticatorStatus(name: status).name == status)
    }

    @Test("A report counts from its date on")
    func effectiveDate() throws {
        let report: JSONValue = ["status": "REVOKED", "effectiveDate": "2027-01-15"]
        let day = Timestamp(seconds: 1_799_971_200)
        let before = try Self.trust(reports: [report], now: day - .seconds(1))
        #expect(before != nil && before?.refusal == nil)
        #expect(try Self.trust(reports: [report], now: day)?.refusal == "REVOKED")
    }

    @Test("A compromised attestation key that is named concerns its keys only")
    func batch() throws {
        let der = try AttestationAuthority().root.der
        let report: JSONValue = [
            "status": "ATTESTATION_KEY_COMPROMISE",
            "certificate": .string(Data(der).base64EncodedString()),
        ]
        let trust = try #require(try Self.trust(reports: [report]))
        #expect(trust.refusal == nil)
        #expect(trust.distrustedCertificates == [der])
    }

    @Test("A policy may ask for certification, and may refuse less")
    func policy() throws {
        let certified: [JSONValue] = [["status": "FIDO_CERTIFIED_L1plus"]]
        for (level, isEnough) in [
            (AuthenticatorStatus.Certification.unnumbered, true), (.level1, true),
            (.level1Plus, true), (.level2, false),
        ] {
            let policy = MetadataStatusPolicy(minimumCertification: level)
            let refusal = try Self.trust(reports: certified, policy: policy)?.refusal
            #expect((refusal == nil) == isEnough)
        }
        let lenient = MetadataStatusPolicy(refused: [.revoked])
        let trust = try Self.trust(reports: [["status": "RETIRED"]], policy: lenient)
        #expect(trust != nil && trust?.refusal == nil)
    }

    // MARK: Errors in metadata

    @Test("An entry with an error is stored and refused; other entries are not affected")
    func faults() throws {
        let spoilt: [(String, JSONValue?)] = [
            ("statusReports", nil), ("statusReports", "x"), ("statusReports", [[:]]),
            ("statusReports", [["status": "REVOKED", "effectiveDate": "soon"]]),
            ("statusReports", [["status": "ATTESTATION_KEY_COMPROMISE", "certificate": "?"]]),
            ("metadataStatement", nil), ("metadataStatement", 1), ("metadataStatement", [:]),
        ]
        let other = "00000000-0000-0000-0000-000000000001"
        for (name, value) in spoilt {
            var json = Publisher.entry().object ?? JSONObject()
            json[name] = value
            let good = MetadataEntry(Publisher.entry(aaguid: other).object ?? JSONObject())
            let store = MetadataStore([MetadataEntry(json), good])
            let snapshot = store.snapshot(at: Publisher.now)
            #expect(snapshot.statement(for: try Self.model())?.refusal != nil, "\(name)")
            let neighbour = try #require(snapshot.statement(for: try Self.model(other)))
            #expect(neighbour.refusal == nil)
        }
    }

    @Test("Two entries of one model are evaluated by the reports of both")
    func twice() throws {
        let entries = [[], [["status": "REVOKED"]]].map { reports in
            MetadataEntry(Publisher.entry(reports: reports).object ?? JSONObject())
        }
        for entries in [entries, entries.reversed()] {
            let snapshot = MetadataStore(entries).snapshot(at: Publisher.now)
            #expect(snapshot.statement(for: try Self.model())?.refusal == "REVOKED")
        }
    }

    @Test("A root that cannot be read does not take the others away")
    func roots() throws {
        let der = try AttestationAuthority().root.der
        let good = JSONValue.string(Data(der).base64EncodedString())
        let trust = try Self.trust { $0["attestationRootCertificates"] = [good, "MAA=", good] }
        #expect(trust?.anchors.isEmpty == false && trust?.refusal == nil)
        let broken = Data(der).base64EncodedString(options: .lineLength64Characters)
        let wrapped = try Self.trust { $0["attestationRootCertificates"] = [.string(broken)] }
        #expect(wrapped?.anchors.isEmpty == false)
        let none = try Self.trust { $0["attestationRootCertificates"] = ["*"] }
        #expect(none?.refusal != nil)
    }

    // MARK: Lookup

    @Test("A U2F key is found by the identifier of its certificate's key, and only exactly")
    func keyIdentifier() throws {
        var json = Publisher.entry().object ?? JSONObject()
        json["aaguid"] = nil
        json["attestationCertificateKeyIdentifiers"] = [
            "7c0903708b87115b0b422def3138c3c864e44573",
            "0102030405060708090A0b0c0d0e0f1011121314",
        ]
        let store = MetadataStore([MetadataEntry(json)])
        let snapshot = store.snapshot(at: Publisher.now)
        let second = hex("0102030405060708090a0b0c0d0e0f1011121314")
        let found = try #require(
            snapshot.statement(for: .certificateKey(identifier: second)))
        #expect(found.refusal == nil)
        #expect(snapshot.statement(for: .certificateKey(identifier: [1, 2])) == nil)
        #expect(snapshot.statement(for: try Self.model()) == nil)
        #expect(store.count == 2)
    }

    @Test(
        "Invalid names are errors",
        arguments: [
            "", "ee882879721c491397753dfcce97072a", "ee882879-721c-4913-9775-3dfcce97072",
            "ee882879-721c-4913-9775-3dfcce97072g", "{ee882879-721c-4913-9775-3dfcce97072a}",
            "e-e882879-721c-4913-9775-3dfcce97072a",
        ])
    func aaguid(_ text: String) {
        #expect(AAGUID(text) == nil)
        var json = Publisher.entry().object ?? JSONObject()
        json["aaguid"] = .string(text)
        #expect(MetadataEntry(json).fault?.member == "aaguid")
    }

    @Test("AAGUIDs are read in either case and written in lower case")
    func aaguidForm() {
        let text = Publisher.model
        #expect(AAGUID(text.uppercased())?.description == text)
    }

    @Test("Out-of-date metadata refuse every model, where the policy minds")
    func stale() async throws {
        let publisher = try Publisher()
        let bytes = try publisher.blob(Publisher.payload(nextUpdate: "2027-01-20"))
        let blob = try await publisher.verifier().verify(bytes, now: Publisher.now)
        let store = MetadataStore(blob)
        let late = store.nextUpdate.map { $0 + .days(30) } ?? Publisher.now
        let patient = store.snapshot(at: late)
        #expect(!patient.isStale)
        let strict = store.snapshot(at: late + .seconds(1), staleAfter: .days(30))
        #expect(strict.isStale)
        #expect(strict.statement(for: try Self.model())?.refusal != nil)
    }

    @Test("Expired metadata that are not required give no trust, and still warn")
    func staleUndemanded() async throws {
        let publisher = try Publisher()
        let warned = "00000000-0000-0000-0000-000000000001"
        let entries = [
            Publisher.entry(),
            Publisher.entry(aaguid: warned, reports: [["status": "REVOKED"]]),
        ]
        let bytes = try publisher.blob(
            Publisher.payload(nextUpdate: "2027-01-20", entries: entries))
        let blob = try await publisher.verifier().verify(bytes, now: Publisher.now)
        var snapshot = MetadataStore(blob).snapshot(
            at: blob.nextUpdate + .days(31), staleAfter: .days(30))
        snapshot.isDemanded = false
        #expect(snapshot.statement(for: try Self.model()) == nil)
        let model = AuthenticatorModel.aaguid(try #require(AAGUID(warned)))
        #expect(snapshot.statement(for: model)?.refusal == "REVOKED")
        #expect(snapshot.statement(for: model)?.anchors.isEmpty == true)
    }

    // MARK: What is shown

    @Test("Algorithms and kinds of attestation are those of the statement")
    func meaning() throws {
        let trust = try #require(
            try Self.trust {
                $0["attestationTypes"] = ["basic_surrogate", "attca"]
                $0["authenticationAlgorithms"] = [
                    "ed25519_eddsa_sha512_raw", "rsassa_pkcsv15_sha256_raw",
                ]
            })
        #expect(trust.attestationTypes == [.selfAttestation, .certified])
        #expect(trust.algorithms == [.edDSA, .ed25519, .rs256])
        let unknown = try Self.trust { $0["authenticationAlgorithms"] = ["quantum_raw"] }
        #expect(unknown != nil && unknown?.algorithms == nil)
        let ecdaa = try Self.trust { $0["attestationTypes"] = ["ecdaa"] }
        #expect(ecdaa?.attestationTypes == [])
    }

    @Test("Names lose what could mislead a reader (42)")
    func name() throws {
        let trust = try Self.trust {
            $0["description"] = .string(
                "Key\u{202E}gnp\u{0}\n" + String(repeating: "x", count: 300))
        }
        let name = try #require(trust?.name)
        #expect(name.hasPrefix("Keygnpxxx") && name.count == 200)
    }

    /// A PNG of 1 by 1 pixel, as far as it is looked at.
    static func png(width: UInt8 = 1, chunk: String = "IHDR") -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array(chunk.utf8)
            + [0, 0, 0, width, 0, 0, 0, 1, 8, 6, 0, 0, 0, 1, 2, 3, 4]
    }

    private static func url(_ bytes: [UInt8], type: String = "image/png") -> String {
        "data:\(type);base64,\(Data(bytes).base64EncodedString())"
    }

    @Test("A picture is a PNG in a data URL")
    func icon() throws {
        let icon = try #require(AuthenticatorIcon(dataURL: Self.url(Self.png())))
        #expect(icon.png == Self.png() && icon.width == 1 && icon.height == 1)
    }

    @Test("Pictures of any other kind are left out, and the model stays")
    func otherIcons() throws {
        let svg = Array(#"<svg onload="alert(1)"/>"#.utf8)
        let refused = [
            "", "https://example.org/key.png", "javascript:alert(1)", Self.url(svg),
            Self.url(svg, type: "image/svg+xml"), Self.url(Self.png(), type: "IMAGE/PNG"),
            Self.url(Self.png(), type: "image/png;charset=utf-8"), Self.url(Self.png()) + "\"",
            Self.url(Self.png(width: 0)), Self.url(Self.png(chunk: "IDAT")),
            Self.url(Array(Self.png().dropLast(20))), " " + Self.url(Self.png()),
            Self.url(Self.png() + [UInt8](repeating: 0, count: AuthenticatorIcon.maximumBytes)),
        ]
        for text in refused {
            #expect(AuthenticatorIcon(dataURL: text) == nil, "\(text.prefix(60))")
            let trust = try Self.trust { $0["icon"] = .string(text) }
            #expect(trust != nil && trust?.refusal == nil)
        }
    }

    @Test("A statement may be given by hand, and must be readable then")
    func byHand() throws {
        var json = Publisher.statement()
        json["aaguid"] = .string(Publisher.model)
        let store = MetadataStore([try MetadataEntry(statement: json)])
        #expect(store.statement(for: try #require(AAGUID(Publisher.model)))?.name == "Example Key")
        for name in ["description", "attestationTypes", "attestationRootCertificates"] {
            var spoilt = json
            spoilt[name] = nil
            #expect(throws: JSONMemberError.self) { try MetadataEntry(statement: spoilt) }
        }
    }
}
