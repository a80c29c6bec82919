// SPDX-License-Identifier: Apache-2.0
import JOSE
import Primitives
import WebAuthn

extension FuzzTarget {
    /// The payload of a metadata BLOB, entry by entry: a model with an invalid entry is refused.
    static let metadataPayload = FuzzTarget(name: "metadata-payload") { bytes in
        guard
            let payload = try? JSONParser.parseObject(
                bytes, maximumBytes: 1 << 20, maximumDepth: 24, wideIntegers: true)
        else { return }
        let entries = (payload["entries"]?.array ?? []).compactMap(\.object).map {
            MetadataEntry($0)
        }
        let snapshot = MetadataStore(entries).snapshot(at: Timestamp(seconds: 1_800_000_000))
        for entry in entries {
            for model in entry.models {
                guard let trust = snapshot.statement(for: model) else {
                    preconditionFailure("a model was lost")
                }
                // The first entry of a model is the one that counts.
                let first = entries.first { $0.models.contains(model) }
                precondition(
                    first?.fault == nil || trust.refusal != nil, "a mistake was overlooked")
            }
        }
    }

    static let revocationList = FuzzTarget(name: "revocation-list") { bytes in
        _ = try? MetadataBlobVerifier(
            anchors: .none, signer: .anyone, revocationLists: [bytes])
    }

    /// A revocation list or a responder's answer: read or refused, and without an issuer it says
    /// nothing.
    static let statusEvidence = FuzzTarget(name: "status-evidence") { bytes in
        var evidence = RevocationData()
        try? evidence.add(bytes)
    }

    /// A certificate: its names and where to ask about it.
    static let certificateNames = FuzzTarget(name: "certificate-names") { bytes in
        guard let leaf = try? AttestationChain(der: [bytes]).leaf else { return }
        _ = (leaf.subjectText, leaf.issuerText, leaf.directoryNames, leaf.shortName)
        _ = (leaf.emailAddresses, leaf.principalNames, leaf.purposeFault)
        _ = (leaf.revocationListAddresses, leaf.responderAddresses)
        precondition(!OCSPRequest(leaf, issuer: leaf).encoded.isEmpty)
    }

    /// Extension outputs of both kinds: authenticator data with the input as their map, or the
    /// input as the client's JSON.
    static let extensions = FuzzTarget(name: "extensions") { bytes in
        let data = try? AuthenticatorData(
            ([UInt8](repeating: 0, count: 32) + [0x80, 0, 0, 0, 0] + bytes)[...])
        let client = (try? JSONParser.parseObject(bytes, maximumBytes: 65536)) ?? JSONObject()
        var created = RegistrationExtensions()
        created.credentialProperties = true
        created.pseudoRandomFunction = true
        created.largeBlob = .preferred
        created.credentialProtection = .userVerificationOptional
        created.minimumPINLength = true
        created.credentialBlob = [1]
        created.userVerificationMethod = true
        let registered = try? RegistrationExtensionResults(
            created, client: client, authenticator: data?.extensions, policy: ExtensionPolicy())
        precondition((registered?.userVerificationMethods.count ?? 0) <= 3)
        var asked = AuthenticationExtensions()
        asked.largeBlob = .read
        asked.credentialBlob = true
        asked.userVerificationMethod = true
        let answered = try? AuthenticationExtensionResults(
            asked, client: client, authenticator: data?.extensions, policy: ExtensionPolicy())
        precondition((answered?.credentialBlob?.count ?? 0) <= 64)
    }
}
