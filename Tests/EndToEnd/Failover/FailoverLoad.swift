// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing

/// Clients and health checks of both processes while something happens to the database.
struct FailoverLoad {
    static let clients = 2
    let house: FailoverHouse
    let name: String
    private let watches: [Watch]
    private let health: [HealthWatch]

    init(_ name: String, house: FailoverHouse) {
        (self.name, self.house) = (name, house)
        watches = house.servers.map { _ in Watch() }
        health = house.servers.map { HealthWatch(port: $0.port) }
    }

    /// Runs the load until both processes respond again after `disturb`, and for some time before
    /// and after it. Then every response must have been true.
    ///
    /// - Returns: The accounts and sessions that were acknowledged.
    func run(
        _ disturb: () async throws -> Outage?
    ) async throws -> [Ledger.Account] {
        let (ledgers, outage) = try await load(disturb)
        for index in watches.indices { try check(index, ledgers[index], outage) }
        // What one process has acknowledged is true at the other.
        let ports = house.servers.map(\.port)
        try await blocking {
            for index in ports.indices {
                try Audit(port: ports[1 - index]).check(ledgers[index])
            }
        }
        report(ledgers, outage)
        return ledgers.flatMap(\.accounts)
    }

    private func load(
        _ disturb: () async throws -> Outage?
    ) async throws -> ([Ledger], Outage?) {
        try await withThrowingTaskGroup(of: (Int, Ledger).self) { group in
            for index in watches.indices { start(index, in: &group) }
            defer { for watch in watches { watch.end() } }
            for watch in watches { try await watch.wait(forMore: 30) }
            let outage = try await disturb()
            if let outage { try await readings(after: outage) }
            for watch in watches { try await watch.wait(forMore: 40) }
            for watch in watches { watch.end() }
            var ledgers = watches.map { _ in Ledger() }
            for try await (index, ledger) in group { ledgers[index] = ledgers[index] + ledger }
            return (ledgers, outage)
        }
    }

    private func start(_ index: Int, in group: inout ThrowingTaskGroup<(Int, Ledger), any Error>) {
        let (watch, health, port) = (watches[index], health[index], house.servers[index].port)
        let name = name
        let issuer = house.issuer
        let seed = { @Sendable (number: Int) in
            // Usernames of one load differ from those of the others.
            name.utf8.reduce(UInt64(number)) { $0 &* 31 &+ UInt64($1) }
        }
        group.addTask {
            try await blocking { health.read { watch.isOver } }
            return (index, Ledger())
        }
        for client in 0..<Self.clients {
            let person = "worker\(client)"
            group.addTask {
                try await blocking {
                    let agent = FormAgent(port: port, issuer: issuer)
                    try agent.signIn(person, DeclaredState.password)
                    var client = ClusterClient(
                        agent: agent, seed: seed(index * 10 + client), watch: watch,
                        person: person)
                    client.ledger.accounts = [.init(username: person, cookies: agent.cookies)]
                    return (index, client.work())
                }
            }
        }
    }

    /// Waits for readings of the health after the time in which errors are permitted.
    private func readings(after outage: Outage) async throws {
        for (health, bound) in zip(health, FailoverHouse.bounds) {
            try await eventually("readings of the health after the outage") {
                health.all.contains { $0.sent > outage.end + bound } ? true : nil
            }
        }
    }

    private func check(
        _ index: Int, _ ledger: Ledger, _ outage: Outage?
    ) throws {
        let (watch, health, place) = (watches[index], health[index], "\(name), process \(index)")
        #expect(watch.interruptions == 0, "\(place): a request was not answered")
        #expect(watch.failures.allSatisfy { $0.isTemporary }, "\(place): \(watch.failures)")
        #expect(health.all.allSatisfy { $0.live == 200 }, "\(place) was not live")
        guard let outage else {
            #expect(watch.failures.isEmpty, "\(place): \(watch.failures)")
            return
        }
        let bound = FailoverHouse.bounds[index]
        let late = watch.failures(outside: outage, bound: bound)
        #expect(late.isEmpty, "\(place): \(late)")
        let after = health.all.filter { $0.sent > outage.end + bound }
        #expect(after.allSatisfy { $0.ready == 200 }, "\(place) is not ready again in time")
    }

    /// From one second after the start of the outage until just before its end, no process may
    /// say that it is ready.
    func expectNotReady(from start: ContinuousClock.Instant, to end: ContinuousClock.Instant) {
        let (first, last) = (start + .seconds(1), end - .milliseconds(500))
        guard first < last else { return }
        for (index, health) in health.enumerated() {
            #expect(
                health.readings(within: first...last).allSatisfy { $0.ready == 503 },
                "\(name): process \(index) was ready without a primary")
        }
    }

    func waitUntilNotReady() async throws {
        try await eventually("no process is ready", within: .seconds(5)) {
            health.allSatisfy { !$0.isReady } ? true : nil
        }
    }

    private func report(_ ledgers: [Ledger], _ outage: Outage?) {
        let answers = ledgers.map(\.count).reduce(0, +)
        let errors = watches.map { "\($0.failures.count)" }.joined(separator: " and ")
        var text = "failover, \(name): \(answers) answers held, \(errors) temporary errors"
        if let outage {
            text += ", \(outage.end - outage.start) without a primary"
            for (index, watch) in watches.enumerated() {
                let last = watch.failures.map(\.received).max() ?? outage.end
                text += ", process \(index) \(last - outage.end) more"
            }
        }
        print(text)
    }
}
