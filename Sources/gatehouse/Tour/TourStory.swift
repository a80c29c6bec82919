// SPDX-License-Identifier: Apache-2.0
import Foundation
import GatehouseClient

/// The story, chapter by chapter.
struct TourStory: Sendable {
    let screen: TourScreen
    let house: TourResources
    let provider: TourProvider
    /// The example app on Anna's phone; `nil` if it is not in the directory of this program.
    let notes: TourProgram?
    /// The service with the notes; `nil` without the app.
    let shelf: TourNotes?
    let gatehouse: TourProgram
    let key: TourSecurityKey

    struct Chapter: Sendable {
        let title: String
        let tell: @Sendable () async throws -> Void
    }

    /// Starts the provider and runs all chapters.
    static func tell(_ screen: TourScreen, _ house: TourResources) async throws {
        let provider = try await TourProvider.start(in: house)
        let shelf = try await TourNotes.start(in: house, provider)
        let story = try TourStory(screen, house, provider, shelf)
        for (index, chapter) in story.chapters.enumerated() {
            try await screen.chapter(index + 1, chapter.title)
            try await chapter.tell()
        }
    }

    private init(
        _ screen: TourScreen, _ house: TourResources, _ provider: TourProvider, _ shelf: TourNotes?
    ) throws {
        self.screen = screen
        self.house = house
        self.provider = provider
        self.shelf = shelf
        key = try TourSecurityKey(origin: provider.issuer, screen: screen)
        let settings = Self.settings(house.folder, issuer: provider.issuer, shelf)
        let environment = TourProgram.environment.merging(settings) { $1 }
        func program(_ name: String, _ url: URL) -> TourProgram {
            TourProgram(
                url: url, name: name, folder: house.folder, environment: environment,
                screen: screen)
        }
        gatehouse = program("gatehouse", try TourProgram.gatehouse())
        notes = try TourProgram.notes().map { program("notes", $0) }
        try house.folder.write(
            Self.companion(house.folder, settings, beside: gatehouse.url), to: Self.companionFile)
    }

    private var chapters: [Chapter] {
        [Chapter(title: "A provider") { begin() }]
            + (notes.map { appChapters($0) } ?? [])
            + (TourLaptop.unavailable == nil ? laptopChapters : [])
    }

    // MARK: The first chapter

    private func begin() {
        screen.say(
            """
            A provider runs at \(provider.issuer), in a folder that is thrown away at the end. \
            A file has told it of two apps, Notes and Tasks, and of the service that keeps the \
            notes; of another that vouches for people, \
            \(TourProvider.issuerOfPeople), by its public key; and of Dora, who has a password.
            """)
        if notes == nil {
            screen.say(
                """
                The chapters about the app are left out: the example app notes is not beside this \
                program. make install puts it there, and in a checkout:
                """)
            screen.command(["swift", "build", "--product", "notes"])
        }
        if let reason = TourLaptop.unavailable {
            screen.say("The chapters about the laptop are left out: \(reason).")
        }
        guard screen.waits else { return }
        screen.say("Every command can be typed in another terminal while this one waits, after:")
        screen.command([".", TourProgram.quoted(house.folder.path(Self.companionFile))])
    }

    // MARK: Typing along

    private static let companionFile = "follow"

    /// What the programs of the story find in their environment.
    private static func settings(
        _ folder: TourFolder, issuer: String, _ shelf: TourNotes?
    ) -> [String: String] {
        var settings = [
            "NOTES_ISSUER": issuer, "NOTES_DIRECTORY": folder.path("phone"),
            "GATEHOUSE_AGENT_SOCKET": folder.path(TourLaptop.socket),
        ]
        settings["NOTES_SERVICE"] = shelf?.address
        return settings
    }

    /// The same for a shell that reads it.
    private static func companion(
        _ folder: TourFolder, _ settings: [String: String], beside program: URL
    ) -> String {
        let place = program.deletingLastPathComponent().path(percentEncoded: false)
        let exports = settings.sorted { $0.key < $1.key }
            .map { "export \($0.key)=\(TourProgram.quoted($0.value))" }
        return """
            cd \(TourProgram.quoted(folder.path))
            export PATH=\(TourProgram.quoted(place)):$PATH
            \(exports.joined(separator: "\n"))
            unset GATEHOUSE_SERVER GATEHOUSE_TOKEN GATEHOUSE_TOKEN_FILE

            """
    }
}
