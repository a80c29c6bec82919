// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// What the tour has made, and takes away at its end, whatever that is: a folder, the wire, and
/// programs that stay.
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

    /// Starts a program that stays: this one, unless another is named.
    func start(
        _ name: String, _ words: [String], of program: URL? = nil,
        settings: [String: String] = [:]
    ) throws -> TourService {
        let service = try TourService(name, words, of: program, in: folder, settings: settings)
        services.withLock { $0.append(service) }
        return service
    }

    /// Somebody who should be there and is not: the reason of whatever went wrong.
    var missing: TourService? { services.withLock { $0.first { !$0.isRunning } } }

    func close() async {
        let all = services.withLock { $0 }
        for service in all.reversed() { await service.stop() }
        await wire.close()
        folder.remove()
    }
}
