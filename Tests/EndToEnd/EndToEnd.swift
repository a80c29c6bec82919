// SPDX-License-Identifier: Apache-2.0
import Testing

/// Stories with the built `gatehouse serve` as a process and real peers. They run one
/// at a time, because they measure time and start several processes each.
@Suite("End to end", .serialized, .timeLimit(.minutes(5)))
enum EndToEnd {}

/// Stories of the provider's pages in real browsers. They run one at a time, alongside those of
/// ``EndToEnd``: a browser waits most of its time.
@Suite("End to end, in browsers", .serialized, .timeLimit(.minutes(5)))
enum EndToEndBrowser {}

/// Stories of several processes on one database. They run one at a time, alongside those of
/// ``EndToEnd``: each waits for servers that start, stop or take over.
@Suite("End to end, with several processes", .serialized, .timeLimit(.minutes(5)))
enum EndToEndCluster {}

/// Stories in which a process is killed and started again. They run one at a time, alongside those of
/// ``EndToEnd``: they spend most of their time waiting for a process to start.
@Suite("End to end, with processes that are killed", .serialized, .timeLimit(.minutes(5)))
enum EndToEndKill {}

/// Stories of the agent on a device. They run one at a time, alongside those of ``EndToEnd``: a
/// browser and an agent share nothing but the processor.
@Suite("End to end, with the agent", .serialized, .timeLimit(.minutes(5)))
enum EndToEndAgent {}
