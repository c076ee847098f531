#pragma once

// Calls of Linux and glibc that Swift cannot make itself: they are macros, variadic, or declared only under _GNU_SOURCE,
// which Swift's own view of glibc is built without. This header must not define _GNU_SOURCE either: its types would then
// differ from Swift's. Results are those of the call: negative (or as said) with errno set.

#include <sys/types.h>

// Errors. Both return static text in English, or a null pointer when the number is not known.
const char *_Nullable shim_error_name(int number);
const char *_Nullable shim_error_description(int number);

// Space and holes.
int shim_allocate_keep_size(int descriptor, off_t offset, off_t length);
int shim_punch_hole(int descriptor, off_t offset, off_t length);
off_t shim_seek_data(int descriptor, off_t offset);
off_t shim_seek_hole(int descriptor, off_t offset);

// Copies inside the kernel.
int shim_clone_range(int source, off_t source_offset, off_t length, int target, off_t target_offset);
ssize_t shim_copy_range(int source, off_t source_offset, int target, off_t target_offset, size_t length);

// Locks of the open file description, over the whole file: they belong to the descriptor and not to the process.
enum shim_lock { shim_lock_shared, shim_lock_exclusive, shim_lock_none };
int shim_lock_file(int descriptor, enum shim_lock kind, int wait);

// Whether another open file holds a lock; takes none.
int shim_lock_is_held(int descriptor);

// Descriptors.
int shim_open_beneath(int directory, const char *_Nonnull path);
int shim_set_direct(int descriptor, int on);
int shim_start_writeback(int descriptor);
int shim_is_in_memory(int descriptor);  // 1 or 0
// Whether most pages that these bytes lie in are in the page cache, 1 or 0; `length` is 1 byte to 1 MiB, `offset` a multiple of
// the size of a page.
int shim_is_cached(int descriptor, off_t offset, size_t length);
int shim_sync_file_system(int descriptor);
int shim_pipe(int *_Nonnull ends);  // two, closed on exec

enum shim_rename { shim_rename_replace, shim_rename_no_replace, shim_rename_exchange };
int shim_rename(
    int old_directory, const char *_Nonnull old_name, int new_directory, const char *_Nonnull new_name,
    enum shim_rename mode);

// Threads and processors.
void shim_name_this_thread(const char *_Nonnull name);
int shim_processor_count(void);

// Signals. From this call on, each arrival of `number` writes it as one byte to `descriptor`, from a handler that does
// nothing else. One descriptor serves all numbers; shim_signal_unwatch brings back the default action.
int shim_signal_watch(int number, int descriptor);
int shim_signal_unwatch(int number);
int shim_signal_ignore(int number);
// Lets the default action happen now, also on a thread that blocks the signal as those of a pool do.
void shim_signal_raise_default(int number);
