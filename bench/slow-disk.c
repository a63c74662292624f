// Adds MICROSECONDS to every fdatasync; see slowDisk in data.ts.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

int fdatasync(int fd) {
  static int (*ours)(int);
  const struct timespec length = {MICROSECONDS / 1000000, MICROSECONDS % 1000000 * 1000};
  if (!ours) ours = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  nanosleep(&length, 0);
  return ours(fd);
}
