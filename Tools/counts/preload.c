// Stands before libc in a program and counts what the program asks of it: how often for memory, and how many bytes it copies.
//
// Written at exit, as "ALLOCATIONS COPIED", to the file COUNTS_FILE names. Copies of less than COPY_LEAST bytes are not counted:
// they are values, headers and names, not the file. Nor are the copies of the kernel, nor those the compiler makes itself.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define COPY_LEAST 512

// What glibc calls its own functions; dlsym, which finds the others, asks for memory itself.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static atomic_ullong allocations, copied;
static void *(*_Atomic next_memmove)(void *, const void *, size_t);
// Children of a program are not what is counted.
static pid_t program;

__attribute__((constructor)) static void begin(void) {
  program = getpid();
  next_memmove = (void *(*)(void *, const void *, size_t))dlsym(RTLD_NEXT, "memmove");
}

static void tell(void) {
  static atomic_flag told = ATOMIC_FLAG_INIT;
  const char *path = getenv("COUNTS_FILE");
  if (path == NULL || getpid() != program || atomic_flag_test_and_set(&told)) return;
  char text[64];
  int length = snprintf(text, sizeof text, "%llu %llu\n", (unsigned long long)allocations, (unsigned long long)copied);
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  // The reader of a file that is not there, or too short, says so.
  if (file < 0 || write(file, text, (size_t)length) != length) return;
  close(file);
}

// A program ends by returning from main, or here.
__attribute__((destructor)) static void end(void) { tell(); }

__attribute__((noreturn)) void _exit(int status) {
  tell();
  for (;;) syscall(SYS_exit_group, status);
}

__attribute__((noreturn)) void _Exit(int status) { _exit(status); }

static void count_allocation(void) { atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed); }

void *malloc(size_t size) {
  count_allocation();
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  count_allocation();
  return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
  count_allocation();
  return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
  count_allocation();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **place, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
  void *memory = memalign(alignment, size);
  if (memory == NULL) return ENOMEM;
  *place = memory;
  return 0;
}

// Compiled without knowledge of these functions, or the loop would become a call of itself.
void *memmove(void *to, const void *from, size_t count) {
  if (count >= COPY_LEAST) atomic_fetch_add_explicit(&copied, count, memory_order_relaxed);
  void *(*next)(void *, const void *, size_t) = next_memmove;
  if (next != NULL) return next(to, from, count);
  unsigned char *target = to;
  const unsigned char *source = from;
  if (target <= source) {
    for (size_t place = 0; place < count; place++) target[place] = source[place];
  } else {
    for (size_t place = count; place > 0; place--) target[place - 1] = source[place - 1];
  }
  return to;
}

void *memcpy(void *restrict to, const void *restrict from, size_t count) { return memmove(to, from, count); }

void *mempcpy(void *restrict to, const void *restrict from, size_t count) { return (char *)memmove(to, from, count) + count; }

// What -D_FORTIFY_SOURCE calls instead.
void *__memmove_chk(void *to, const void *from, size_t count, size_t room) {
  if (count > room) abort();
  return memmove(to, from, count);
}

void *__memcpy_chk(void *restrict to, const void *restrict from, size_t count, size_t room) {
  return __memmove_chk(to, from, count, room);
}

void *__mempcpy_chk(void *restrict to, const void *restrict from, size_t count, size_t room) {
  return (char *)__memmove_chk(to, from, count, room) + count;
}
