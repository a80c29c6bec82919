// SPDX-License-Identifier: Apache-2.0
import Primitives
import Storage

extension ConformanceCase {
    static let machineSearches: [ConformanceCase] = [
        ConformanceCase("machines are found by how their serial number begins, page by page") {
            f in
            var known: [Device] = []
            for serial in ["C02B", "c02a", "C02AA", "C0", "C02\u{E9}", "D1", ""] {
                known.append(try await f.registeredMachine(serial: serial).0)
            }
            func find(_ prefix: String, after last: Device? = nil) async throws -> [Device] {
                try await f.store.devices.devices(
                    of: f.project.id, by: .serial, startingWith: prefix,
                    after: last.map { SearchCursor($0, by: .serial) }, limit: 2)
            }
            let same = Array(known[1...2])
            try expectEqual(await find("C02"), same)
            try expectEqual(await find("c02", after: same[0]), [same[1], known[0]])
            try expectEqual(await find("c02", after: known[0]), [known[4]])
            try expectEqual(await find("c02", after: known[4]), [])
            try expectEqual(await find("C0", after: known[6]), [known[3], same[0]])
            try expectEqual(await find("%"), [])
            let others = try await f.store.devices.devices(
                of: f.identifier(), by: .serial, startingWith: "C", after: nil, limit: 2)
            try expectEqual(others, [])
        },
        ConformanceCase("registration tokens are found by label and serial number, page by page") {
            f in
            func add(_ label: String, _ serial: String? = nil) async throws -> RegistrationToken {
                var token = f.makeToken(serial: serial)
                token.label = label
                try await f.store.devices.save(token)
                return token
            }
            let known = [
                try await add("Fleet"), try await add("fleet"), try await add("Fleet 2", "C02A"),
                try await add("lab", "c02b"), try await add(""),
            ]
            func find(
                _ prefix: String, _ name: RegistrationToken.SearchName = .label,
                after last: RegistrationToken? = nil
            ) async throws -> [RegistrationToken] {
                try await f.store.devices.deviceTokens(
                    of: f.project.id, by: name, startingWith: prefix,
                    after: last.flatMap { SearchCursor(SearchCursor($0, by: name).key) },
                    limit: 2)
            }
            let same = known[0...1].sorted { $0.id < $1.id }
            try expectEqual(await find("FLEET"), same)
            try expectEqual(await find("fleet", after: same[0]), [same[1], known[2]])
            try expectEqual(await find("fleet", after: known[2]), [])
            try expectEqual(await find("fleet 2"), [known[2]])
            try expectEqual(await find("C02", .serial), [known[2], known[3]])
            try expectEqual(await find("c02", .serial, after: known[2]), [known[3]])
            try expectEqual(await find("%"), [])
            let others = try await f.store.devices.deviceTokens(
                of: f.identifier(), by: .label, startingWith: "f", after: nil, limit: 2)
            try expectEqual(others, [])
        },
        ConformanceCase("machines that are called the same are found by their name, each once") {
            f in
            var known: Set<Identifier<Device>> = []
            for number in 0..<5 {
                known.insert(try await f.registeredMachine(serial: "S\(number)").0.id)
            }
            var found: [Identifier<Device>] = []
            var place: SearchCursor<Device>?
            repeat {
                let page = try await f.store.devices.devices(
                    of: f.project.id, by: .hostName, startingWith: "ANNA's", after: place,
                    limit: 2)
                found += page.map(\.id)
                place = page.last.flatMap { SearchCursor(SearchCursor($0, by: .hostName).key) }
            } while place != nil
            try expectEqual(found, known.sorted())
        },
    ]
}
