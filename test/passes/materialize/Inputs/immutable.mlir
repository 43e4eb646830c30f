func.func @main() {
  "a.op"() {gmem.workbuffers = [{size = 8, kind = "immutable"}]} : () -> ()
  return
}
