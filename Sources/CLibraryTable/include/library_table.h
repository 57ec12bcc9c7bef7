/*
 * The functions of a library as a table that is filled when it is first asked for, by dlopen. Programs then start where the
 * library is not installed, what they do not use costs them nothing, and a function that is called past the table does not
 * link.
 *
 * A library is a list X(function) X(function)... named FUNCTIONS, which its header makes into `struct dashrig_TAG` and two
 * declarations, and its one source file into what they need:
 *
 *     DASHRIG_TABLE(TAG, FUNCTIONS)                            in the header
 *     DASHRIG_TABLE_LOADED(TAG, "libx.so.1", FUNCTIONS, NULL)  in the source file
 */
#pragma once
#include <pthread.h>
#include <stddef.h>

/* Declares the table, none of whose functions is null, and:
   - dashrig_TAG_load, which gives it: the first call loads the library, which stays until the process ends. Null when it is
     not there, lacks a function or does not start. Any thread may call.
   - dashrig_TAG_failure: why there is none, as one line that lives as long as the process; null when there is one. After
     the load only. */
#define DASHRIG_TABLE(TAG, FUNCTIONS) \
    struct dashrig_##TAG { FUNCTIONS(DASHRIG_TABLE_FIELD) }; \
    const struct dashrig_##TAG *_Nullable dashrig_##TAG##_load(void); \
    const char *_Nullable dashrig_##TAG##_failure(void);

/* Defines them. REFUSAL is looked at when all functions are in `table`: a text for why the library is of no use, or NULL. */
#define DASHRIG_TABLE_LOADED(TAG, LIBRARY, FUNCTIONS, REFUSAL) \
    static struct dashrig_##TAG table; \
    static char failure[256]; \
    static pthread_once_t once = PTHREAD_ONCE_INIT; \
    static const char *const names[] = {FUNCTIONS(DASHRIG_TABLE_NAME)}; \
    _Static_assert(sizeof table == sizeof names, "one pointer for each name"); \
    static void load(void) { \
        if (dashrig_table_fill(&table, LIBRARY, names, sizeof names / sizeof names[0], failure, sizeof failure)) \
            dashrig_table_refuse(LIBRARY, REFUSAL, failure, sizeof failure); \
    } \
    const struct dashrig_##TAG *dashrig_##TAG##_load(void) { \
        pthread_once(&once, load); \
        return failure[0] == 0 ? &table : NULL; \
    } \
    const char *dashrig_##TAG##_failure(void) { return failure[0] == 0 ? NULL : failure; }

#define DASHRIG_TABLE_FIELD(name) __typeof__(name) *_Nonnull name;
#define DASHRIG_TABLE_NAME(name) #name,

/* Loads a library and writes the addresses of its functions to `table`, one pointer each, in the order of their names.
   Answers 1; or 0, with the reason in `failure`, which was empty. */
int dashrig_table_fill(void *_Nonnull table, const char *_Nonnull library, const char *_Nonnull const *_Nonnull names,
                       size_t count, char *_Nonnull failure, size_t size);

/* Writes why a library is of no use, behind its name; nothing when there is no reason. */
void dashrig_table_refuse(const char *_Nonnull library, const char *_Nullable reason, char *_Nonnull failure, size_t size);
