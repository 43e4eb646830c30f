# lit.cfg.py - where the tests find the tools. Run by ./dev test, or by hand:
#   lit -v test [--param build=BUILD_FOLDER]
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import ctypes.util
import os
import re
import shutil
import subprocess
import sys

import lit.formats

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
build = os.path.abspath(lit_config.params.get("build", os.path.join(root, "build")))

config.name = "gmem"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".mlir", ".test", ".c"]
config.excludes = ["Inputs", "machine", "judge", "corpus", "replay.c", "make_image.c"]
config.test_source_root = os.path.join(root, "test")
config.test_exec_root = os.path.join(build, "test", "lit")

llvm = subprocess.run(
    ["llvm-config-22", "--bindir"], capture_output=True, text=True, check=True
).stdout.strip()


def mlir_of_build():
    """The folder of the MLIR that the build uses, and its version."""
    with open(os.path.join(build, "CMakeCache.txt"), encoding="utf-8") as cache:
        found = re.search(r"^MLIR_DIR:\w+=(.+)/lib/cmake/mlir$", cache.read(), re.M)
    if not found:
        return os.path.dirname(llvm), 22
    with open(found[1] + "/include/llvm/Config/llvm-config.h", encoding="utf-8") as header:
        return found[1], int(re.search(r"LLVM_VERSION_MAJOR (\d+)", header.read())[1])


# mlir-opt and definitions of ops are of the MLIR that gmem is built with, other tools
# of LLVM 22. Feature mlir-22: it is at least MLIR 22.
mlir, mlir_version = mlir_of_build()
config.available_features |= {f"mlir-{version}" for version in range(19, mlir_version + 1)}
if mlir_version < 20:
    config.substitutions += [
        ("--verify-diagnostics=only-expected", "--verify-diagnostics"),
        (r"\bmlir-runner\b", "mlir-cpu-runner"),
    ]
# Scripts run in the Python of lit itself: a shim of a version manager takes longer
# than most of them.
python = os.path.join(config.test_exec_root, "python")
os.makedirs(python, exist_ok=True)
try:
    os.symlink(sys.executable, os.path.join(python, "python3"))
except FileExistsError:
    pass
config.environment["PATH"] = os.pathsep.join(
    [os.path.join(build, "bin"), os.path.join(mlir, "bin"), llvm, python, os.environ["PATH"]]
)
# Pages call cmake without a generator, and a bare root has no make.
config.environment["CMAKE_GENERATOR"] = "Ninja"
config.substitutions += [
    ("%unit", os.path.join(build, "test", "unit")),
    ("%fuzz", os.path.join(build, "test", "fuzz")),
    ("%plugin", os.path.join(build, "lib", "gmem-plugin.so")),
    ("%root", root),
    ("%build", build),
    ("%session", "python3 -B " + os.path.join(root, "test", "Inputs", "session.py")),
]

# Tests that take more than some seconds each; and all that one would rather wait
# for at night.
is_nightly = bool(lit_config.params.get("nightly"))
is_quick = bool(lit_config.params.get("quick"))
if not is_quick:
    config.available_features.add("long_tests")
if is_nightly:
    config.available_features.add("nightly")

# The tools that render the documents as a site.
if shutil.which("sphinx-build") and shutil.which("doxygen"):
    config.available_features.add("site")

# Folders of networks and of problems that are not part of the project.
for variable, feature in [("GMEM_INPUTS", "inputs"), ("GMEM_PROBLEMS", "problems")]:
    if os.environ.get(variable):
        config.environment[variable] = os.path.abspath(os.environ[variable])
        config.available_features.add(feature)

# How many random programs are run, if not as many as usual.
for variable in ["GMEM_PROGRAMS", "GMEM_MEMREF_PROGRAMS", "GMEM_POOL_PROGRAMS", "GMEM_AGREEMENT"]:
    if variable in os.environ:
        config.environment[variable] = os.environ[variable]

# Not everybody may trace processes, even where the program is there.
try:
    subprocess.run(["strace", "-o", os.devnull, "true"], capture_output=True, check=True)
    config.available_features.add("strace")
except (OSError, subprocess.CalledProcessError):
    pass

# The definitions of MLIR's ops, and what reads them.
mlir_include = os.path.join(mlir, "include")
if shutil.which("llvm-tblgen", path=llvm) and os.path.isdir(mlir_include + "/mlir/Dialect"):
    config.available_features.add("tblgen")
config.substitutions.append(("%mlir_include", mlir_include))

# A bare root has no pseudo-terminals.
try:
    for end in os.openpty():
        os.close(end)
    config.available_features.add("pty")
except OSError:
    pass

# The library knows Valgrind when its headers were there to build it.
if shutil.which("valgrind") and os.path.exists("/usr/include/valgrind/memcheck.h"):
    config.available_features.add("valgrind")

# A browser, for pages.
if any(map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])):
    config.available_features.add("chromium")

# Ranks, and a library by which they send messages.
if shutil.which("mpiexec") and (
    ctypes.util.find_library("mpich") or ctypes.util.find_library("mpi")
):
    config.available_features.add("mpi")

# Bare machines, and a linker for them.
if shutil.which("qemu-system-arm") and os.path.exists(os.path.join(llvm, "ld.lld")):
    config.available_features.add("qemu-arm")

# A sanitizer's build.
for variable in ["ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"]:
    if variable in os.environ:
        config.environment[variable] = os.environ[variable]
is_sanitizer = "sanitizer" in lit_config.params
if is_sanitizer:
    config.available_features |= {"sanitizer", "sanitizer-" + lit_config.params["sanitizer"]}
# Sizes: at night as large as time allows; under sanitizers at night those of a plain
# run, as each program takes many times as long.
is_large = is_nightly and not is_sanitizer
is_small = is_sanitizer and not is_nightly
# How many damaged programs are tried: each is a few processes.
config.substitutions.append(("%mutants", "300" if is_large else "10" if is_small else "40"))
# How many random programs are planned.
config.substitutions.append(("%programs", "500" if is_large else "150"))
config.substitutions.append(("%ordered_programs", "1500" if is_large else "50"))
config.substitutions.append(("%reordered_programs", "10000" if is_large else "300"))
config.substitutions.append(("%more_programs", "10000" if is_large else "700"))
# Of how many random problems every place is looked at for a plan below the bound.
config.substitutions.append(("%bound_problems", "20000" if is_large else "300"))
# By which algorithms whole networks are planned.
config.substitutions.append(("%algorithms", "none,ref-count,auto" if is_large else "none,auto"))
# Networks with at most this many bytes of constants are run as C; the prefix of the
# expectations that depend on it.
config.substitutions.append(("%c_run_bytes", "20000000" if is_large else "2000000"))
config.substitutions.append(("%tier", "NIGHTLY" if is_large else "GATE"))
# The end of the seeds, from 5000, of programs on memrefs that gmem-run runs.
config.substitutions.append(("%memref_run_end", "5020" if is_large else "5008"))
config.substitutions.append(("%memref_programs", "1000" if is_large else "40"))
# How many programs of all kinds, and tampered plans of them, the verifier and the
# machines judge.
config.substitutions.append(("%agreement", "100000" if is_large else "65" if is_quick else "95"))
# Of how many random networks with branches and aliases the best plan is searched.
config.substitutions.append(("%choices", "50" if is_quick else "500"))
# How many allocations of the passes fail that one call stack makes: 0, all.
config.substitutions.append(("%failures", "0" if is_large else "1" if is_small else "2"))

# Compilers that can make programs with pointers of 32 bits.
m32 = subprocess.run(
    ["gcc", "-m32", "-x", "c", "-", "-o", os.devnull],
    input="#include <stdlib.h>\nint main(void) { return 0; }", text=True, capture_output=True,
)
if m32.returncode == 0:
    config.available_features.add("m32")
