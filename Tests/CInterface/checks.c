/*
 * What appstorereceipt.h promises, asked from C: checks RECEIPT CYCLES CHILDREN, with a genuine receipt, DER.
 *
 * Under valgrind without children: what their parent's other threads held is lost in them, and would count as leaks.
 */
#include <appstorereceipt.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHECK(condition)                                                                                              \
    do {                                                                                                              \
        if (!(condition)) {                                                                                           \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                                   \
            exit(1);                                                                                                  \
        }                                                                                                             \
    } while (0)

static uint8_t receipt[65536];
static size_t receipt_length;

static asr_validator *make(const char *policy)
{
    char *error = (char *)1;
    asr_validator *validator = asr_validator_create(policy, strlen(policy), &error);
    CHECK((validator == NULL) == (error != NULL));
    if (error)
        CHECK(strlen(error) > 10);
    asr_free(error);
    return validator;
}

static int32_t decide(const asr_validator *validator, int64_t at)
{
    return asr_validate(validator, receipt, receipt_length, at, ASR_JSON_NONE, NULL, NULL);
}

static void policies(void)
{
    static const char *const wrong[] = {"", "[]", "{", "{\"bundle_id\":[]}", "{\"bundle_ids\":\"x\"}",
        "{\"bundle_ids\":[1]}", "{\"accepts_sha1\":0}", "{\"at\":\"x\"}", "{\"roots\":[\"x\"]}", "{\"bundle_ids\":[\"\xff\"]}",
        "{\"max_age_seconds\":-1}", "{\"at\":\"receipt\",\"at\":\"receipt\"}"};
    char *error;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK(make(wrong[i]) == NULL);
    CHECK(asr_validator_create(NULL, 0, NULL) == NULL);
    CHECK(asr_validator_create(NULL, 5, &error) == NULL && error);
    asr_free(error);
    CHECK(asr_validator_create("{}", SIZE_MAX, &error) == NULL && error);
    asr_free(error);
    asr_validator_free(NULL);
    asr_free(NULL);
}

/* Every list of a policy may have 100,000 elements, whatever the others have. */
static void long_lists(void)
{
    static const char *const names[] = {"{\"product_ids\":[", "],\"transaction_ids\":["};
    enum { elements = 60000, room = 2 * (elements * 10 + 32) };
    char *policy = malloc(room);
    size_t length = 0;
    CHECK(policy);
    for (int list = 0; list < 2; list++)
        for (int i = 0; i < elements; i++)
            length += (size_t)snprintf(policy + length, room - length, "%s\"%d\"", i ? "," : names[list], i);
    snprintf(policy + length, room - length, "]}");
    asr_validator *validator = make(policy);
    CHECK(validator);
    asr_validator_free(validator);
    free(policy);
}

static void arguments(const asr_validator *validator)
{
    static const uint8_t noise[] = {0xff, 0xfe, 0x00, 0x80, 0xc3, 0x28};
    char *json = (char *)1;
    size_t length = 1;
    CHECK(asr_validate(NULL, receipt, 1, ASR_NO_DATE, ASR_JSON_NONE, NULL, NULL) == ASR_MISUSE);
    CHECK(asr_validate(validator, NULL, 1, ASR_NO_DATE, ASR_JSON_NONE, NULL, NULL) == ASR_MISUSE);
    CHECK(asr_validate(validator, receipt, 1, ASR_NO_DATE, ASR_JSON_WHOLE, NULL, NULL) == ASR_MISUSE);
    CHECK(asr_validate(validator, receipt, 1, ASR_NO_DATE, 4, &json, &length) == ASR_MISUSE && !json && !length);
    CHECK(asr_validate(validator, receipt, 1, ASR_NO_DATE, -1, &json, &length) == ASR_MISUSE);
    CHECK(asr_validate(validator, NULL, 0, ASR_NO_DATE, ASR_JSON_NONE, NULL, NULL) == ASR_UNDECODABLE);
    CHECK(asr_validate(validator, noise, sizeof noise, ASR_NO_DATE, ASR_JSON_WHOLE, &json, &length) == ASR_UNDECODABLE);
    CHECK(json && strlen(json) == length && strstr(json, "\"undecodable\""));
    asr_free(json);
    CHECK(asr_verify_receipt(NULL, noise, 1, 0, 0, &json, NULL) == ASR_MISUSE);
    CHECK(asr_verify_receipt(validator, noise, 1, 0, 2, &json, NULL) == ASR_MISUSE);
    CHECK(asr_verify_receipt(validator, noise, 1, 0, 0, NULL, NULL) == ASR_MISUSE);
    CHECK(asr_verify_receipt(validator, noise, SIZE_MAX, 0, 0, &json, NULL) == ASR_MISUSE);
    CHECK(asr_verify_receipt(validator, noise, sizeof noise, 0, 0, &json, &length) == ASR_UNDECODABLE);
    CHECK(strcmp(json, "{\"status\":21002}") == 0 && length == 16);
    asr_free(json);
}

static void *work(void *validator)
{
    for (int i = 0; i < 200; i++) {
        char *json;
        CHECK(decide(validator, ASR_NO_DATE) == ASR_VALID);
        CHECK(asr_validate(validator, receipt, receipt_length, ASR_NO_DATE, ASR_JSON_BRIEF, &json, NULL) == ASR_VALID);
        asr_free(json);
    }
    return NULL;
}

static void threads_and_children(asr_validator *validator, int children)
{
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        CHECK(pthread_create(&threads[i], NULL, work, validator) == 0);
    for (int i = 0; i < children; i++) {
        int status;
        pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0)
            _exit(decide(validator, ASR_NO_DATE) == ASR_VALID ? 0 : 1);
        CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    for (int i = 0; i < 4; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
}

static long resident(void)
{
    long pages = 0, all;
    FILE *file = fopen("/proc/self/statm", "r");
    CHECK(file && fscanf(file, "%ld %ld", &all, &pages) == 2);
    fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

static void cycles(int count)
{
    long before = 0;
    for (int i = 0; i < count; i++) {
        asr_validator *validator = make("{\"environments\":[\"sandbox\"]}");
        char *json;
        CHECK(asr_validate(validator, receipt, receipt_length, ASR_NO_DATE, ASR_JSON_WHOLE, &json, NULL) == ASR_VALID);
        asr_free(json);
        asr_validator_free(validator);
        if (i == count / 10)
            before = resident();
    }
    if (count >= 1000)
        CHECK(resident() - before < 1 << 20);
}

int main(int argc, char **argv)
{
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
    CHECK(file);
    receipt_length = fread(receipt, 1, sizeof receipt, file);
    fclose(file);
    CHECK(asr_version()[0]);
    policies();
    long_lists();
    asr_validator *validator = make("{}");
    CHECK(decide(validator, ASR_NO_DATE) == ASR_VALID);
    CHECK(decide(validator, INT64_MAX) == ASR_REJECTED && decide(validator, 0) == ASR_REJECTED);
    CHECK(decide(validator, ASR_NO_DATE) == ASR_VALID);
    receipt[receipt_length / 3] ^= 1;
    CHECK(decide(validator, ASR_NO_DATE) != ASR_VALID);
    receipt[receipt_length / 3] ^= 1;
    arguments(validator);
    threads_and_children(validator, argc > 3 ? atoi(argv[3]) : 8);
    asr_validator_free(validator);
    cycles(argc > 2 ? atoi(argv[2]) : 20);
    puts("all checks passed");
    return 0;
}
