// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// What happened to somebody's session.
public enum SessionEvent: Sendable, Hashable {
    /// A sign-in has begun. Either ``signedIn(_:)`` follows or ``signInFailed(_:_:)``.
    case signingIn(Profile.ID?)
    /// It came to nothing; ``IdentityError/Code/cancelled`` is among the reasons. Whatever session
    /// there was stands.
    case signInFailed(Profile.ID?, IdentityError.Code)
    /// Somebody is signed in, now or still.
    case signedIn(Profile.ID)
    /// Somebody is signed in no more.
    case signedOut(Profile.ID, SignOutReason)
    /// A new access token could not be had; the session stands, and is tried again when one is
    /// next asked for.
    case refreshFailed(Profile.ID, IdentityError.Code)
    /// A newer access token says something else of what the person may do: see
    /// ``Session/entitlements()``.
    case entitlementsChanged(Profile.ID)
    /// The provider has ended the profile here, with a signed word; it was wiped.
    case profileEnded(Profile.ID, IdentityError.Code)

    /// Why somebody is signed in no more.
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

/// The events of a client, for any number of readers. Who begins to read is first told how things
/// stand: one ``SessionEvent/signedIn(_:)`` for each who is. At the start of an app nobody is yet:
/// ``IdentityClient/session(for:)`` brings back whoever is signed in still.
public struct SessionEvents: AsyncSequence, Sendable {
    /// What readers get.
    public typealias Element = SessionEvent
    /// Readers never fail.
    public typealias Failure = Never

    let hub: EventBroadcaster

    /// One reader, from now on.
    public func makeAsyncIterator() -> AsyncStream<SessionEvent>.Iterator {
        hub.stream().makeAsyncIterator()
    }
}

/// Hands each event to every reader.
final class EventBroadcaster: Sendable {
    private let readers = StreamReaders<SessionEvent>()
    /// Held while readers are told, so that whoever comes is told each thing once.
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
            readers.tell(event)
        }
    }
}
