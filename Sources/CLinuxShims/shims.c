#define _GNU_SOURCE
#include "CLinuxShims.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>

const char *shim_error_name(int number) { return strerrorname_np(number); }

const char *shim_error_description(int number) { return strerrordesc_np(number); }

int shim_allocate_keep_size(int descriptor, off_t offset, off_t length) {
  return fallocate(descriptor, FALLOC_FL_KEEP_SIZE, offset, length);
}

int shim_punch_hole(int descriptor, off_t offset, off_t length) {
  return fallocate(descriptor, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset, length);
}

off_t shim_seek_data(int descriptor, off_t offset) { return lseek(descriptor, offset, SEEK_DATA); }

off_t shim_seek_hole(int descriptor, off_t offset) { return lseek(descriptor, offset, SEEK_HOLE); }

int shim_clone_range(int source, off_t source_offset, off_t length, int target, off_t target_offset) {
  struct file_clone_range range = {
      .src_fd = source,
      .src_offset = (__u64)source_offset,
      .src_length = (__u64)length,
      .dest_offset = (__u64)target_offset,
  };
  return ioctl(target, FICLONERANGE, &range);
}

ssize_t shim_copy_range(int source, off_t source_offset, int target, off_t target_offset, size_t length) {
  return copy_file_range(source, &source_offset, target, &target_offset, length, 0);
}

int shim_lock_is_held(int descriptor) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  const int result = fcntl(descriptor, F_OFD_GETLK, &lock);
  return result < 0 ? result : lock.l_type != F_UNLCK;
}

int shim_lock_file(int descriptor, enum shim_lock kind, int wait) {
  static const short types[] = {
      [shim_lock_shared] = F_RDLCK, [shim_lock_exclusive] = F_WRLCK, [shim_lock_none] = F_UNLCK};
  struct flock lock = {.l_type = types[kind], .l_whence = SEEK_SET};
  return fcntl(descriptor, wait ? F_OFD_SETLKW : F_OFD_SETLK, &lock);
}

int shim_set_direct(int descriptor, int on) {
  int flags = fcntl(descriptor, F_GETFL);
  if (flags < 0) return flags;
  return fcntl(descriptor, F_SETFL, on ? flags | O_DIRECT : flags & ~O_DIRECT);
}

int shim_start_writeback(int descriptor) { return sync_file_range(descriptor, 0, 0, SYNC_FILE_RANGE_WRITE); }

int shim_is_in_memory(int descriptor) {
  struct statfs status;
  int result = fstatfs(descriptor, &status);
  if (result < 0) return result;
  return status.f_type == TMPFS_MAGIC || status.f_type == RAMFS_MAGIC;
}

int shim_is_cached(int descriptor, off_t offset, size_t length) {
  // Pages are 4 KiB or larger, so there is room for a byte each.
  unsigned char pages[(1 << 20) / 4096];
  if (length == 0 || length > 1 << 20) {
    errno = EINVAL;
    return -1;
  }
  void *mapped = mmap(NULL, length, PROT_READ, MAP_SHARED, descriptor, offset);
  if (mapped == MAP_FAILED) return -1;
  // What is mapped is never touched, so it does no harm when the file gets shorter.
  int result = mincore(mapped, length, pages);
  int error = errno;
  munmap(mapped, length);
  errno = error;
  if (result < 0) return result;
  size_t size = (size_t)sysconf(_SC_PAGESIZE);
  size_t count = (length + size - 1) / size, cached = 0;
  for (size_t page = 0; page < count; page++) cached += pages[page] & 1;
  return cached * 2 > count;
}

int shim_sync_file_system(int descriptor) { return syncfs(descriptor); }

int shim_pipe(int *ends) { return pipe2(ends, O_CLOEXEC); }

int shim_rename(
    int old_directory, const char *old_name, int new_directory, const char *new_name, enum shim_rename mode) {
  static const unsigned flags[] = {
      [shim_rename_replace] = 0, [shim_rename_no_replace] = RENAME_NOREPLACE, [shim_rename_exchange] = RENAME_EXCHANGE};
  return renameat2(old_directory, old_name, new_directory, new_name, flags[mode]);
}

void shim_name_this_thread(const char *name) {
  // The kernel keeps 15 bytes of a name and refuses a longer one.
  char cut[16];
  snprintf(cut, sizeof cut, "%s", name);
  pthread_setname_np(pthread_self(), cut);
}

int shim_processor_count(void) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
  // More processors than cpu_set_t has room for.
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online < 1 ? 1 : (int)online;
}

static _Atomic int signal_descriptor = -1;

static void pass_signal_on(int number) {
  int saved = errno;
  unsigned char byte = (unsigned char)number;
  int descriptor = atomic_load(&signal_descriptor);
  if (descriptor >= 0) (void)!write(descriptor, &byte, 1);
  errno = saved;
}

static int set_action(int number, void (*handler)(int)) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  return sigaction(number, &action, NULL);
}

int shim_signal_watch(int number, int descriptor) {
  atomic_store(&signal_descriptor, descriptor);
  return set_action(number, pass_signal_on);
}

int shim_signal_unwatch(int number) { return set_action(number, SIG_DFL); }

int shim_signal_ignore(int number) { return set_action(number, SIG_IGN); }

void shim_signal_raise_default(int number) {
  set_action(number, SIG_DFL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
  raise(number);
}
