// SPDX-License-Identifier: Apache-2.0
import UserClient

/// The service of the example app, which stores the notes: a `notes service` process.
struct TourNotes: Sendable {
    /// The name of the service at the provider, which is the audience of its tokens.
    static let audience = "notes-service"
    static let scope = "notes"

    let address: String

    /// Returns `nil` if the app is not in the directory of this program.
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

    /// Requests the notes without further authentication, and returns the status of the response.
    func ask(with headers: [(String, String)]) async throws -> Int {
        try await WebClient().send("GET", address + "/notes", headers: headers).status
    }
}
