#ifndef RECEIPT_FUZZER_H
#define RECEIPT_FUZZER_H

#include <stddef.h>
#include <stdint.h>

// libFuzzer's own mutations, for custom mutators. Returns the new length, at most `capacity`.
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t length, size_t capacity);

#endif
