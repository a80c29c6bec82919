// SPDX-License-Identifier: Apache-2.0
// An ICU data package without entries, for the ICU in Swift's Foundation (decision 0030). The linker takes
// this definition of `icudt76_dat`, and leaves out the 34 MB of the toolchain's library: locales, calendars,
// time zones, collation, transliteration. Another version of ICU has another symbol, and then nothing changes.
// Debug builds link Foundation dynamically and have all data.
#include "CEmptyICUData.h"

#if defined(__linux__) && !defined(DEBUG)
#include <stdint.h>

// `DataHeader` of ICU's ucmndata.h, then the table of contents of a common data package ("ToCP").
struct package {
    uint16_t header_size;
    uint8_t magic[2];
    uint16_t info_size;
    uint16_t reserved;
    uint8_t is_big_endian, charset_family, size_of_uchar, reserved_byte;
    uint8_t data_format[4], format_version[4], data_version[4];
    uint8_t padding[8];
    uint32_t count, unused;
};

__attribute__((aligned(16))) const struct package icudt76_dat = {
    .header_size = 32,
    .magic = {0xDA, 0x27},
    .info_size = 20,
    .is_big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
    .size_of_uchar = 2,
    .data_format = {'T', 'o', 'C', 'P'},
    .format_version = {1},
};
#endif
