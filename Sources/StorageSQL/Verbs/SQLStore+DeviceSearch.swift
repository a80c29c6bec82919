// SPDX-License-Identifier: Apache-2.0
package import Primitives
package import Storage

private let devicesBySerial = devices(by: .serial)
private let devicesByHostName = devices(by: .hostName)

/// As the indexes of the names have them.
private func devices(by name: DevicePlace.Name) -> PrefixList {
    PrefixList(
        "SELECT \(Device.columns.list) FROM devices WHERE project_id = $1",
        by: "lower(\(name.rawValue))", tie: "id")
}

private let tokensByLabel = tokens(by: .label)
private let tokensBySerial = tokens(by: .serial)

private func tokens(by name: DeviceTokenPlace.Name) -> PrefixList {
    PrefixList(
        "SELECT \(DeviceToken.columns.list) FROM device_tokens WHERE project_id = $1",
        by: "lower(\(name.rawValue))", tie: "id")
}

extension SQLStore {
    package func deviceTokens(
        of project: Identifier<Project>, by name: DeviceTokenPlace.Name,
        startingWith prefix: String, after place: DeviceTokenPlace?, limit: Int
    ) async throws -> [DeviceToken] {
        let list =
            switch name {
            case .label: tokensByLabel
            case .serial: tokensBySerial
            }
        return try await all(
            DeviceToken.init, list, of: project, startingWith: DevicePlace.folded(prefix),
            after: place.map { ($0.text, $0.token) }, limit: limit)
    }

    package func devices(
        of project: Identifier<Project>, by name: DevicePlace.Name, startingWith prefix: String,
        after place: DevicePlace?, limit: Int
    ) async throws -> [Device] {
        let list =
            switch name {
            case .serial: devicesBySerial
            case .hostName: devicesByHostName
            }
        return try await all(
            Device.init, list, of: project, startingWith: DevicePlace.folded(prefix),
            after: place.map { ($0.text, $0.device) }, limit: limit)
    }
}
