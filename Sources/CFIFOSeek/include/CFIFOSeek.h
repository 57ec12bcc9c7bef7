/* Nothing to call: see lseek.c. */
#pragma once
