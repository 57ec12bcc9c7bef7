#define _GNU_SOURCE
#include "CYAML.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

/* The version of the interface that the headers of every 0.2 release describe. */
#define LIBRARY "libyaml-0.so.2"

static struct dashrig_yaml table;
static char failure[256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        const char *reason = dlerror();
        snprintf(failure, sizeof failure, "%s", reason != NULL ? reason : LIBRARY " cannot be loaded");
        return;
    }
#define LOOK_UP(name)                                                                          \
    table.name = (__typeof__(table.name))dlsym(library, #name);                                \
    if (table.name == NULL && failure[0] == 0) snprintf(failure, sizeof failure, LIBRARY " has no %s", #name);
    DASHRIG_YAML_FUNCTIONS(LOOK_UP)
#undef LOOK_UP
}

const struct dashrig_yaml *dashrig_yaml_load(void) {
    pthread_once(&once, load);
    return failure[0] == 0 ? &table : NULL;
}

const char *dashrig_yaml_failure(void) { return failure[0] == 0 ? NULL : failure; }
