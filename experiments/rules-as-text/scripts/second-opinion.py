"""Runs the calls that `rules trace` printed in interpreters that are not ours, and compares every answer.

    rules trace texts/three-card-trick.star 50 | scripts/second-opinion.py go texts/three-card-trick.star

The interpreter is go (starlark-go, by `pip install starlark-go`), rust (starlark-rust, by `pip install starlark-pyo3`) or
python (the one that runs this).
"""

import json
import sys


def python(text):
    names = {}
    exec(compile(text, "text", "exec"), names)
    return lambda function, values: names[function](*values)


def go(text):
    import starlark_go

    machine = starlark_go.Starlark()
    machine.exec(text)
    # Values that are handed over would be frozen; written out, they may be changed.
    return lambda function, values: machine.eval(f"{function}(*{values!r})")


def rust(text):
    import starlark

    globals_ = starlark.Globals.standard()
    module = starlark.Module()
    starlark.eval(module, starlark.parse("text", text), globals_)
    frozen = module.freeze()
    return lambda function, values: frozen.call(function, *values)


AFTER = "\ndef play_and_tell(s, what, sent):\n    effects = play(s, what, sent)\n    return [effects, s]\n"


def main():
    which, path = sys.argv[1:]
    call = {"python": python, "go": go, "rust": rust}[which](open(path).read() + AFTER)
    calls = 0
    for line in sys.stdin:
        function, values, answer = json.loads(line)
        given = call("play_and_tell" if function == "play" else function, values)
        calls += 1
        if json.dumps(given) != json.dumps(answer):
            print(f"{function} differs:\n  ours:   {json.dumps(answer)}\n  theirs: {json.dumps(given)}")
            sys.exit(1)
    print(f"{path}: {calls} calls, the same in {which}")


main()
