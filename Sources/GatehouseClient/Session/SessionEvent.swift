// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A change of a person's session.
public enum SessionEvent: Sendable, Hashable {
    /// A sign-in has begun. Either ``signedIn(_:)`` follows or ``signInFailed(_:_:)``.
    case signingIn(Profile.ID?)
    /// A sign-in has failed, or was cancelled (``IdentityError/Code/cancelled``). An earlier
    /// session stays active.
    case signInFailed(Profile.ID?, IdentityError.Code)
    /// A person is signed in.
    case signedIn(Profile.ID)
    /// A person is signed out.
    case signedOut(Profile.ID, SignOutReason)
    /// A renewal of the access token has failed. The session stays active, and the next request for
    /// a token tries again.
    case refreshFailed(Profile.ID, IdentityError.Code)
    /// A newer access token says something else of what the person may do: see
    /// ``UserSession/entitlements()``.
    case entitlementsChanged(Profile.ID)
    /// The provider has ended the profile here, with a signed word; it was wiped.
    case profileEnded(Profile.ID, IdentityError.Code)

    /// The reason of a sign-out.
    public enum SignOutReason: Sendable, Hashable {
        /// The app asked for it.
        case requested
        /// The provider takes the tokens no longer. Profile and key are kept: this is no signed
        /// word, and the person may sign in again.
        case refused
        /// The profile was removed here.
        case removed
    }
}

/// The events of a client, for any number of readers. A reader first receives one
/// ``SessionEvent/signedIn(_:)`` for each current session. There are none when an app starts:
/// ``IdentityClient/session(for:)`` restores them.
public struct SessionEvents: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = SessionEvent
    /// Readers never fail.
    public typealias Failure = Never

    let events: EventBroadcaster

    /// Returns an iterator that starts with the current sessions.
    public func makeAsyncIterator() -> AsyncStream<SessionEvent>.Iterator {
        events.stream().makeAsyncIterator()
    }
}

/// Hands each event to every reader.
final class EventBroadcaster: Sendable {
    private let readers = StreamReaders<SessionEvent>()
    /// The current sessions. Locked while readers are notified, so that a new reader receives each
    /// event once.
    private let signedIn = Mutex<[Profile.ID]>([])

    func stream() -> AsyncStream<SessionEvent> {
        signedIn.withLock { readers.add(telling: $0.map { .signedIn($0) }) }
    }

    func send(_ event: SessionEvent) {
        signedIn.withLock { signedIn in
            switch event {
            case .signedIn(let id): if !signedIn.contains(id) { signedIn.append(id) }
            case .signedOut(let id, _), .profileEnded(let id, _): signedIn.removeAll { $0 == id }
            case .signingIn, .signInFailed, .refreshFailed, .entitlementsChanged: break
            }
            readers.yield(event)
        }
    }
}
