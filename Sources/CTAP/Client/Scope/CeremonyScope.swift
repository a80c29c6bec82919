// SPDX-License-Identifier: Apache-2.0
import Crypto

/// The scope of a ceremony: the RP ID, and the client data that the key signs.
struct CeremonyScope: Sendable {
    let relyingPartyId: String
    let clientDataJSON: [UInt8]

    var clientDataHash: [UInt8] { Array(SHA256.hash(data: clientDataJSON)) }
    var relyingPartyIdHash: [UInt8] { Self.hash(relyingPartyId) }

    static func hash(_ text: String) -> [UInt8] { Array(SHA256.hash(data: Array(text.utf8))) }

    init(
        _ type: CollectedClientData.CeremonyType, id: String?, challenge: [UInt8],
        caller: CeremonyCaller, scope: RelyingPartyScope = RelyingPartyScope()
    ) throws(SecurityKeyError) {
        guard !challenge.isEmpty else { throw .malformedOptions("options.challenge") }
        let origin: String
        do throws(RelyingPartyScopeError) {
            switch caller {
            case .web(let text):
                (relyingPartyId, origin) = try scope.check(id: id, origin: text)
            case .app(let domains):
                (relyingPartyId, origin) = try scope.check(id: id, associatedDomains: domains)
            case .browser(let bytes):
                guard let id, DomainName.isValid(id) else { throw .idMalformed }
                (relyingPartyId, clientDataJSON) = (id, bytes)
                return
            }
        } catch { throw .relyingPartyNotAllowed(error) }
        clientDataJSON = CollectedClientData.json(type, challenge: challenge, origin: origin)
    }
}
