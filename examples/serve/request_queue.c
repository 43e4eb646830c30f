// request_queue.c - see request_queue.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "request_queue.h"

#include <stdlib.h>
#include <time.h>

bool request_queue_create(request_queue_t *queue, uint32_t capacity) {
  pthread_condattr_t clock;
  *queue = (request_queue_t){.capacity = capacity};
  queue->requests = calloc(capacity, sizeof *queue->requests);
  pthread_mutex_init(&queue->mutex, NULL);
  pthread_condattr_init(&clock);
  pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
  pthread_cond_init(&queue->request_came, NULL);
  pthread_cond_init(&queue->room_came, NULL);
  pthread_cond_init(&queue->all_answered, &clock);
  pthread_condattr_destroy(&clock);
  return queue->requests != NULL;
}

void request_queue_destroy(request_queue_t *queue) {
  pthread_cond_destroy(&queue->all_answered);
  pthread_cond_destroy(&queue->room_came);
  pthread_cond_destroy(&queue->request_came);
  pthread_mutex_destroy(&queue->mutex);
  free(queue->requests);
}

bool request_queue_push(request_queue_t *queue, const request_t *request,
                        bool wait) {
  pthread_mutex_lock(&queue->mutex);
  while (wait && !queue->closed && queue->count == queue->capacity)
    pthread_cond_wait(&queue->room_came, &queue->mutex);
  bool is_taken = !queue->closed && queue->count < queue->capacity;
  if (is_taken) {
    uint32_t at = (queue->first + queue->count) % queue->capacity;
    queue->requests[at] = *request;
    ++queue->count;
    ++queue->unanswered;
    pthread_cond_signal(&queue->request_came);
  }
  pthread_mutex_unlock(&queue->mutex);
  return is_taken;
}

bool request_queue_pop(request_queue_t *queue, request_t *out_request) {
  pthread_mutex_lock(&queue->mutex);
  while (!queue->closed && queue->count == 0)
    pthread_cond_wait(&queue->request_came, &queue->mutex);
  bool is_there = queue->count > 0;
  if (is_there) {
    *out_request = queue->requests[queue->first];
    queue->first = (queue->first + 1) % queue->capacity;
    --queue->count;
    pthread_cond_signal(&queue->room_came);
  }
  pthread_mutex_unlock(&queue->mutex);
  return is_there;
}

void request_queue_answer(request_queue_t *queue, const request_t *request) {
  if (request->answered)
    sem_post(request->answered);
  pthread_mutex_lock(&queue->mutex);
  if (--queue->unanswered == 0)
    pthread_cond_broadcast(&queue->all_answered);
  pthread_mutex_unlock(&queue->mutex);
}

void request_queue_drain(request_queue_t *queue) {
  pthread_mutex_lock(&queue->mutex);
  while (queue->unanswered > 0)
    pthread_cond_wait(&queue->all_answered, &queue->mutex);
  pthread_mutex_unlock(&queue->mutex);
}

void request_queue_close(request_queue_t *queue) {
  pthread_mutex_lock(&queue->mutex);
  queue->closed = true;
  pthread_cond_broadcast(&queue->request_came);
  pthread_cond_broadcast(&queue->room_came);
  pthread_cond_broadcast(&queue->all_answered);
  pthread_mutex_unlock(&queue->mutex);
}

bool request_queue_sleep_until(request_queue_t *queue, uint64_t nanoseconds) {
  struct timespec until = {.tv_sec = (time_t)(nanoseconds / 1000000000u),
                           .tv_nsec = (long)(nanoseconds % 1000000000u)};
  pthread_mutex_lock(&queue->mutex);
  int error = 0;
  while (!queue->closed && error == 0)
    error = pthread_cond_timedwait(&queue->all_answered, &queue->mutex, &until);
  bool is_open = !queue->closed;
  pthread_mutex_unlock(&queue->mutex);
  return is_open;
}
