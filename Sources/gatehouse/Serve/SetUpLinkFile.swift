// SPDX-License-Identifier: Apache-2.0
import CommandLineSupport
import Logging
import Platform
import Primitives
import ProviderCore
import ProviderPeople
import Storage

/// The file with the link of the first start. It is removed once an owner can sign in, or once its link is
/// used or expired.
struct SetUpLinkFile: Sendable {
    let path: String
    let provider: Provider

    init(_ directory: DataDirectory, _ provider: Provider) {
        path = "\(directory.path)/\(DataDirectory.setUpLink)"
        self.provider = provider
    }

    func removeIfDone() async {
        do {
            guard let content = try SecretFile.read(path), try await isDone(content) else { return }
            guard try DurableFile.remove(path) else { return }
            provider.log.info("set-up link removed", metadata: ["file": "\(path)"])
        } catch {
            provider.log.error("set-up link not removed", metadata: ["error": "\(error)"])
        }
    }

    private func isDone(_ content: [UInt8]) async throws -> Bool {
        guard
            let home = try await provider.store.projects.project(
                named: AdministratorRoles.homeProject)
        else { return true }
        let text = String(decoding: content.trimmedLine, as: UTF8.self)
        let token = text.split(separator: "=").last.map(String.init) ?? ""
        let link = SetUpLink(provider, project: home.id, now: provider.clock.now)
        return try await !link.isActive(token)
    }
}

/// Removes the file when a role is granted, and passes every event on.
struct SetUpLinkObserver: CeremonyObserver {
    let file: SetUpLinkFile
    let next: any CeremonyObserver

    func observe(action: String, outcome: AuditEvent.Outcome) {
        next.observe(action: action, outcome: outcome)
        guard action == "admin.role.grant", outcome == .accepted else { return }
        Task { await file.removeIfDone() }
    }
}
