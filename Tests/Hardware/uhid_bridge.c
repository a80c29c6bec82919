// SPDX-License-Identifier: Apache-2.0
// Makes the kernel believe that a security key is plugged in: carries reports between /dev/uhid
// and the pty of a software key. The key is unplugged when this program ends.
//
//     uhid_bridge PTY NAME
#include <errno.h>
#include <fcntl.h>
#include <linux/input.h>
#include <linux/uhid.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

// CTAP 2.2 section 11.2.8.1: usage page F1D0, usage 01, 64 bytes in, 64 bytes out.
static const unsigned char descriptor[] = {
    0x06, 0xD0, 0xF1, 0x09, 0x01, 0xA1, 0x01, 0x09, 0x20, 0x15, 0x00, 0x26, 0xFF,
    0x00, 0x75, 0x08, 0x95, 0x40, 0x81, 0x02, 0x09, 0x21, 0x15, 0x00, 0x26, 0xFF,
    0x00, 0x75, 0x08, 0x95, 0x40, 0x91, 0x02, 0xC0,
};

static int create(int uhid, const char *name) {
    struct uhid_event event = {.type = UHID_CREATE2};
    snprintf((char *)event.u.create2.name, sizeof event.u.create2.name, "%s", name);
    memcpy(event.u.create2.rd_data, descriptor, sizeof descriptor);
    event.u.create2.rd_size = sizeof descriptor;
    event.u.create2.bus = BUS_USB;
    event.u.create2.vendor = 0x1209;
    event.u.create2.product = 0xF1D0;
    return write(uhid, &event, sizeof event) < 0 ? -1 : 0;
}

// A whole report, in however many pieces it comes.
static int take(int file, unsigned char *report, size_t size) {
    for (size_t have = 0; have < size;) {
        ssize_t count = read(file, report + have, size - have);
        if (count <= 0) return -1;
        have += (size_t)count;
    }
    return 0;
}

static int put(int file, const unsigned char *report, size_t size) {
    for (size_t done = 0; done < size;) {
        ssize_t count = write(file, report + done, size - done);
        if (count <= 0) return -1;
        done += (size_t)count;
    }
    return 0;
}

// From the kernel: what a client wrote to /dev/hidraw, with its report number in front.
static int down(int uhid, int key) {
    struct uhid_event event;
    if (read(uhid, &event, sizeof event) < 0) return -1;
    if (event.type != UHID_OUTPUT) return 0;
    unsigned char report[65] = {0};
    if (event.u.output.size > sizeof report) return 0;
    memcpy(report, event.u.output.data, event.u.output.size);
    return put(key, report, sizeof report);
}

static int up(int uhid, int key) {
    struct uhid_event event = {.type = UHID_INPUT2};
    event.u.input2.size = 64;
    if (take(key, event.u.input2.data, 64) < 0) return -1;
    return write(uhid, &event, sizeof event) < 0 ? -1 : 0;
}

int main(int count, char **words) {
    if (count != 3) return 2;
    int key = open(words[1], O_RDWR | O_NOCTTY);
    int uhid = open("/dev/uhid", O_RDWR);
    struct termios settings;
    if (key < 0 || uhid < 0 || tcgetattr(key, &settings) < 0) return perror("open"), 1;
    cfmakeraw(&settings);
    tcsetattr(key, TCSANOW, &settings);
    if (create(uhid, words[2]) < 0) return perror("UHID_CREATE2"), 1;
    for (;;) {
        struct pollfd files[] = {{uhid, POLLIN, 0}, {key, POLLIN, 0}};
        if (poll(files, 2, -1) < 0 && errno != EINTR) return 1;
        if (files[0].revents && down(uhid, key) < 0) return 1;
        if (files[1].revents && up(uhid, key) < 0) return 1;
    }
}
