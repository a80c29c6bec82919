// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension SQLDevices {
    func devices(
        of project: Identifier<Project>, by name: Device.SearchName, startingWith prefix: String,
        after place: SearchCursor<Device>?, limit: Int
    ) async throws -> [Device] {
        try await found(
            Device.init, "SELECT \(Device.columns.list) FROM devices", of: project, by: name,
            startingWith: prefix, after: place, limit: limit)
    }

    func deviceTokens(
        of project: Identifier<Project>, by name: RegistrationToken.SearchName,
        startingWith prefix: String, after place: SearchCursor<RegistrationToken>?, limit: Int
    ) async throws -> [RegistrationToken] {
        try await found(
            RegistrationToken.init, "SELECT \(RegistrationToken.columns.list) FROM device_tokens",
            of: project, by: name, startingWith: prefix, after: place, limit: limit)
    }

    private func found<Thing: PrefixSearchable>(
        _ make: @Sendable (inout SQLRow) throws -> Thing, _ select: String,
        of project: Identifier<Project>, by name: Thing.SearchName,
        startingWith prefix: String, after place: SearchCursor<Thing>?, limit: Int
    ) async throws -> [Thing] {
        // In the form of the indexes.
        let list = PrefixList(
            "\(select) WHERE project_id = $1", by: "lower(\(name.rawValue))", tie: "id")
        return try await all(
            make, list, of: project, startingWith: Thing.folded(prefix),
            after: place.map { ($0.text, $0.id) }, limit: limit)
    }
}
