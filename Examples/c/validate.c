/*
 * Decides about one receipt.
 *
 *   cc validate.c $(pkg-config --cflags --libs appstorereceipt) -o validate
 *   ./validate '{"bundle_ids": ["com.example.app"], "environments": ["production"]}' receipt.txt
 */
#include <appstorereceipt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint8_t *read_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = NULL;
    long size;
    if (!file)
        return NULL;
    if (fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) >= 0 && fseek(file, 0, SEEK_SET) == 0) {
        bytes = malloc((size_t)size + 1);
        if (bytes)
            *length = fread(bytes, 1, (size_t)size, file);
    }
    fclose(file);
    return bytes;
}

int main(int argc, char **argv)
{
    char *text = NULL;
    uint8_t *bytes;
    size_t length = 0;
    asr_validator *validator;
    int32_t status;

    if (argc != 3) {
        fprintf(stderr, "usage: validate POLICY FILE\n");
        return 64;
    }
    /* One for the whole program: it may be shared between threads. */
    validator = asr_validator_create(argv[1], strlen(argv[1]), &text);
    if (!validator) {
        fprintf(stderr, "validate: %s\n", text ? text : "there is no memory");
        asr_free(text);
        return 64;
    }
    bytes = read_file(argv[2], &length);
    if (!bytes) {
        perror(argv[2]);
        asr_validator_free(validator);
        return 66;
    }
    status = asr_validate(validator, bytes, length, ASR_NO_DATE, ASR_JSON_PRETTY, &text, NULL);
    if (text)
        puts(text);
    asr_free(text);
    free(bytes);
    asr_validator_free(validator);
    return status;
}
