#include "CYAML.h"

/* The version of the interface that the headers of every 0.2 release describe. */
DASHRIG_TABLE_LOADED(yaml, "libyaml-0.so.2", DASHRIG_YAML_FUNCTIONS, NULL)
