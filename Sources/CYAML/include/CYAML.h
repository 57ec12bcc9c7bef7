/*
 * libyaml as a table of the functions that read events, loaded when it is first asked for: `dashrig` then starts where
 * the library is not installed, and a function that is called past the table does not link.
 */
#pragma once
#include <yaml.h>

#define DASHRIG_YAML_FUNCTIONS(X) \
    X(yaml_parser_initialize) X(yaml_parser_set_input_string) X(yaml_parser_parse) X(yaml_parser_delete) \
    X(yaml_event_delete)

/* Every function of the table; none is null. */
struct dashrig_yaml {
#define DASHRIG_YAML_FIELD(name) __typeof__(name) *_Nonnull name;
    DASHRIG_YAML_FUNCTIONS(DASHRIG_YAML_FIELD)
#undef DASHRIG_YAML_FIELD
};

/* The table; the first call loads the library, which stays until the process ends. Null when it is not there or lacks a
   function. Any thread may call. */
const struct dashrig_yaml *_Nullable dashrig_yaml_load(void);

/* Why there is no table: one line that lives as long as the process; null when there is one. After the load only. */
const char *_Nullable dashrig_yaml_failure(void);
