#pragma once

// Starting a process, in C because the calls that close what it should not inherit are declared only under _GNU_SOURCE.

#include <sys/types.h>

struct spawn_request {
  const char *_Nonnull path;
  char *_Nullable *_Nonnull arguments;    // ends with a null pointer
  char *_Nullable *_Nonnull environment;  // ends with a null pointer
  const char *_Nullable directory;        // null: that of this process
  // What becomes 0, 1, 2 and, unless it is -1, 3 in the child. Everything else is closed there.
  int input;
  int output;
  int error;
  int inherited;
  int leads_group;  // Whether it is put into a process group of its own.
};

// 0 with the process number in `process`, or the error number. The child starts with no signal blocked or ignored.
int spawn_process(const struct spawn_request *_Nonnull request, pid_t *_Nonnull process);

struct process_end {
  int signal;     // 0 when it exited by itself
  int status;     // of exit
};

// Blocks until the process has ended, and leaves it to be reaped, so that its number is not given to another one.
int wait_for_end(pid_t process);
// Reaps a process that has ended.
int reap(pid_t process, struct process_end *_Nonnull end);
