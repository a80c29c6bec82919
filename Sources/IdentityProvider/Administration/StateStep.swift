// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

/// One step from what is to what is wanted: what it changes, and the record to write for it.
struct StateStep: Sendable {
    enum Write: Sendable {
        case none
        case project(Project)
        case client(Client)
        case issuerKey(IssuerKey)
        case entitlementSet(EntitlementSet)
        case entitlementSequence(EntitlementSequence)
        case upstreamProvider(UpstreamProvider)
        case administrator(Administrator)
        case createPerson(Person, password: Secret?)
        case updatePerson(Person, password: Secret?)
    }

    var change: StateChange
    var write: Write = .none
}
