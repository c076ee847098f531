#define _GNU_SOURCE
#include "CTestShims.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

int spawn_process(const struct spawn_request *request, pid_t *process) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&actions, request->input, 0);
  posix_spawn_file_actions_adddup2(&actions, request->output, 1);
  posix_spawn_file_actions_adddup2(&actions, request->error, 2);
  if (request->inherited >= 0) posix_spawn_file_actions_adddup2(&actions, request->inherited, 3);
  posix_spawn_file_actions_addclosefrom_np(&actions, request->inherited >= 0 ? 4 : 3);
  if (request->directory) posix_spawn_file_actions_addchdir_np(&actions, request->directory);
  short flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
  if (request->leads_group) flags |= POSIX_SPAWN_SETPGROUP;
  posix_spawnattr_setflags(&attributes, flags);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setsigmask(&attributes, &none);
  int error =
      posix_spawn(process, request->path, &actions, &attributes, request->arguments, request->environment);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

int wait_for_end(pid_t process) {
  siginfo_t info;
  int result;
  do {
    result = waitid(P_PID, (id_t)process, &info, WEXITED | WNOWAIT);
  } while (result < 0 && errno == EINTR);
  return result;
}

int reap(pid_t process, struct process_end *end) {
  int status;
  if (waitpid(process, &status, 0) < 0) return -1;
  end->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  end->status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  return 0;
}
