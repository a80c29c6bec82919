// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// The resources of the tour, which it removes at its end: a directory, the proxy and background
/// programs.
final class TourResources: Sendable {
    let folder: TourFolder
    let wire: TourWire
    private let services = Mutex<[TourService]>([])

    private init(folder: TourFolder, wire: TourWire) {
        self.folder = folder
        self.wire = wire
    }

    static func open(_ screen: TourScreen) async throws -> TourResources {
        let wire = try await TourWire.open(screen)
        do { return TourResources(folder: try TourFolder(), wire: wire) } catch {
            await wire.close()
            throw error
        }
    }

    /// Starts a background program: this one, unless another is named.
    func start(
        _ name: String, _ words: [String], of program: URL? = nil,
        settings: [String: String] = [:]
    ) throws -> TourService {
        let service = try TourService(name, words, of: program, in: folder, settings: settings)
        services.withLock { $0.append(service) }
        return service
    }

    /// A service that has stopped unexpectedly, and is the reason of an error.
    var missing: TourService? { services.withLock { $0.first { !$0.isRunning } } }

    func close() async {
        let all = services.withLock { $0 }
        for service in all.reversed() { await service.stop() }
        await wire.close()
        folder.remove()
    }
}
