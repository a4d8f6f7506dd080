"""Jobs: what was declared, what is missing and what follows are told apart; nothing is swept."""

from tests.support.site import Site


def main_of(html: str) -> str:
    return html.split("<main", 1)[1].split("</main>", 1)[0]


def test_a_row_says_what_a_job_is_and_whether_its_machines_fit(site: Site) -> None:
    row = main_of(site.client().get("/jobs?q=atlas-7b").text).split("atlas-7b</a>")[1]
    for text in ("Inference", "Large language model", "2 machines", "Wrong", "By hand", "Running"):
        assert text in row
    assert "Standard_NC40ads_H100_v5 would be right" in row


def test_a_job_shows_why_with_its_practices_and_places(site: Site) -> None:
    page = main_of(site.client().get(f"/jobs/{site.estate.job}").text)
    assert "Job of atlas-llm, as declared by system." in page
    assert "it has RDMA, which inference does not use" in page
    assert page.count("Missing") == 1
    assert page.count("Not declared") >= 3
    assert "Scratch, gone with the job" in page
    assert "Object store" in page
    assert "91.34 USD less an hour" in page


def test_it_is_one_of_the_entries_of_the_sidebar(site: Site) -> None:
    side = site.client().get("/jobs").text.split('id="side"')[1].split("</aside>")[0]
    assert 'href="/jobs"' in side
    assert 'aria-current="page"' in side.split('href="/jobs"')[1][:60]


def test_another_page_of_a_job_leads_to_its_own(site: Site) -> None:
    answer = site.client().get(f"/resources/{site.estate.job}")
    assert answer.headers["location"] == f"/jobs/{site.estate.job}"


def test_its_facts_are_proved_as_declared(site: Site) -> None:
    address = f"/evidence/resource-fact?resource_id={site.estate.job}&fact=machine_type"
    assert "as declared: VM size" in site.client().get(address).text


def test_the_source_of_declared_jobs_says_that_it_is_not_swept(site: Site) -> None:
    client = site.client()
    listed = main_of(client.get("/connections").text).split("Declared jobs</a>")[1]
    assert "Nothing is swept" in listed.split("</tr>")[0]
    assert ">1 job</a>" in listed
    address = client.get("/connections").text.split(">Declared jobs</a>")[0].rsplit('href="', 1)[1]
    own = main_of(client.get(address.split('"')[0]).text)
    assert "1 job was declared by people." in own
    assert "atalaya job register" in own
    assert "Sweep now" not in own
    assert client.get(f"{address.split(chr(34))[0]}/edit").status_code == 409


def test_all_jobs_as_csv_tell_the_gaps(site: Site) -> None:
    text = site.client().get("/jobs?format=csv").text
    assert "with_unused_rdma" in text
    assert ",-91.34,USD," in text
    assert "unreadable: NotDeclared" in text
