// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import Storage

extension DevicePlace.Name {
    /// As the index of it has it.
    private var folded: String { "lower(\(rawValue))" }

    private var select: String {
        "SELECT \(Device.columns.list) FROM devices WHERE project_id = $1"
    }

    fileprivate var starting: String {
        "\(select) AND \(folded) >= $2 AND \(folded) < $3 ORDER BY \(folded), id LIMIT $4"
    }

    /// The others that are called the same.
    fileprivate var same: String {
        "\(select) AND \(folded) = $2 AND id > $3 ORDER BY id LIMIT $4"
    }

    fileprivate var beyond: String {
        "\(select) AND \(folded) > $2 AND \(folded) < $3 ORDER BY \(folded), id LIMIT $4"
    }
}

extension SQLStore {
    package func devices(
        of project: Identifier<Project>, by name: DevicePlace.Name, startingWith prefix: String,
        after place: DevicePlace?, limit: Int
    ) async throws -> [Device] {
        let range = PrefixRange(DevicePlace.folded(prefix), after: place?.text)
        guard range.goesOn, let place else {
            return try await all(
                Device.init, name.starting, project, range.begin, range.end, limit)
        }
        // SQLite looks up no pair of which one is computed: two questions, in one read.
        let (same, beyond) = (name.same, name.beyond)
        return try await engine.read { connection in
            let first = try connection.run(same, project, place.text, place.device, limit)
            guard first.count < limit else { return first }
            return try first
                + connection.run(beyond, project, place.text, range.end, limit - first.count)
        }.records(Device.init)
    }
}
