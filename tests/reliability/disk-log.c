/*
 * Writes down what a program does to the files below EARMARK_DISK_LOG_FOLDER: each write with its bytes, each sync, each
 * change of length and each change of names. Loaded with LD_PRELOAD. A record is a line of text, then its bytes:
 *   kind path offset length [other path]
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int out = -1;
static __thread int inside;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static void record(const char *kind, const char *path, long long offset, long long length, const char *other,
                   const void *bytes) {
  const char *folder = getenv("EARMARK_DISK_LOG_FOLDER"), *file = getenv("EARMARK_DISK_LOG");
  if (!folder || !file || inside || strncmp(path, folder, strlen(folder)) != 0) return;
  inside = 1;
  pthread_mutex_lock(&lock);
  if (out < 0) out = open(file, O_WRONLY | O_CREAT | O_APPEND, 0600);
  char head[2 * PATH_MAX + 100];
  int size = snprintf(head, sizeof head, "%s\t%s\t%lld\t%lld\t%s\n", kind, path, offset, length, other ? other : "");
  if (REAL(write)(out, head, size) < 0 || (bytes && REAL(write)(out, bytes, length) < 0)) abort();
  pthread_mutex_unlock(&lock);
  inside = 0;
}

static void recordFile(const char *kind, int file, long long offset, long long length, const void *bytes) {
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t size = readlink(link, path, sizeof path - 1);
  if (size <= 0) return;
  path[size] = 0;
  record(kind, path, offset, length, NULL, bytes);
}

ssize_t pwrite64(int file, const void *bytes, size_t length, off64_t offset) {
  ssize_t done = REAL(pwrite64)(file, bytes, length, offset);
  if (done > 0) recordFile("write", file, offset, done, bytes);
  return done;
}

ssize_t pwrite(int file, const void *bytes, size_t length, off_t offset) {
  ssize_t done = REAL(pwrite)(file, bytes, length, offset);
  if (done > 0) recordFile("write", file, offset, done, bytes);
  return done;
}

ssize_t write(int file, const void *bytes, size_t length) {
  long long offset = file > 2 ? lseek(file, 0, SEEK_CUR) : -1;
  ssize_t done = REAL(write)(file, bytes, length);
  if (done > 0 && offset >= 0) recordFile("write", file, offset, done, bytes);
  return done;
}

int fsync(int file) {
  int result = REAL(fsync)(file);
  if (result == 0) recordFile("sync", file, 0, 0, NULL);
  return result;
}

int fdatasync(int file) {
  int result = REAL(fdatasync)(file);
  if (result == 0) recordFile("sync", file, 0, 0, NULL);
  return result;
}

int ftruncate64(int file, off64_t length) {
  int result = REAL(ftruncate64)(file, length);
  if (result == 0) recordFile("truncate", file, length, 0, NULL);
  return result;
}

int ftruncate(int file, off_t length) {
  int result = REAL(ftruncate)(file, length);
  if (result == 0) recordFile("truncate", file, length, 0, NULL);
  return result;
}

int rename(const char *from, const char *to) {
  int result = REAL(rename)(from, to);
  if (result == 0) record("rename", from, 0, 0, to, NULL);
  return result;
}

int unlink(const char *path) {
  int result = REAL(unlink)(path);
  if (result == 0) record("unlink", path, 0, 0, NULL, NULL);
  return result;
}
