/* What `dashrigd` is compared with: the smallest program that reads a knob and tells everybody who is connected.

     bench-forwarder NODE SOCKET

   One epoll loop. Each report of the knob becomes one message, of the same text as the daemon's event, ended by NUL; what
   one read of the node brings is sent to each client with one call. No filters, no state, no history: who connects is
   told from then on, and who does not read is let go. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/input.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { READ_EVENTS = 256, MESSAGE = 320, CLIENTS = 1024, PENDING = 1 << 20 };

struct client {
    int fd;
    size_t pending, sent;
    char *queue;
};

static struct client clients[CLIENTS];
static int loop, client_count;
static uint64_t base;

static void die(const char *what) {
    fprintf(stderr, "bench-forwarder: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void watch(int operation, int fd, uint32_t events, uint64_t key) {
    struct epoll_event event = {.events = events, .data.u64 = key};
    if (epoll_ctl(loop, operation, fd, &event) != 0) die("epoll_ctl");
}

static void drop(struct client *client) {
    close(client->fd);
    client->fd = -1;
    client->pending = client->sent = 0;
}

static void send_pending(struct client *client, uint64_t key) {
    ssize_t count = send(client->fd, client->queue + client->sent, client->pending - client->sent, MSG_NOSIGNAL);
    if (count < 0) {
        if (errno != EAGAIN) drop(client);
        return;
    }
    client->sent += (size_t)count;
    if (client->sent < client->pending) return;
    client->sent = client->pending = 0;
    watch(EPOLL_CTL_MOD, client->fd, EPOLLIN, key);
}

static void tell(struct client *client, uint64_t key, const char *text, size_t size) {
    size_t done = 0;
    if (client->pending == 0) {
        ssize_t count = send(client->fd, text, size, MSG_NOSIGNAL);
        if (count == (ssize_t)size) return;
        if (count < 0 && errno != EAGAIN) return drop(client);
        if (count > 0) done = (size_t)count;
    }
    if (client->pending + size - done > PENDING) return drop(client);
    if (client->pending == 0) watch(EPOLL_CTL_MOD, client->fd, EPOLLIN | EPOLLOUT, key);
    memcpy(client->queue + client->pending, text + done, size - done);
    client->pending += size - done;
}

static void forward(int node) {
    static struct input_event events[READ_EVENTS];
    static char text[READ_EVENTS * MESSAGE];
    static uint64_t sequence, inputs;
    static int32_t detents;
    ssize_t count = read(node, events, sizeof events);
    if (count <= 0) {
        if (count < 0 && errno == EAGAIN) return;
        die("read");
    }
    size_t size = 0;
    for (size_t index = 0; index < (size_t)count / sizeof *events; index++) {
        const struct input_event *event = &events[index];
        if (event->type == EV_REL && event->code == REL_DIAL) detents += event->value;
        if (event->type != EV_SYN || event->code != SYN_REPORT || detents == 0) continue;
        uint64_t time = (uint64_t)event->input_event_sec * 1000000000u + (uint64_t)event->input_event_usec * 1000u;
        size += (size_t)sprintf(
            text + size,
            "{\"parameters\":{\"event\":{\"sequence\":%" PRIu64 ",\"time\":%" PRIu64
            ",\"kind\":\"input.knob\",\"origin\":\"observed\",\"input\":{\"id\":%" PRIu64
            ",\"source\":\"knob-1\"},\"knob\":{\"gesture\":\"rotate\",\"detents\":%" PRId32 "}}},\"continues\":true}",
            ++sequence, time - base, ++inputs, detents) + 1;
        detents = 0;
    }
    if (size == 0) return;
    for (int index = 0; index < client_count; index++) {
        if (clients[index].fd >= 0) tell(&clients[index], (uint64_t)index + 2, text, size);
    }
}

static void take(int listener) {
    int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0) return;
    int place = 0;
    while (place < client_count && clients[place].fd >= 0) place++;
    if (place == CLIENTS) {
        close(fd);
        return;
    }
    if (place == client_count) client_count++;
    struct client *client = &clients[place];
    client->fd = fd;
    if (!client->queue && !(client->queue = malloc(PENDING))) die("malloc");
    watch(EPOLL_CTL_ADD, fd, EPOLLIN, (uint64_t)place + 2);
}

int main(int count, char **words) {
    if (count != 3) {
        fprintf(stderr, "usage: bench-forwarder NODE SOCKET\n");
        return 2;
    }
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    base = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    // For writing too, since the FIFO that stands for a node would end with its writer.
    int node = open(words[1], O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (node < 0) die(words[1]);
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, words[2], sizeof address.sun_path - 1);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 128) != 0) die(words[2]);
    loop = epoll_create1(EPOLL_CLOEXEC);
    watch(EPOLL_CTL_ADD, node, EPOLLIN, 0);
    watch(EPOLL_CTL_ADD, listener, EPOLLIN, 1);
    puts("ready");
    fflush(stdout);
    struct epoll_event ready[64];
    for (;;) {
        int found = epoll_wait(loop, ready, 64, -1);
        for (int index = 0; index < found; index++) {
            uint64_t key = ready[index].data.u64;
            if (key == 0) {
                forward(node);
            } else if (key == 1) {
                take(listener);
            } else {
                struct client *client = &clients[key - 2];
                if (client->fd >= 0 && ready[index].events & EPOLLOUT) send_pending(client, key);
                // Nobody says anything to it: what can be read is the end.
                if (client->fd >= 0 && ready[index].events & (EPOLLIN | EPOLLHUP | EPOLLERR)) drop(client);
            }
        }
    }
}
