"""Names of the resources that the server offers, for whoever points to one."""

from urllib.parse import quote

SCHEME = "warp-compile"
REFERENCES = f"{SCHEME}://references"
LEDGER = f"{SCHEME}://ledger"
LEDGER_JSON = f"{SCHEME}://ledger.json"

DOCUMENTS = ("mechanisms", "measurement")
"""The reference documents, as they are called in URIs and, with `.md`, as files."""

# With `{id}` in the place of a name.
MECHANISM = f"{REFERENCES}/mechanisms/{{id}}"
MEASUREMENT_SECTION = f"{REFERENCES}/measurement/{{id}}"
TOPIC = f"{REFERENCES}/{{id}}"
REPORT = f"{SCHEME}://reports/{{id}}"
REPORT_MARKDOWN = f"{REPORT}.md"
COMPARISON = f"{SCHEME}://comparisons/{{id}}"
COMPARISON_JSON = f"{COMPARISON}.json"
PROJECT_LEDGER = f"{LEDGER}/{{id}}"
PROJECT_LEDGER_JSON = f"{PROJECT_LEDGER}.json"


def document_uri(document: str) -> str:
    """A whole reference document."""
    return f"{REFERENCES}/{document}"


def section_uri(document: str, section: str) -> str:
    """A section of a document, by label (`CS-5`) or slug."""
    return f"{REFERENCES}/{document}/{_part(section)}"


def topic_uri(topic: str) -> str:
    """A section of either document, by slug."""
    return f"{REFERENCES}/{_part(topic)}"


def mechanism_uri(label: str) -> str:
    """The section on a mechanism."""
    return section_uri("mechanisms", label)


def report_uri(report: str) -> str:
    """A report as JSON, by id, unique prefix, label or `latest`."""
    return f"{SCHEME}://reports/{_part(report)}"


def report_markdown_uri(report: str) -> str:
    """The same report as Markdown."""
    return f"{report_uri(report)}.md"


def comparison_uri(comparison: str) -> str:
    """A comparison as Markdown, by id, unique prefix or `latest`."""
    return f"{SCHEME}://comparisons/{_part(comparison)}"


def comparison_json_uri(comparison: str) -> str:
    """The same comparison as JSON."""
    return f"{comparison_uri(comparison)}.json"


def ledger_uri(project: str) -> str:
    """The ledger of a project, by the project's name."""
    return f"{LEDGER}/{_part(project)}"


def ledger_json_uri(project: str) -> str:
    """The same ledger as JSON."""
    return f"{ledger_uri(project)}.json"


def _part(name: str) -> str:
    return quote(name, safe="")
