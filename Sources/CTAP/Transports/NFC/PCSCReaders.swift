// SPDX-License-Identifier: Apache-2.0
import CPCSC
import Platform
import Synchronization

/// Cards on the readers of PC/SC, and their coming and going. Whether a card is a security key is
/// found when it is opened.
package struct PCSCReaders: AuthenticatorSource {
    /// The reader name that means "a reader was connected" in calls of PC/SC.
    private static let hotPlug = "\\\\?PnP?\\Notification"

    package init() {}

    package func snapshots() -> AsyncStream<[any AuthenticatorDevice]> {
        AsyncStream { continuation in
            guard let context = PCSC.context() else {
                continuation.yield([])
                return
            }
            let watch = ReaderWatch(context)
            do {
                try BackgroundThread.start(niceness: 0) {
                    watch.run { readers in
                        continuation.yield(readers.map(NFCDevice.init(reader:)))
                    }
                }
                continuation.onTermination = { _ in watch.stop() }
            } catch {
                SCardReleaseContext(context)
                continuation.yield([])
            }
        }
    }

    /// Waits on one thread for readers and cards.
    private final class ReaderWatch: Sendable {
        private let context: SCARDCONTEXT
        private let isEnded = Mutex(false)

        init(_ context: SCARDCONTEXT) { self.context = context }

        /// Ends ``run(_:)``. The context is alive until that has returned, and then is not used.
        func stop() {
            isEnded.withLock { over in
                guard !over else { return }
                over = true
                SCardCancel(context)
            }
        }

        /// Tells the readers that hold a card, at once and at every change.
        func run(_ changed: ([String]) -> Void) {
            var known: [String: PCSC.Word] = [:]
            var latest: [String]?
            while !isEnded.withLock({ $0 }) {
                let readers = PCSC.readers(context)
                known = known.filter { readers.contains($0.key) }
                let isNew = readers.contains { known[$0] == nil }
                guard
                    let states = wait(
                        readers + [PCSCReaders.hotPlug], known, forever: latest != nil && !isNew)
                else { break }
                for reader in readers { known[reader] = states[reader] }
                let present = PCSC.Word(SCARD_STATE_PRESENT)
                let withCard = readers.filter { (known[$0] ?? 0) & present != 0 }
                if withCard != latest { changed(withCard) }
                latest = withCard
            }
            isEnded.withLock { over in
                over = true
                SCardReleaseContext(context)
            }
        }

        /// The state of each reader once something differs from what is known; `nil` at the end.
        private func wait(
            _ readers: [String], _ known: [String: PCSC.Word], forever: Bool
        ) -> [String: PCSC.Word]? {
            let names = readers.map { Array($0.utf8CString) }
            return withPointers(to: names) { pointers in
                var states = zip(readers, pointers).map { reader, pointer in
                    var state = SCARD_READERSTATE()
                    state.szReader = pointer
                    state.dwCurrentState = known[reader] ?? PCSC.Word(SCARD_STATE_UNAWARE)
                    return state
                }
                // At first the present state is wanted, and nothing is waited for.
                let limit = forever ? PCSC.Word(UInt32.max) : 0
                let code = SCardGetStatusChange(
                    context, limit, &states, PCSC.Word(states.count))
                let timedOut: UInt32 = 0x8010_000A
                guard code == 0 || UInt32(truncatingIfNeeded: code) == timedOut else { return nil }
                let changed = PCSC.Word(SCARD_STATE_CHANGED)
                return Dictionary(
                    zip(readers, states.map { $0.dwEventState & ~changed }),
                    uniquingKeysWith: { first, _ in first })
            }
        }

        private func withPointers<Value>(
            to names: [[CChar]], _ body: ([UnsafePointer<CChar>]) -> Value
        ) -> Value {
            let all = names.flatMap { $0 }
            return all.withUnsafeBufferPointer { buffer in
                var offset = 0
                var pointers: [UnsafePointer<CChar>] = []
                for name in names {
                    if let base = buffer.baseAddress { pointers.append(base + offset) }
                    offset += name.count
                }
                return body(pointers)
            }
        }
    }
}
