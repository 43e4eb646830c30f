// Values on every way that control flow takes them: in and out of functions with
// one return and with several, in and out of regions, round loops, between blocks.
func.func @calls(%x: tensor<16xf32>, %c: i1) -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) {
  %k = arith.constant dense<1.0> : tensor<16xf32>
  %0:2 = call @both(%k, %x, %c) : (tensor<16xf32>, tensor<16xf32>, i1) -> (tensor<16xf32>, tensor<16xf32>)
  %1:2 = call @both(%x, %0#1, %c) : (tensor<16xf32>, tensor<16xf32>, i1) -> (tensor<16xf32>, tensor<16xf32>)
  %2 = call @either(%1#0, %c) : (tensor<16xf32>, i1) -> tensor<16xf32>
  return %0#0, %1#1, %2 : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
}
func.func private @both(%a: tensor<16xf32>, %b: tensor<16xf32>, %c: i1) -> (tensor<16xf32>, tensor<16xf32>) {
  %k = arith.constant dense<2.0> : tensor<16xf32>
  "a.use"(%a, %b) : (tensor<16xf32>, tensor<16xf32>) -> ()
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return %a, %b : tensor<16xf32>, tensor<16xf32>
^bb2:
  return %a, %k : tensor<16xf32>, tensor<16xf32>
}
func.func private @either(%a: tensor<16xf32>, %c: i1) -> tensor<16xf32> {
  %k = arith.constant dense<3.0> : tensor<16xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return %a : tensor<16xf32>
^bb2:
  return %k : tensor<16xf32>
}
func.func @loops(%a: tensor<16xf32>, %b: tensor<16xf32>, %n: index, %c: i1) -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant dense<4.0> : tensor<16xf32>
  %0:3 = scf.for %i = %c0 to %n step %c1 iter_args(%u = %a, %v = %k, %w = %b) -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) {
    %1 = scf.if %c -> tensor<16xf32> {
      scf.yield %k : tensor<16xf32>
    } else {
      scf.yield %w : tensor<16xf32>
    }
    scf.yield %v, %u, %1 : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
  }
  %2 = scf.while (%u = %0#2) : (tensor<16xf32>) -> tensor<16xf32> {
    "a.use"(%u) : (tensor<16xf32>) -> ()
    scf.condition(%c) %k : tensor<16xf32>
  } do {
  ^bb0(%v: tensor<16xf32>):
    %3 = "a.make"(%v) : (tensor<16xf32>) -> tensor<16xf32>
    "a.use"(%3, %a) : (tensor<16xf32>, tensor<16xf32>) -> ()
    scf.yield %a : tensor<16xf32>
  }
  return %0#0, %0#1, %0#2, %2 : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
}
func.func @blocks(%a: tensor<16xf32>, %b: tensor<16xf32>, %c: i1) -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) {
  %k = arith.constant dense<5.0> : tensor<16xf32>
  cf.cond_br %c, ^bb1(%k, %a, %b : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>), ^bb1(%a, %k, %b : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>)
^bb1(%x: tensor<16xf32>, %y: tensor<16xf32>, %z: tensor<16xf32>):
  %1 = "a.make"(%z) : (tensor<16xf32>) -> tensor<16xf32>
  cf.cond_br %c, ^bb1(%1, %x, %y : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>), ^bb2
^bb2:
  return %x, %y, %z : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
}
