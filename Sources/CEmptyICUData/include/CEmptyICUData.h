// SPDX-License-Identifier: Apache-2.0
// Declares nothing: a program contains what CEmptyICUData.c defines because it links this target.
#ifndef C_EMPTY_ICU_DATA_H
#define C_EMPTY_ICU_DATA_H
#endif
