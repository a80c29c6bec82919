// SPDX-License-Identifier: Apache-2.0
import Testing

/// Everything here runs against the built `gatehouse serve` as a process of its own, with real
/// browsers and real peers. One story at a time: the machine is small, and timing is part of it.
@Suite("End to end", .serialized, .timeLimit(.minutes(5)))
enum EndToEnd {}
