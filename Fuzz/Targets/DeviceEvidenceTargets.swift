// SPDX-License-Identifier: Apache-2.0
import Attestation
import CBOR
import JOSE
import Primitives
import WebAuthn

extension FuzzTarget {
    /// What an app says of itself with App Attest: both messages.
    static let appAttest = FuzzTarget(name: "app-attest") { bytes in
        if let attestation = try? UnverifiedAppAttest(attestation: bytes, keyIdentifier: []) {
            precondition(attestation.certificates.count == 2, "not two certificates")
        }
        if let assertion = try? UnverifiedAppAttestAssertion(assertion: bytes, clientData: []) {
            precondition(assertion.authenticatorData.count < bytes.count)
        }
    }

    /// PKCS #7 in BER, where lengths may be left open.
    static let appAttestReceipt = FuzzTarget(name: "app-attest-receipt") { bytes in
        guard let receipt = try? AppAttestReceipt(pkcs7: bytes) else { return }
        precondition(receipt.certificate.count < bytes.count)
        precondition((receipt.riskMetric ?? 0) >= 0)
    }

    /// The whole of Android's key description, also what WebAuthn does not ask for.
    static let androidFacts = FuzzTarget(name: "android-facts") { bytes in
        guard let description = try? AndroidKeyDescription(der: bytes[...]) else { return }
        for list in [description.softwareEnforced, description.hardwareEnforced] {
            for number in AndroidAuthorizationList.Number.allCases { _ = try? list.number(number) }
            _ = try? list.isUsableWithoutAuthentication()
            _ = try? list.rootOfTrust()
            let application = try? list.applicationID()
            precondition((application?.packages.count ?? 0) < bytes.count)
        }
    }

    /// Certificates one after the other, and where they lead: nowhere, without a root.
    static let attestationChain = FuzzTarget(name: "attestation-chain") { bytes in
        let certificates = (try? CBORValue.decode(bytes[...], profile: .ctap2))?.items ?? []
        let items = certificates.compactMap(\.byteString).map { Array($0) }
        guard let chain = try? AttestationChain(der: items) else { return }
        precondition(!RootKeys.none.haveSigned(chain.leaf), "nobody has signed")
        for (subject, issuer) in zip(chain.certificates, chain.issuers) {
            _ = subject.isIssued(by: issuer)
            _ = issuer.isAuthority
        }
        precondition(!chain.leaf.serialNumber.isEmpty)
    }

    /// Google's list of revoked certificates.
    static let revocationStatus = FuzzTarget(name: "revocation-status") { bytes in
        let now = Timestamp(seconds: 1_800_000_000)
        guard let list = try? RevocationStatusList(json: bytes, fetched: now) else { return }
        precondition(list.count <= bytes.count)
    }

    static let integrityVerdict = FuzzTarget(name: "integrity-verdict") { bytes in
        guard let verdict = try? PlayIntegrityVerdict(json: bytes) else { return }
        precondition(verdict.deviceLabels.count <= bytes.count)
    }

    /// What Apple answers about a device: bits only where there are bits.
    static let deviceCheckAnswer = FuzzTarget(name: "device-check-answer") { bytes in
        let response = AttestationHTTPResponse(status: 200, body: bytes)
        if case .bits = DeviceCheckResponse(response, to: .query) {
            let object = try? JSONParser.parseObject(bytes, maximumBytes: 1 << 20)
            precondition(object?["bit0"]?.bool != nil && object?["bit1"]?.bool != nil)
        }
        precondition(
            DeviceCheckResponse(.init(status: 503, body: bytes), to: .query) != .neverSet,
            "an outage was taken for an answer")
    }

    static let fingerprint = FuzzTarget(name: "fingerprint") { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        guard let fingerprint = CertificateFingerprint(text) else { return }
        precondition(CertificateFingerprint(fingerprint.description) == fingerprint)
    }
}
