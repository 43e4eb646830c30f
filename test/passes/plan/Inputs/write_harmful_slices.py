# write_harmful_slices.py - writes a network in which a concatenation made in
# place lowers the peak, and slices made in place raise it: those of two tensors
# that follow each other leave no room for a third between them.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

WHOLE, PART, JOINED = "tensor<2560xf32>", "tensor<1280xf32>", "tensor<5120xf32>"


def main():
    print(f"func.func @main(%s: tensor<1xf32>) -> {JOINED} {{")
    for i in range(40):
        for k in "ab":
            print(f'  %p{i}{k} = "net.make"(%s) : (tensor<1xf32>) -> {WHOLE}')
            print(f"  %c{i}{k} = tensor.extract_slice %p{i}{k}[640] [1280] [1] : {WHOLE} to {PART}")
        print(f'  %x{i} = "net.make"(%s) : (tensor<1xf32>) -> {WHOLE}')
        print(f'  "net.use"(%c{i}a, %c{i}b, %x{i}) : ({PART}, {PART}, {WHOLE}) -> ()')
    for k in "ab":
        print(f'  %{k} = "net.make"(%s) : (tensor<1xf32>) -> {WHOLE}')
    print(f"  %r = tensor.concat dim(0) %a, %b : ({WHOLE}, {WHOLE}) -> {JOINED}")
    print(f"  return %r : {JOINED}\n}}")


main()
