// operators.h - the operators of the models, on bytes: OPERATORS(net) defines
// those of the model net.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef OPERATORS_H_
#define OPERATORS_H_

#define OPERATORS(model)                                                       \
  int32_t model##_op_tosa_bitwise_not(const model##_call *call, void *user) {  \
    for (size_t i = 0; i < call->outputs[0].size; ++i)                         \
      call->outputs[0].data[i] = (uint8_t)~call->inputs[0].data[i];            \
    ++*(int *)user;                                                            \
    return 0;                                                                  \
  }                                                                            \
  int32_t model##_op_tosa_add(const model##_call *call, void *user) {          \
    for (size_t i = 0; i < call->outputs[0].size; ++i)                         \
      call->outputs[0].data[i] =                                               \
          (uint8_t)(call->inputs[0].data[i] + call->inputs[1].data[i]);        \
    ++*(int *)user;                                                            \
    return 0;                                                                  \
  }

#endif // OPERATORS_H_
