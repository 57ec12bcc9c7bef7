#include "library_table.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int dashrig_table_fill(void *table, const char *library, const char *const *names, size_t count, char *failure,
                       size_t size) {
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        const char *reason = dlerror();
        snprintf(failure, size, "%s", reason != NULL ? reason : "it cannot be loaded");
        return 0;
    }
    for (size_t place = 0; place < count; place++) {
        void *function = dlsym(handle, names[place]);
        if (function == NULL) {
            snprintf(failure, size, "%s has no %s", library, names[place]);
            return 0;
        }
        /* Byte by byte: the fields of the table are pointers to functions of many types. */
        memcpy((char *)table + place * sizeof function, &function, sizeof function);
    }
    return 1;
}

void dashrig_table_refuse(const char *library, const char *reason, char *failure, size_t size) {
    if (reason != NULL) snprintf(failure, size, "%s %s", library, reason);
}
