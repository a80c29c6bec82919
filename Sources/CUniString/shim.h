// SPDX-License-Identifier: Apache-2.0
#include <stdint.h>
#include <stdlib.h>
#include <uninorm.h>

// The names of the forms are macros for addresses of incomplete types, which Swift cannot see.
enum unistring_form { unistring_c, unistring_kc, unistring_kd };

// Returns text that the caller frees, or a null pointer (out of memory, or not UTF-8).
static inline uint8_t *unistring_normalize(
    enum unistring_form form, const uint8_t *text, size_t count, size_t *length) {
    uninorm_t normalization =
        form == unistring_c ? UNINORM_NFC : form == unistring_kc ? UNINORM_NFKC : UNINORM_NFKD;
    return u8_normalize(normalization, text, count, (uint8_t *)0, length);
}

static inline void unistring_free(uint8_t *text) { free(text); }
