// SPDX-License-Identifier: Apache-2.0
import AttestationSupport
import CBOR
import SwiftASN1
import Testing
import WebAuthn
import X509

/// What ``PackedAttestationTests`` and the conformance cases leave open of certificate chains.
@Suite("Attack 19: certificate chains")
struct Attack19Tests {
    typealias Authority = AttestationAuthority

    /// The refusal of a chain `leaf, intermediate` with the root as anchor.
    private static func refusal(
        root: Authority.Issuer = .init(), intermediate: Authority.Issuer = .init(),
        leaf: Authority.Leaf = .init()
    ) async throws -> WebAuthnRefusal? {
        let authority = try Authority(root: root, intermediate: intermediate)
        return await (try Attested.packed(leaf, authority: authority)).refusal()
    }

    @Test("Attack 19: a leaf that signed itself is no root (GHSA-6hxq-p678-4hr2)")
    func selfSignedLeaf() async throws {
        let own = try Authority.issuer(
            "Own", .init(constraints: .notCertificateAuthority), by: nil)
        var made = try Attested(format: "packed")
        try made.sign(by: own, path: [try own.der])
        // Its subject breaks section 8.2.1 as well; a proper one is made below.
        #expect(await made.refusal() == statementRefusal(.attestationCertificateInvalid))
        var u2f = try Attested.u2f()
        u2f.statement["x5c"] = x5c([try own.der])
        try u2f.signU2F(by: own.key)
        #expect(await u2f.refusal() == trustRefusal(.attestationUntrusted))
    }

    @Test("Attack 19: a leaf with the root's name and an unknown signer")
    func foreignRoot() async throws {
        var made = try Attested.packed(authority: try Authority())
        try made.trust([try Authority().root.der])
        #expect(await made.refusal() == trustRefusal(.attestationUntrusted))
    }

    @Test("Attack 19: the root in x5c is refused, and where Android sends it left out")
    func root() async throws {
        var made = try Attested.androidKey()
        let path = made.statement["x5c"]?.items ?? []
        made.statement["x5c"] = .array(path + [.byteString(try made.authority.root.der)])
        #expect(try await made.verify().get().trustPath.count == 2)
        // A root that came along is not trusted for that.
        try made.trust([try Authority().root.der])
        #expect(await made.refusal() == trustRefusal(.attestationUntrusted))
    }

    @Test("Attack 19: an intermediate that is no CA")
    func noAuthority() async throws {
        for constraints in [nil, .notCertificateAuthority] as [BasicConstraints?] {
            #expect(
                try await Self.refusal(intermediate: .init(constraints: constraints))
                    == trustRefusal(.attestationUntrusted))
        }
    }

    @Test("Attack 19: the CA flag on the leaf")
    func leafAuthority() async throws {
        #expect(
            try await Self.refusal(
                leaf: .init(constraints: .isCertificateAuthority(maxPathLength: 0)))
                == statementRefusal(.attestationCertificateInvalid))
    }

    @Test("Attack 19: an attestation certificate issues another one")
    func leafIssues() async throws {
        let authority = try Authority()
        let first = try authority.issue()
        let second = try authority.issue(.init(name: "Forged"), by: first)
        var made = try Attested(format: "packed", authority: authority)
        try made.sign(
            by: second, path: [second.der, first.der, authority.intermediate.der])
        #expect(await made.refusal() == trustRefusal(.attestationUntrusted))
    }

    @Test("Attack 19: an intermediate of version 1, which can say nothing of its purpose")
    func versionOneIntermediate() async throws {
        #expect(
            try await Self.refusal(intermediate: .init(constraints: nil, version: .v1))
                == trustRefusal(.attestationUntrusted))
    }

    @Test("Attack 19: a path longer than the root allows")
    func pathLength() async throws {
        #expect(
            try await Self.refusal(
                root: .init(constraints: .isCertificateAuthority(maxPathLength: 0)))
                == trustRefusal(.attestationUntrusted))
        #expect(
            try await Self.refusal(
                root: .init(constraints: .isCertificateAuthority(maxPathLength: 1))) == nil)
    }

    @Test("Attack 19: an intermediate whose key may not sign certificates")
    func keyUsage() async throws {
        let signs = try Certificate.Extension(KeyUsage(keyCertSign: true), critical: true)
        #expect(try await Self.refusal(intermediate: .init(extensions: [signs])) == nil)
        let other = try Certificate.Extension(KeyUsage(digitalSignature: true), critical: true)
        #expect(
            try await Self.refusal(intermediate: .init(extensions: [other]))
                == trustRefusal(.attestationUntrusted))
    }

    @Test("Attack 19: a name that the intermediate may not certify")
    func nameConstraints() async throws {
        let constraints = try Certificate.Extension(
            NameConstraints(permittedDNSDomains: ["example.org"]), critical: true)
        let name = try Certificate.Extension(
            SubjectAlternativeNames([.dnsName("evil.example")]), critical: false)
        #expect(
            try await Self.refusal(
                intermediate: .init(extensions: [constraints]), leaf: .init(extensions: [name]))
                == trustRefusal(.attestationUntrusted))
    }

    @Test("Attack 19: unknown critical extensions, on the leaf and on the intermediate")
    func criticalExtension() async throws {
        let unknown = Certificate.Extension(oid: [1, 2, 3, 4], critical: true, value: [5, 0])
        #expect(
            try await Self.refusal(leaf: .init(extensions: [unknown]))
                == trustRefusal(.attestationUntrusted))
        #expect(
            try await Self.refusal(intermediate: .init(extensions: [unknown]))
                == trustRefusal(.attestationUntrusted))
    }

    @Test("Attack 19: a critical alternative name that only TPM statements verify")
    func criticalName() async throws {
        let name = try Certificate.Extension(
            SubjectAlternativeNames([.dnsName("a.example")]), critical: true)
        #expect(
            try await Self.refusal(leaf: .init(extensions: [name]))
                == trustRefusal(.attestationUntrusted))
    }

    @Test("Attack 19: the same certificate twice")
    func duplicates() async throws {
        var made = try Attested.packed()
        let path = made.statement["x5c"]?.items ?? []
        for doubled in [[path[0]] + path, path + [path[1]], path + path] {
            made.statement["x5c"] = .array(doubled)
            #expect(await made.refusal() == statementRefusal(.attestationCertificateInvalid))
        }
    }

    @Test("Attack 19: a chain of a hundred certificates is refused unread")
    func hundred() async throws {
        var made = try Attested.packed()
        let path = made.statement["x5c"]?.items ?? []
        made.statement["x5c"] = .array([path[0]] + [CBORValue](repeating: path[1], count: 99))
        #expect(await made.refusal() == statementRefusal(.attestationStatementMalformed))
    }

    @Test("Attack 19: an AAGUID extension of another model, on packed and on TPM")
    func aaguid() async throws {
        var leaf = Authority.Leaf()
        leaf.extensions = [try Authority.aaguid([UInt8](1...16))]
        #expect(
            await (try Attested.packed(leaf)).refusal()
                == statementRefusal(.attestationAAGUIDMismatch))
        var identity = try Attested.identityLeaf()
        identity.extensions.append(try Authority.aaguid([UInt8](1...16)))
        #expect(
            await (try Attested.tpm(leaf: identity)).refusal()
                == statementRefusal(.attestationAAGUIDMismatch))
    }

    @Test("Attack 19: subjects that break section 8.2.1: unit, country, organization, name")
    func subject() async throws {
        for leaf in [
            Authority.Leaf(unit: "Authenticator Attestation "), .init(unit: "AA"),
            .init(country: "S"), .init(country: "se"), .init(country: "SWE"),
            .init(organization: nil), .init(name: ""),
        ] {
            #expect(
                try await Self.refusal(leaf: leaf)
                    == statementRefusal(.attestationCertificateInvalid))
        }
    }

    @Test("Attack 19: an attestation identity key without its usage, its name or its emptiness")
    func identityKey() async throws {
        var leaves = [
            try Attested.identityLeaf(usage: .codeSigning),
            try Attested.identityLeaf(sanIsCritical: false),
            try Attested.identityLeaf(vendor: "IBM"), try Attested.identityLeaf(vendor: "id:XYZ"),
            Authority.Leaf(),
        ]
        for index in 0..<2 {
            var leaf = try Attested.identityLeaf()
            leaf.extensions.remove(at: index)
            leaves.append(leaf)
        }
        var named = try Attested.identityLeaf()
        named.name = "TPM"
        var authority = try Attested.identityLeaf()
        authority.constraints = .isCertificateAuthority(maxPathLength: nil)
        leaves += [named, authority]
        for leaf in leaves {
            #expect(
                await (try Attested.tpm(leaf: leaf)).refusal()
                    == statementRefusal(.attestationCertificateInvalid))
        }
    }

    @Test("Attack 19: what is no certificate, what is too long, and what has trailing bytes")
    func garbage() async throws {
        var made = try Attested.packed()
        let leaf = Array(made.statement["x5c"]?.items?.first?.byteString ?? [])
        for bytes in [[], [0x30], leaf + [0], Array(leaf.dropLast())] {
            made.statement["x5c"] = x5c([bytes])
            #expect(await made.refusal() == statementRefusal(.attestationCertificateInvalid))
        }
        made.statement["x5c"] = x5c([[UInt8](repeating: 0x30, count: 8193)])
        #expect(await made.refusal() == statementRefusal(.attestationStatementMalformed))
    }
}
