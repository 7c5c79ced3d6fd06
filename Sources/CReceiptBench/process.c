#include "receipt_bench.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

typedef struct {
    void (*body)(void *, int, int);
    void *argument;
    int number;
    atomic_int *waiting;
    uint64_t began;
    uint64_t ended;
} thread_work;

static void *run(void *pointer) {
    thread_work *work = pointer;
    work->body(work->argument, work->number, 1);
    // Both start together: each waits until the other runs.
    atomic_fetch_sub(work->waiting, 1);
    while (atomic_load(work->waiting) > 0) sched_yield();
    work->began = bench_now();
    work->body(work->argument, work->number, 0);
    work->ended = bench_now();
    return NULL;
}

uint64_t bench_threads(int threads, void (*body)(void *, int, int), void *argument) {
    atomic_int waiting = threads;
    thread_work first = {body, argument, 0, &waiting, 0, 0};
    thread_work second = {body, argument, 1, &waiting, 0, 0};
    pthread_t thread;
    if (threads == 2 && pthread_create(&thread, NULL, run, &second) != 0) return 0;
    run(&first);
    if (threads == 2) {
        pthread_join(thread, NULL);
        if (second.began < first.began) first.began = second.began;
        if (second.ended > first.ended) first.ended = second.ended;
    }
    return first.ended - first.began;
}

int bench_command(const char *command, char *output, size_t capacity) {
    FILE *pipe = popen(command, "r");
    if (pipe == NULL) return -1;
    size_t count = 0;
    char buffer[4096];
    size_t read;
    while ((read = fread(buffer, 1, sizeof buffer, pipe)) > 0) {
        size_t room = capacity - 1 - count;
        size_t taken = read < room ? read : room;
        memcpy(output + count, buffer, taken);
        count += taken;
    }
    output[count] = 0;
    int status = pclose(pipe);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
