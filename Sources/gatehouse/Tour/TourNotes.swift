// SPDX-License-Identifier: Apache-2.0
import Foundation
import UserClient

/// The app's own service, which keeps the notes: `notes service`, beside the tour's provider.
struct TourNotes: Sendable {
    /// The service's name at the provider: for whom tokens are.
    static let audience = "notes-service"
    static let scope = "notes"

    let address: String

    /// - Returns: `nil` where the app is not beside this program.
    static func start(in house: TourResources, _ provider: TourProvider) async throws -> TourNotes?
    {
        guard let program = try TourProgram.notes() else { return nil }
        let port = try TourProvider.freePort()
        let notes = TourNotes(address: "http://127.0.0.1:\(port)")
        let service = try house.start(
            "the notes service",
            ["service", "--listen", "127.0.0.1:\(port)", "--directory", "notes"], of: program,
            settings: [
                "NOTES_ISSUER": provider.issuer, "NOTES_SERVICE_SECRET": provider.serviceSecret,
            ])
        try await service.wait {
            (try? await notes.ask(with: [])) == 401
        }
        return notes
    }

    /// Asks for notes, as anybody can; the status of the answer.
    func ask(with headers: [(String, String)]) async throws -> Int {
        try await WebClient().send("GET", address + "/notes", headers: headers).status
    }
}
