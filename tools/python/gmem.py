# gmem.py - static memory planning from Python: docs/python.md.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plans memory with the shared libraries of gmem.

    import gmem
    problem = gmem.Problem()
    problem.add_buffer("a", 1024, (0, 2))
    problem.add_buffer("b", 1024, (1, 3))
    print(problem.lower_bound(), problem.solve().offsets)

    planned = gmem.run(open("net.mlir").read(), "gmem-plan", alignment=64)

Needs nothing but the standard library. GMEM_LIBRARY_PATH names the folder of the
shared libraries if they are neither installed nor beside this file.
"""

import ctypes
import dataclasses
import enum
import functools
import json
import os
import tempfile

__version__ = "0.2.0"

UNLIMITED = 2**64 - 1
_ABI = ".".join(__version__.split(".")[:2])


class Status(enum.IntEnum):
    """gmem_status_t."""

    OK = 0
    INVALID_ARGUMENT = 1
    OUT_OF_MEMORY = 2
    OVER_BUDGET = 3
    OUT_OF_RANGE = 4
    ALIGNMENT = 5
    TOO_SMALL = 6
    OVERLAP = 7
    STATE = 8
    BUSY = 9
    TIMEOUT = 10
    CANCELLED = 11
    NOT_FOUND = 12
    CORRUPT = 13
    VERSION = 14
    IO = 15
    UNSUPPORTED = 16
    PARSE = 17


class Error(Exception):
    """A call of gmem failed: |status|, and a sentence. For passes, all messages."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


# ===--- the libraries ----------------------------------------------------===#


def _load(name):
    """The shared library |name|: of GMEM_LIBRARY_PATH, beside this file, or installed."""
    here = os.path.dirname(os.path.abspath(__file__))
    folder = os.environ.get("GMEM_LIBRARY_PATH")
    if folder:
        return ctypes.CDLL(os.path.join(folder, name))
    # PREFIX/lib/python3/dist-packages, or the loader's own folders.
    beside = os.path.join(here, "..", "..", name)
    return ctypes.CDLL(beside if os.path.exists(beside) else name)


class _Diag(ctypes.Structure):
    _fields_ = [
        ("status", ctypes.c_int),
        ("os_error", ctypes.c_int32),
        ("object", ctypes.c_uint64),
        ("offset", ctypes.c_uint64),
        ("line", ctypes.c_uint64),
        ("text", ctypes.c_char * 256),
    ]


class _Range(ctypes.Structure):
    _fields_ = [("begin", ctypes.c_int64), ("end", ctypes.c_int64)]


class _Branch(ctypes.Structure):
    _fields_ = [("choice", ctypes.c_uint32), ("arm", ctypes.c_uint32)]


class _Pool(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("capacity", ctypes.c_uint64),
        ("alignment", ctypes.c_uint64),
        ("base", ctypes.c_uint64),
        ("speed", ctypes.c_uint32),
    ]


class _Buffer(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("size", ctypes.c_uint64),
        ("alignment", ctypes.c_uint64),
        ("ranges", ctypes.POINTER(_Range)),
        ("range_count", ctypes.c_size_t),
        ("pools", ctypes.POINTER(ctypes.c_uint32)),
        ("pool_count", ctypes.c_size_t),
        ("has_fixed_offset", ctypes.c_bool),
        ("fixed_offset", ctypes.c_uint64),
        ("uses", ctypes.c_uint64),
        ("branches", ctypes.POINTER(_Branch)),
        ("branch_count", ctypes.c_size_t),
    ]


class _Alias(ctypes.Structure):
    _fields_ = [
        ("child", ctypes.c_uint32),
        ("parent", ctypes.c_uint32),
        ("offset", ctypes.c_uint64),
        ("is_optional", ctypes.c_bool),
        ("kind", ctypes.c_uint32),
    ]


class _Block(ctypes.Structure):
    _fields_ = [("buffers", ctypes.POINTER(ctypes.c_uint32)), ("count", ctypes.c_size_t)]


class _Placement(ctypes.Structure):
    _fields_ = [("offset", ctypes.c_uint64), ("pool", ctypes.c_uint32)]


class _Figures(ctypes.Structure):
    _fields_ = [
        ("peak", ctypes.c_uint64),
        ("lower_bound", ctypes.c_uint64),
        ("steps", ctypes.c_uint64),
        ("optimal", ctypes.c_bool),
        ("cancelled", ctypes.c_bool),
    ]


class _Options(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_uint32),
        ("algorithm", ctypes.c_void_p),
        ("effort", ctypes.c_int),
        ("step_limit", ctypes.c_uint64),
        ("progress", ctypes.c_void_p),
        ("progress_user", ctypes.c_void_p),
    ]


class _Algorithm(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("summary", ctypes.c_char_p)]


_WRITE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)
_POINTER, _UINT32, _SIZE = ctypes.c_void_p, ctypes.c_uint32, ctypes.c_size_t

# The arguments of the planner's functions, but for the diagnostic that ends each.
_FALLIBLE = {
    "gmem_problem_create": [_POINTER, ctypes.POINTER(_POINTER)],
    "gmem_problem_add_pool": [_POINTER, ctypes.POINTER(_Pool), ctypes.POINTER(_UINT32)],
    "gmem_problem_add_buffer": [_POINTER, ctypes.POINTER(_Buffer), ctypes.POINTER(_UINT32)],
    "gmem_problem_add_conflict": [_POINTER, _UINT32, _UINT32],
    "gmem_problem_add_alias": [_POINTER, ctypes.POINTER(_Alias)],
    "gmem_problem_add_block": [_POINTER, ctypes.POINTER(_Block)],
    "gmem_lower_bound": [_POINTER, ctypes.POINTER(ctypes.c_uint64)],
    "gmem_lower_bound_of_pool": [_POINTER, _UINT32, ctypes.POINTER(ctypes.c_uint64)],
    "gmem_solve": [
        _POINTER,
        ctypes.POINTER(_Options),
        ctypes.POINTER(_Placement),
        ctypes.POINTER(_Figures),
    ],
    "gmem_check": [_POINTER, ctypes.POINTER(_Placement), _POINTER],
    "gmem_csv_read": [
        ctypes.c_char_p,
        _SIZE,
        ctypes.POINTER(_Pool),
        _SIZE,
        _POINTER,
        ctypes.POINTER(_POINTER),
        ctypes.POINTER(ctypes.POINTER(_Placement)),
    ],
    "gmem_csv_write": [_POINTER, ctypes.POINTER(_Placement), _UINT32, _WRITE, _POINTER],
}
_OTHERS = {
    "gmem_problem_destroy": (None, [_POINTER]),
    "gmem_problem_buffer_count": (_UINT32, [_POINTER]),
    "gmem_problem_pool": (ctypes.POINTER(_Pool), [_POINTER, _UINT32]),
    "gmem_problem_pool_count": (_UINT32, [_POINTER]),
    "gmem_problem_buffer": (ctypes.POINTER(_Buffer), [_POINTER, _UINT32]),
    "gmem_plan_free": (None, [_POINTER, ctypes.POINTER(_Placement)]),
    "gmem_plan_pool_size": (
        ctypes.c_uint64,
        [_POINTER, ctypes.POINTER(_Placement), _UINT32],
    ),
    "gmem_plan_peak": (ctypes.c_uint64, [_POINTER, ctypes.POINTER(_Placement)]),
    "gmem_algorithm_count": (_SIZE, []),
    "gmem_algorithm_at": (ctypes.POINTER(_Algorithm), [_SIZE]),
    "gmem_algorithm_find": (_POINTER, [ctypes.c_char_p]),
}


@functools.lru_cache(maxsize=None)
def _planner():
    library = _load(f"libgmem_planner.so.{_ABI}")
    for name, arguments in _FALLIBLE.items():
        function = getattr(library, name)
        function.restype, function.argtypes = ctypes.c_int, [*arguments, ctypes.POINTER(_Diag)]
    for name, (result, arguments) in _OTHERS.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


def _call(name, *arguments):
    diag = _Diag()
    status = getattr(_planner(), name)(*arguments, ctypes.byref(diag))
    if status:
        raise Error(Status(status), diag.text.decode(errors="replace"))


# ===--- planning problems ------------------------------------------------===#


@dataclasses.dataclass(frozen=True)
class Plan:
    """Places of all buffers, in the order in which they were added."""

    offsets: list  # bytes from the start of the pool
    pools: list  # indices
    peak: int  # bytes: sum of the pools
    lower_bound: int  # bytes: no plan is smaller
    optimal: bool  # proved
    steps: int  # work done; the same on every machine


def algorithms():
    """The names of the algorithms, each with a summary."""
    library = _planner()
    found = (library.gmem_algorithm_at(i)[0] for i in range(library.gmem_algorithm_count()))
    return {one.name.decode(): one.summary.decode() for one in found}


def _array(kind, items):
    return (kind * max(len(items), 1))(*items)


def _ranges(ranges):
    """(0, 2) is one live range, [(0, 2), (4, 5)] are two."""
    ranges = list(ranges)
    return [tuple(ranges)] if ranges and isinstance(ranges[0], int) else ranges


class Problem:
    """Pools, and buffers with live ranges: include/gmem/planner/problem.h.

    A problem without a pool gets the pool "memory" with the first buffer.
    """

    def __init__(self):
        self._handle = _POINTER()
        _call("gmem_problem_create", None, ctypes.byref(self._handle))

    def __del__(self):
        if getattr(self, "_handle", None):
            _planner().gmem_problem_destroy(self._handle)

    def add_pool(self, name, capacity=None, alignment=1, base=0, speed=0):
        """The index of a new pool. Capacity None: unlimited."""
        spec = _Pool(
            name.encode(), UNLIMITED if capacity is None else capacity, alignment, base, speed
        )
        index = _UINT32()
        _call("gmem_problem_add_pool", self._handle, spec, ctypes.byref(index))
        return index.value

    def add_buffer(
        self, name, size, ranges, alignment=1, pools=None, fixed=None, uses=0, branches=()
    ):
        """The index of a new buffer, live in |ranges|: (begin, end), or a list of such.

        |pools|: indices of its candidates, best first; None: all. |fixed|: its offset in
        the first of them. |branches|: pairs (choice, arm).
        """
        if not _planner().gmem_problem_pool_count(self._handle):
            self.add_pool("memory")
        if fixed is not None and pools is None:
            pools = [0]
        live = _array(_Range, _ranges(ranges))
        arms = _array(_Branch, list(branches))
        candidates = _array(_UINT32, list(pools or ()))
        spec = _Buffer(
            name=name.encode(),
            size=size,
            alignment=alignment,
            ranges=live,
            range_count=len(_ranges(ranges)),
            pools=candidates if pools is not None else None,
            pool_count=len(pools or ()),
            has_fixed_offset=fixed is not None,
            fixed_offset=fixed or 0,
            uses=uses,
            branches=arms,
            branch_count=len(branches),
        )
        index = _UINT32()
        _call("gmem_problem_add_buffer", self._handle, spec, ctypes.byref(index))
        return index.value

    def add_conflict(self, first, second):
        """The two buffers must not share bytes, whenever they are live."""
        _call("gmem_problem_add_conflict", self._handle, first, second)

    def add_alias(self, child, parent, offset=0, optional=False, kind=0):
        """|child| is |offset| bytes into |parent|; optional: or anywhere else."""
        spec = _Alias(child, parent, offset, optional, kind)
        _call("gmem_problem_add_alias", self._handle, spec)

    def add_block(self, buffers):
        """The buffers follow one another in this order."""
        buffers = list(buffers)
        spec = _Block(_array(_UINT32, buffers), len(buffers))
        _call("gmem_problem_add_block", self._handle, spec)

    @property
    def names(self):
        """The names of all buffers."""
        library = _planner()
        count = library.gmem_problem_buffer_count(self._handle)
        return [
            library.gmem_problem_buffer(self._handle, i)[0].name.decode() for i in range(count)
        ]

    def lower_bound(self, pool=None):
        """No plan needs fewer bytes: of one pool, or of all together."""
        bound = ctypes.c_uint64()
        if pool is None:
            _call("gmem_lower_bound", self._handle, ctypes.byref(bound))
        else:
            _call("gmem_lower_bound_of_pool", self._handle, pool, ctypes.byref(bound))
        return bound.value

    def _placements(self, offsets, pools):
        count = _planner().gmem_problem_buffer_count(self._handle)
        pools = [0] * count if pools is None else list(pools)
        offsets = list(offsets)
        if len(offsets) != count or len(pools) != count:
            raise Error(
                Status.INVALID_ARGUMENT,
                f"the problem has {count} buffers, the plan {len(offsets)} offsets"
                f" and {len(pools)} pools",
            )
        return _array(_Placement, list(zip(offsets, pools)))

    def solve(self, algorithm="auto", effort="normal", step_limit=0):
        """A plan that gmem_check has accepted. Effort: fast, normal or exhaustive."""
        library = _planner()
        found = library.gmem_algorithm_find(algorithm.encode())
        efforts = ["normal", "fast", "exhaustive"]
        if not found or effort not in efforts:
            wrong = f"algorithm '{algorithm}'" if not found else f"effort '{effort}'"
            known = efforts if found else list(algorithms())
            raise Error(Status.NOT_FOUND, f"no {wrong}, only {', '.join(known)}")
        options = _Options(
            ctypes.sizeof(_Options), found, efforts.index(effort), step_limit, None, None
        )
        count = library.gmem_problem_buffer_count(self._handle)
        placements = (_Placement * max(count, 1))()
        figures = _Figures()
        _call("gmem_solve", self._handle, options, placements, ctypes.byref(figures))
        return Plan(
            offsets=[placements[i].offset for i in range(count)],
            pools=[placements[i].pool for i in range(count)],
            peak=figures.peak,
            lower_bound=figures.lower_bound,
            optimal=figures.optimal,
            steps=figures.steps,
        )

    def check(self, plan, pools=None):
        """The peak of |plan|, a Plan or a list of offsets; an Error says what is wrong."""
        if isinstance(plan, Plan):
            plan, pools = plan.offsets, plan.pools
        placements = self._placements(plan, pools)
        _call("gmem_check", self._handle, placements, None)
        return _planner().gmem_plan_peak(self._handle, placements)

    def pool_size(self, plan, pool):
        """The bytes of one pool under a Plan."""
        placements = self._placements(plan.offsets, plan.pools)
        return _planner().gmem_plan_pool_size(self._handle, placements, pool)

    @classmethod
    def from_csv(cls, text, pools=({"name": "memory"},)):
        """The problem of CSV text (docs/problem-csv.md), with add_pool's arguments."""
        specs = [{"capacity": UNLIMITED, "alignment": 1, **pool} for pool in pools]
        for spec in specs:
            spec["name"] = spec["name"].encode()
        bytes_of = text.encode()
        problem = cls.__new__(cls)
        problem._handle = _POINTER()
        _call(
            "gmem_csv_read",
            bytes_of,
            len(bytes_of),
            _array(_Pool, [_Pool(**spec) for spec in specs]),
            len(specs),
            None,
            ctypes.byref(problem._handle),
            None,
        )
        return problem

    def to_csv(self, plan=None):
        """The problem as CSV text; with a Plan also its offsets."""
        parts = []

        def write(_, data, length):
            parts.append(ctypes.string_at(data, length))
            return 0

        placements = self._placements(plan.offsets, plan.pools) if plan else None
        _call("gmem_csv_write", self._handle, placements, 2**32 - 1, _WRITE(write), None)
        return b"".join(parts).decode()


# ===--- passes on MLIR text ----------------------------------------------===#


_TEXT = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)


class _Request(ctypes.Structure):
    _fields_ = [
        ("text", ctypes.c_char_p),
        ("length", _SIZE),
        ("passes", ctypes.c_char_p),
        ("locations", ctypes.c_bool),
        ("output", _TEXT),
        ("messages", _TEXT),
        ("user", _POINTER),
    ]


class _PassOption(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("default", ctypes.c_char_p),
        ("help", ctypes.c_char_p),
    ]


class _Pass(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("summary", ctypes.c_char_p),
        ("options", ctypes.POINTER(_PassOption)),
        ("option_count", _SIZE),
    ]


@functools.lru_cache(maxsize=None)
def _mlir():
    library = _load("gmem-python.so")
    library.gmem_python_run.restype = ctypes.c_bool
    library.gmem_python_run.argtypes = [ctypes.POINTER(_Request)]
    library.gmem_pass_count.restype = _SIZE
    library.gmem_pass_at.restype = ctypes.POINTER(_Pass)
    library.gmem_pass_at.argtypes = [_SIZE]
    return library


class Pass:
    """A pass or pipeline of gmem: call it with the text of a module and its options."""

    def __init__(self, entry):
        self.name = entry.name.decode()
        self.summary = entry.summary.decode()
        options = [entry.options[i] for i in range(entry.option_count)]
        self.options = {one.name.decode(): one.default.decode() for one in options}

    def __call__(self, text, **options):
        return run(text, self.name, **options)

    def __repr__(self):
        return f"<gmem.Pass {self.name}: {self.summary}>"


def passes():
    """All passes of gmem by their names (docs/passes.md)."""
    library = _mlir()
    # An entry of the table has more fields: each is asked for by its index.
    found = [Pass(library.gmem_pass_at(i)[0]) for i in range(library.gmem_pass_count())]
    return {one.name: one for one in found}


def _value(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(map(str, value))
    text = str(value)
    return "{" + text + "}" if any(character.isspace() for character in text) else text


def _pipeline(name, options):
    words = [f"{key.replace('_', '-')}={_value(value)}" for key, value in options.items()]
    return name + ("{" + " ".join(words) + "}" if words else "")


def run(text, *names, locations=True, messages=None, **options):
    """The text that passes make of the text of a module.

    |names|: passes of gmem and MLIR, as inside builtin.module(...); |options| are those
    of a single one, with _ for -. |locations|: print them, which the names of values
    come from, so that a pass by itself does what it does in a pipeline. |messages|: a
    list that receives remarks and warnings.
    """
    if options and len(names) != 1:
        raise TypeError("options are those of one pass; write pass{option=value}")
    output, said = [], []

    def append_to(parts):
        return _TEXT(lambda _, data, length: parts.append(ctypes.string_at(data, length)))

    data = text.encode()
    pipeline = ",".join(_pipeline(name, options) for name in names)
    request = _Request(
        data,
        len(data),
        pipeline.encode() if names else None,
        locations,
        append_to(output),
        append_to(said),
        None,
    )
    good = _mlir().gmem_python_run(request)
    lines = b"".join(said).decode(errors="replace")
    if not good:
        raise Error(Status.INVALID_ARGUMENT, lines.rstrip())
    if messages is not None:
        messages += lines.splitlines()
    return b"".join(output).decode()


def plan(text, **options):
    """The text of a module with a plan: the pass gmem-plan."""
    return run(text, "gmem-plan", **options)


def verify(text, **options):
    """Raises an Error if the plan in the text of a module is not sound."""
    run(text, "gmem-verify-plan", **options)


def report(text, **options):
    """What gmem-report says of a module, as in docs/report.md."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "report.json")
        run(text, "gmem-report", format="json", output=path, **options)
        with open(path, encoding="utf-8") as file:
            return json.load(file)
