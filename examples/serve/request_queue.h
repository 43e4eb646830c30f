// request_queue.h - requests between their senders and the workers,
// and those that are not answered yet.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef SERVE_REQUEST_QUEUE_H_
#define SERVE_REQUEST_QUEUE_H_

#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct request_s {
  uint32_t number; // of its case
  uint64_t due_ns; // when it was sent, or should have been: times_now()
  sem_t *answered; // posted when it is; NULL: no thread waits for it
} request_t;

// A ring. All functions may be called from any thread.
typedef struct request_queue_s {
  pthread_mutex_t mutex;
  pthread_cond_t request_came, room_came, all_answered;
  request_t *requests;
  uint32_t capacity, first, count;
  uint64_t unanswered; // in the ring or with a worker
  bool closed;
} request_queue_t;

bool request_queue_create(request_queue_t *queue, uint32_t capacity);
void request_queue_destroy(request_queue_t *queue);

// Adds a request; without room waits for it, or not. False when there is none,
// or the queue is closed.
bool request_queue_push(request_queue_t *queue, const request_t *request,
                        bool wait);
// Takes the oldest, and waits for one; false when the queue is closed and
// empty. request_queue_answer is to follow.
bool request_queue_pop(request_queue_t *queue, request_t *out_request);
void request_queue_answer(request_queue_t *queue, const request_t *request);

// Waits until all are answered.
void request_queue_drain(request_queue_t *queue);
// From now on none are added; those that are there are still to be taken.
void request_queue_close(request_queue_t *queue);
// Waits until the time comes (true) or the queue is closed (false).
bool request_queue_sleep_until(request_queue_t *queue, uint64_t nanoseconds);

#endif // SERVE_REQUEST_QUEUE_H_
