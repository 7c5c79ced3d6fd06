#include "openssl_oracle.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <openssl/crypto.h>

// The allocation that fails, counted from 1, and how many there were; nothing fails at 0.
static atomic_long failing, allocations;

static int fails(void) {
    long number = atomic_fetch_add(&allocations, 1) + 1;
    return number == atomic_load(&failing);
}

static void *allocate(size_t size, const char *file, int line) {
    (void)file, (void)line;
    return fails() ? NULL : malloc(size);
}

static void *reallocate(void *old, size_t size, const char *file, int line) {
    (void)file, (void)line;
    return fails() ? NULL : realloc(old, size);
}

static void release(void *old, const char *file, int line) {
    (void)file, (void)line;
    free(old);
}

int oracle_replace_allocator(void) { return CRYPTO_set_mem_functions(allocate, reallocate, release); }

void oracle_fail_allocation(long number) {
    atomic_store(&allocations, 0);
    atomic_store(&failing, number);
}

long oracle_count_allocations(void) {
    atomic_store(&failing, 0);
    return atomic_load(&allocations);
}

int oracle_in_child(int (*body)(void)) {
    pid_t child = fork();
    if (child == 0) _exit(body());
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
    return WEXITSTATUS(status);
}
