"""What a job is, in cells: phase, machines and how they fit, who places it, where it stands."""

from collections.abc import Mapping

from app.web import job_words
from app.web.facts_view import Cell, Reader
from app.web.pages import Shell


def phase(reader: Reader, shell: Shell) -> Cell:
    """What it does, and with which kind of model."""
    kind = word(job_words.MODEL_KINDS, reader.value("model_kind"), shell)
    size = reader.value("parameter_count")
    note = ", ".join(filter(None, (kind, _parameters(size, shell))))
    return reader.cell("phase", lambda code: Cell("", word(job_words.PHASES, code, shell), note))


def _parameters(count: int | None, shell: Shell) -> str:
    t = shell.t
    if count is None:
        return ""
    text = t.ngettext("%(num)s parameter", "%(num)s parameters", count)
    return text % {"num": t.number(count)}


def machines(reader: Reader, shell: Shell) -> Cell:
    """How many machines of which type."""
    t, kind = shell.t, str(reader.value("machine_type") or "")

    def write(count: int) -> Cell:
        text = t.ngettext("%(num)s machine", "%(num)s machines", count) % {"num": t.number(count)}
        return Cell("", text, kind)

    return reader.cell("node_count", write)


def fit(reader: Reader, shell: Shell) -> Cell:
    """Whether its machines are right, and which would be."""
    t, better = shell.t, reader.value("better_machine_type")
    note = t.gettext("%(type)s would be right") % {"type": better} if better else ""
    no_rule = Cell("", t.gettext("No rule"))

    def write(code: str) -> Cell:
        shape, text = job_words.FITS.get(code, ("", code))
        return Cell(shape, t.gettext(text), note)

    return reader.cell("machine_fit", write, absent=no_rule)


def price_difference(reader: Reader, shell: Shell) -> Cell:
    """What the better type costs more or less; nothing to say where the own one is right."""
    t = shell.t
    currency, source = reader.value("price_currency"), str(reader.value("price_source") or "")

    def write(difference: float) -> Cell:
        amount = f"{t.number(abs(difference), 4)} {currency}"
        text = (
            t.gettext("%(amount)s less an hour")
            if difference < 0
            else t.gettext("%(amount)s more an hour")
        )
        return Cell("", text % {"amount": amount}, source)

    found = reader.cell("price_difference_per_hour", write)
    why = job_words.PRICE_GAPS.get(found.note)
    return Cell("unknown", t.gettext("Not known"), t.gettext(why)) if why else found


def orchestrator(reader: Reader, shell: Shell) -> Cell:
    """What places it; by hand is worth a look."""
    by_hand = Cell("warn", shell.t.gettext("By hand"))
    name = shell.formats.words.orchestrator
    return reader.cell("orchestrator", lambda code: Cell("", name(code)), absent=by_hand)


def state(reader: Reader, shell: Shell) -> Cell:
    """Where it stands."""

    def write(code: str) -> Cell:
        shape, text = job_words.STATES.get(code, ("", code))
        return Cell(shape, shell.t.gettext(text))

    return reader.cell("state", write)


def place(reader: Reader, location: str, store: str, shell: Shell) -> Cell:
    """An address, and what holds the bytes there."""
    kind = reader.cell(store, lambda code: Cell("", word(job_words.STORES, code, shell)))
    return reader.cell(location, lambda address: Cell("", kind.text, str(address)))


def scratch(reader: Reader, shell: Shell) -> Cell:
    """The fast place that it works in."""
    mount = str(reader.value("scratch_mount") or "")
    return reader.cell(
        "scratch", lambda code: Cell("", word(job_words.SCRATCHES, code, shell), mount)
    )


def word(words: Mapping[str, str], code: str | None, shell: Shell) -> str:
    """The word for a code, '' for none."""
    return shell.t.gettext(words.get(code, code)) if code else ""
