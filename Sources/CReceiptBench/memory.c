#include "receipt_bench.h"

#include <errno.h>
#include <stdlib.h>

#ifdef __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define BENCH_SANITIZED 1
#endif
#endif

#if defined(__GLIBC__) && !defined(BENCH_SANITIZED)

#include <malloc.h>

// The executable's malloc comes before the C library's, also for the shared libraries it loads. glibc keeps its own
// functions under names of their own, to which everything is passed on.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static __thread int counting;
static __thread bench_memory memory;

static void *count(void *pointer, size_t size) {
    if (__builtin_expect(counting, 0) && pointer != NULL) {
        memory.allocations++;
        memory.bytes += size;
        memory.live += (int64_t)malloc_usable_size(pointer);
        if (memory.live > memory.peak) memory.peak = memory.live;
    }
    return pointer;
}

void *malloc(size_t size) { return count(__libc_malloc(size), size); }

void *calloc(size_t number, size_t size) { return count(__libc_calloc(number, size), number * size); }

void *realloc(void *old, size_t size) {
    int64_t before = counting ? (int64_t)malloc_usable_size(old) : 0;
    void *pointer = __libc_realloc(old, size);
    if (counting && (pointer != NULL || size == 0)) memory.live -= before;
    return count(pointer, size);
}

void free(void *pointer) {
    if (__builtin_expect(counting, 0)) memory.live -= (int64_t)malloc_usable_size(pointer);
    __libc_free(pointer);
}

void *memalign(size_t alignment, size_t size) { return count(__libc_memalign(alignment, size), size); }

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **pointer, size_t alignment, size_t size) {
    if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) return EINVAL;
    void *made = memalign(alignment, size);
    if (made == NULL) return ENOMEM;
    *pointer = made;
    return 0;
}

int bench_can_count(void) { return 1; }

void bench_memory_begin(void) {
    memory = (bench_memory){0};
    counting = 1;
}

bench_memory bench_memory_now(void) { return memory; }

bench_memory bench_memory_end(void) {
    counting = 0;
    return memory;
}

#else

int bench_can_count(void) { return 0; }
void bench_memory_begin(void) {}
bench_memory bench_memory_now(void) { return (bench_memory){0}; }
bench_memory bench_memory_end(void) { return (bench_memory){0}; }

#endif
