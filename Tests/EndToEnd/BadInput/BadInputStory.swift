// SPDX-License-Identifier: Apache-2.0
import Support
import Testing

extension EndToEnd {
    /// Every route with everything bad: a clear refusal, constant memory, and the next honest
    /// request is served.
    @Suite("Bad input")
    struct BadInputStory {
        /// KiB that a run may leave behind. Allocators keep pages; a leak would be far more.
        private static let memoryAllowance = 24 * 1024

        private func withServer(
            _ story: (ServerProcess) async throws -> Void
        ) async throws {
            let server = try await ServerProcess("bad-input")
            try await server.apply(DeclaredState(clients: [DeclaredState.service("honest")]).text)
            for _ in 0..<20 { try await expectHonestService(server) }
            let before = server.child.residentKiB
            try await story(server)
            try await expectHonestService(server)
            let after = server.child.residentKiB
            #expect(
                after - before < Self.memoryAllowance, "VmRSS went from \(before) to \(after) KiB")
            try await server.stop()
        }

        private func expectHonestService(_ server: ServerProcess) async throws {
            let discovery = try await server.get("/.well-known/openid-configuration")
            #expect(discovery.status == 200)
            let token = try await server.post(
                "/token",
                [("grant_type", "client_credentials")],
                headers: [basicAuthorization("honest", DeclaredState.secret)])
            #expect(token.status == 200, "\(token.text)")
        }

        @Test("what discovery advertises is in the table of routes")
        func table() async throws {
            try await withServer { server in
                let documents = [
                    "/.well-known/openid-configuration", "/.well-known/oauth-authorization-server",
                ]
                let known = Set(ServerRoute.all.map(\.path))
                for path in documents {
                    let json = try JSON(parsing: try await server.get(path).body)
                    guard case .object(let members) = json else { continue }
                    for (name, value) in members
                    where name.hasSuffix("_endpoint") || name == "jwks_uri" {
                        let url = value.string ?? ""
                        let advertised = String(url.dropFirst(server.issuer.count))
                        #expect(known.contains(advertised), "\(name): \(url)")
                    }
                }
            }
        }

        @Test("a request that is bad in itself is refused, on every route")
        func hostileRequests() async throws {
            try await withServer { server in
                for route in ServerRoute.all {
                    for request in HostileRequest.all(for: route) {
                        try await expectRefusal(of: request, route, server)
                    }
                    try await expectHonestService(server)
                }
            }
        }

        private func expectRefusal(
            of request: HostileRequest, _ route: ServerRoute, _ server: ServerProcess
        ) async throws {
            let port = server.port
            do {
                let answer = try await blocking {
                    let connection = try Connection(port: port)
                    // The response may arrive before all is sent, and the server has then closed
                    // the connection.
                    try? connection.send(request.bytes)
                    return try connection.answer()
                }
                #expect(
                    (400..<500).contains(answer.status),
                    "\(route), \(request.about): \(answer.status) \(answer.text.prefix(200))")
            } catch {
                Issue.record("\(route), \(request.about): no answer, \(error)")
            }
        }

        @Test("a body of 1 GB is cut off at the limit, counted or in chunks")
        func hugeBodies() async throws {
            try await withServer { server in
                for route in ServerRoute.all where route.method == "POST" {
                    for chunked in [false, true] {
                        let port = server.port
                        let (sent, status) = try await blocking {
                            try HugeBody.send(to: route, port: port, chunked: chunked)
                        }
                        let about = "\(route), chunked: \(chunked)"
                        #expect(sent < HugeBody.patience, "\(about): took \(sent) bytes")
                        #expect(status == 413 || status == nil, "\(about): \(status ?? 0)")
                        if !chunked { #expect(status == 413, "\(about)") }
                    }
                    try await expectHonestService(server)
                }
            }
        }

        @Test("who drips is shown out, while others are served")
        func slowRequests() async throws {
            try await withServer { server in
                let port = server.port
                try await withThrowingTaskGroup(of: String?.self) { group in
                    for route in ServerRoute.all {
                        for part in SlowRequest.Part.allCases where part.fits(route) {
                            group.addTask {
                                try await SlowRequest(route: route, part: part).run(port: port)
                            }
                        }
                    }
                    try await expectHonestService(server)
                    for try await complaint in group {
                        if let complaint { Issue.record("\(complaint)") }
                    }
                }
            }
        }
    }
}
