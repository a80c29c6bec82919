// SPDX-License-Identifier: Apache-2.0
#include <argon2.h>
#ifdef __GLIBC__
// malloc_trim, which Swift's Glibc module leaves out: Argon2's memory goes back when nobody hashes.
#include <malloc.h>
#endif
