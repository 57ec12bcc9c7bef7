/* libyaml as a table of the functions that read events. */
#pragma once
#include <library_table.h>
#include <yaml.h>

#define DASHRIG_YAML_FUNCTIONS(X) \
    X(yaml_parser_initialize) X(yaml_parser_set_input_string) X(yaml_parser_parse) X(yaml_parser_delete) \
    X(yaml_event_delete)

DASHRIG_TABLE(yaml, DASHRIG_YAML_FUNCTIONS)
