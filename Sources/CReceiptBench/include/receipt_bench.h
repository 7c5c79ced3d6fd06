#ifndef RECEIPT_BENCH_H
#define RECEIPT_BENCH_H

#include <stddef.h>
#include <stdint.h>

// What receipt-bench compares with, and how it counts. Nothing outside the benchmark links this.

// MARK: - Time

// Nanoseconds of a clock that only goes forward.
uint64_t bench_now(void);

// Nanoseconds that this thread has had on a processor: another program's turn does not count.
uint64_t bench_processor_time(void);

// MARK: - libcrypto, called straight from C

// One receipt with everything made ready that can be: a store with the root, the signer's key, contexts.
// A baseline is for one thread at a time.
typedef struct bench_baseline bench_baseline;

// `der` and `payload` must outlive the baseline. `at` is the time of verification in seconds since 1970.
// NULL if anything fails, a wrong signature among it: what does not verify is no baseline.
bench_baseline *bench_baseline_new(const uint8_t *der, size_t length, const uint8_t *payload, size_t payload_length,
                                   const uint8_t *root, size_t root_length, int64_t at);
void bench_baseline_free(bench_baseline *baseline);

// The floor: a digest of the payload and one EVP_PKEY_verify, with a ready key and contexts that are used again.
int bench_floor(bench_baseline *baseline);

// d2i_CMS_ContentInfo and CMS_verify, with a ready X509_STORE.
int bench_cms_verify(bench_baseline *baseline);

// d2i_PKCS7 and PKCS7_verify, with a ready X509_STORE.
int bench_pkcs7_verify(bench_baseline *baseline);

// d2i_CMS_ContentInfo alone: the container and its certificates, not the payload.
int bench_d2i(bench_baseline *baseline);

// OpenSSL's own walk over every element of the payload, the values of attributes included: ASN1_get_object.
// Returns the number of elements, or 0 when the payload is malformed.
size_t bench_tag_walk(const uint8_t *payload, size_t length);

const char *bench_libcrypto_version(void);

// MARK: - Memory

typedef struct {
    // How often memory was asked for, and how many bytes were.
    uint64_t allocations;
    uint64_t bytes;
    // Bytes in use now, and the most that were in use, above what was in use when counting began.
    int64_t live;
    int64_t peak;
} bench_memory;

// Whether allocations can be counted: glibc without a sanitizer.
int bench_can_count(void);

// Counts the allocations of the calling thread until bench_memory_end.
void bench_memory_begin(void);
bench_memory bench_memory_now(void);
bench_memory bench_memory_end(void);

// MARK: - Other

// Calls `body` with `argument`, the thread's number, 0 or 1, and whether this is to warm up, on this thread and, if `threads` is 2, on another at the same time.
// Each warms up once, and then both start at the same time.
// Returns the nanoseconds from then until both have ended, or 0 if there is no other thread to be had.
uint64_t bench_threads(int threads, void (*body)(void *, int, int), void *argument);

// Runs a shell command and copies what it writes into `output`, ended by NUL. Returns its exit code, or -1.
int bench_command(const char *command, char *output, size_t capacity);

#endif
