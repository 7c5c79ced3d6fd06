// Tells ThreadSanitizer when Swift's Mutex is contended. Preloaded, for test runs only:
//
//   clang -shared -fPIC -o mutex-annotations.so .ci/mutex-annotations.c
//   LD_PRELOAD=./mutex-annotations.so program-built-with-sanitize-thread
//
// An uncontended Mutex is one atomic operation in the code that uses it, which ThreadSanitizer sees. A contended one goes
// through the kernel from within libswiftSynchronization, which is not instrumented, so that everything a Mutex protects or
// hands from one thread to another is reported as a race; a program of ten lines shows it (Swift 6.3, Linux). These two
// functions stand in front of the library's own of the same names and add the missing edges.
#define _GNU_SOURCE
#include <dlfcn.h>

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

// From ThreadSanitizer's runtime; missing in programs without it, such as the one that starts the tests.
__attribute__((weak)) void __tsan_acquire(void *);
__attribute__((weak)) void __tsan_release(void *);

typedef SWIFT void lock_slow_function(unsigned thread, SELF void *mutex);
typedef SWIFT void unlock_slow_function(SELF void *mutex);

SWIFT void lock_slow(unsigned thread, SELF void *mutex) __asm__(LOCK_SLOW);
SWIFT void unlock_slow(SELF void *mutex) __asm__(UNLOCK_SLOW);

SWIFT void lock_slow(unsigned thread, SELF void *mutex) {
    static lock_slow_function *next;
    if (!next) next = (lock_slow_function *)dlsym(RTLD_NEXT, LOCK_SLOW);
    next(thread, mutex);
    if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT void unlock_slow(SELF void *mutex) {
    static unlock_slow_function *next;
    if (!next) next = (unlock_slow_function *)dlsym(RTLD_NEXT, UNLOCK_SLOW);
    if (__tsan_release) __tsan_release(mutex);
    next(mutex);
}
