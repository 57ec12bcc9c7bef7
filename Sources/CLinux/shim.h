/* What Swift's Glibc module cannot see: epoll and friends, function-like macros, variadics. Every name of our own
   starts with dashrig_. Never define _GNU_SOURCE here: it clashes with the SwiftGlibc module. */
#pragma once
#include <linux/input.h>
#include <linux/types.h>
#include <linux/usbdevice_fs.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <unistd.h>
