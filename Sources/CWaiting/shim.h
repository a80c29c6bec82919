// SPDX-License-Identifier: Apache-2.0
// Signals and times as descriptors, which Swift's own module of the C library leaves out.
#ifndef GATEHOUSE_WAITING_H
#define GATEHOUSE_WAITING_H
#ifdef __linux__
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#endif
#endif
