// SPDX-License-Identifier: Apache-2.0
import JOSE
import ProviderAdministration
import Testing

@Suite struct AdministrativeOperationTests {
    @Test("every placeholder of a path is a parameter, and its value is percent-encoded")
    func paths() throws {
        for operation in AdministrativeOperation.allCases {
            let names = operation.route.path.split(separator: "/").filter { $0.hasPrefix("{") }
                .map { String($0.dropFirst().dropLast()) }
            let values = AdministrativeOperation.parameters(names.map { ($0, "a/\($0)") })
            #expect(values.count == names.count, "\(operation)")
            let expected = names.reduce(operation.route.path) { path, name in
                path.replacing("{\(name)}", with: "a%2F\(name)")
            }
            #expect(try operation.path(values) == expected)
        }
    }

    @Test("a missing parameter is reported with the operation and its name")
    func missing() throws {
        for operation in AdministrativeOperation.allCases
        where operation.route.path.contains("{project}") {
            let error = #expect(throws: AdministrativeOperation.MissingParameter.self) {
                try operation.path([.person: "anna"])
            }
            #expect(error?.description == "\(operation) needs the parameter {project}")
        }
    }

    @Test("a method and a path belong to one operation")
    func routes() {
        let routes = AdministrativeOperation.allCases.map { operation in
            let path = operation.route.path.split(separator: "/").map {
                $0.hasPrefix("{") ? "{}" : $0
            }
            return "\(operation.route.method.rawValue) \(path.joined(separator: "/"))"
        }
        #expect(Set(routes).count == routes.count)
    }

    @Test("only the operator calls what concerns the server, and a person is disabled by support")
    func rights() {
        let withoutRight = AdministrativeOperation.allCases.filter { $0.right == nil }
        #expect(
            Set(withoutRight) == [
                .showStore, .backUpStore, .sweepStore, .rotateToken, .makeSetUpLink,
            ])
        #expect(AdministrativeOperation.putPerson.right(for: ["disabled": true]) == .changePeople)
        #expect(AdministrativeOperation.putPerson.right(for: ["name": "Anna"]) == .editPeople)
        #expect(
            AdministrativeOperation.putPerson.right(for: ["disabled": true, "name": "A"])
                == .editPeople)
        #expect(AdministrativeOperation.putPerson.right(for: .null) == .editPeople)
    }
}
