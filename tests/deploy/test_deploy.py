"""What hosts deploy with, as far as it can be tried without a container engine or a service manager: every file is read by the program
it is for (where that is installed), and what they say of apnap is so. The image's own steps run in `make test-all`.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml

from server.bench.postgres import Postgres, other_user, program
from server.command import serve
from server.command.settings import find, keys
from server.metrics import Gauges
from server.net.workers.figures import counted, exposition
from tests.storage.cluster import Cluster, cluster

if TYPE_CHECKING:
    from server.storage.postgresql import Promise

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
ROOT = DEPLOY.parent


MOST_BYTES, BASE_BYTES = 200_000_000, 125_000_000
"""What the image may take, and what the image of Python takes that it is made from: Debian's essential packages (34 MB), the libraries and
tools beside them (26), Python without its tests (55) and pip (7), measured file by file on Debian 12."""


def instructions(text: str) -> list[tuple[str, str]]:
    """The instructions of a Containerfile, in order."""
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    pairs = (line.split(None, 1) for line in lines)
    return [(word.upper(), rest) for word, rest in pairs]


STEPS = instructions((DEPLOY / "Containerfile").read_text())


def tool(name: str) -> str:
    found = shutil.which(name)
    if not found:
        pytest.skip(f"{name} is not installed here")
    return found


def options_known(words: list[str]) -> bool:
    """Whether `apnap serve` knows these options."""
    import argparse

    parser = argparse.ArgumentParser(exit_on_error=False)
    serve.arguments(parser)
    parser.parse_args(words)
    return True


def test_the_image_runs_as_nobody_and_starts_the_server() -> None:
    said = dict(STEPS)  # the last of each, which is the one that counts
    assert said["USER"] not in ("0", "root")
    assert json.loads(said["ENTRYPOINT"]) == ["apnap"]
    command, *words = json.loads(said["CMD"])
    assert command == "serve" and options_known(words)
    assert "/data" in words and said["VOLUME"] == "/data"
    assert "/ready" in said["HEALTHCHECK"]
    assert not any(word == "ADD" for word, _ in STEPS)


def test_the_compose_file_hardens_and_sets_what_there_is_to_set() -> None:
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    apnap = compose["services"]["apnap"]
    assert apnap["read_only"] and apnap["cap_drop"] == ["ALL"] and "ports" not in apnap
    known = {"APNAP_" + key.replace(".", "_").upper() for key in keys()}
    assert set(apnap["environment"]) <= known
    assert (DEPLOY / apnap["build"]["context"] / apnap["build"]["dockerfile"]).is_file()
    volumes = {mount.split(":")[0] for service in compose["services"].values() for mount in service["volumes"]}
    assert {name for name in volumes if not name.startswith(".")} == set(compose["volumes"])


def test_the_cluster_runs_the_image_as_it_is_made_once_and_with_nothing_to_write_to_but_its_volume() -> None:
    parts = {part["kind"]: part for part in yaml.safe_load_all((DEPLOY / "kubernetes.yaml").read_text())}
    deployment = parts["Deployment"]["spec"]
    # Two servers on the same journals: the second would not start.
    assert deployment["replicas"] == 1 and deployment["strategy"]["type"] == "Recreate"
    pod = deployment["template"]["spec"]
    (container,) = pod["containers"]
    said = dict(STEPS)
    assert str(pod["securityContext"]["runAsUser"]) == said["USER"]
    assert container["ports"][0]["containerPort"] == int(said["EXPOSE"])
    mounts = {mount["mountPath"]: mount["name"] for mount in container["volumeMounts"]}
    kept = {volume["name"] for volume in pod["volumes"] if "persistentVolumeClaim" in volume}
    assert mounts[said["VOLUME"]] in kept and container["securityContext"]["readOnlyRootFilesystem"]
    known = {"APNAP_" + key.replace(".", "_").upper() for key in keys()}
    assert {entry["name"] for entry in container["env"]} <= known
    assert container["readinessProbe"]["httpGet"]["path"] == "/ready"
    assert parts["Service"]["spec"]["selector"] == deployment["template"]["metadata"]["labels"]
    claim = pod["volumes"][0]["persistentVolumeClaim"]["claimName"]
    assert claim == parts["PersistentVolumeClaim"]["metadata"]["name"]


def test_several_nodes_on_one_database_serve_as_one() -> None:
    services = yaml.safe_load((DEPLOY / "compose.postgresql.yaml").read_text())["services"]
    caddy = services["caddy"]
    upstreams = caddy["environment"]["APNAP_UPSTREAM"].split()
    known = {"APNAP_" + key.replace(".", "_").upper() for key in keys()}
    for name in (upstream.removesuffix(":8802") for upstream in upstreams):
        server = services[name]
        ours = {key: value for key, value in server["environment"].items() if key != "PGPASSWORD"}
        assert set(ours) <= known and "ports" not in server
        assert server["read_only"] and server["cap_drop"] == ["ALL"]
        assert "/health" in str(server["healthcheck"]["test"]), "who waits for the others is well"
        store = find(None, environ={**ours, "APNAP_LISTEN_PUBLIC_URL": "https://table.example.org"}).settings.store
        assert (
            store.node == f"{name}:8803"
            and "@database,standby/" in store.address
            and {"database", "standby"} <= services.keys()
        )
    assert (
        len({services[upstream.removesuffix(":8802")]["volumes"][0] for upstream in upstreams}) == len(upstreams) == 3
    )
    assert any("Caddyfile.several" in mount for mount in caddy["volumes"])


@pytest.mark.slow
def test_the_database_of_the_compose_file_has_a_standby_for_which_it_waits() -> None:
    """By the script and the command that stand there, with sockets in the place of names."""
    services = yaml.safe_load((DEPLOY / "compose.postgresql.yaml").read_text())["services"]
    assert services["database"]["volumes"][1].startswith("./database.sh:/docker-entrypoint-initdb.d/")
    with cluster() as database, tempfile.TemporaryDirectory(prefix="apnap-pg-") as name:
        folder = Postgres(Path(name)).folder
        path = f"{Path(program('postgres') or '').parent}:{os.environ['PATH']}"
        there = {"PATH": path, "PGHOST": str(database.folder), "PGDATA": database.data}
        made = {**there, "POSTGRES_USER": "apnap", "POSTGRES_DB": "postgres"}
        subprocess.run(["sh", "-e", str(DEPLOY / "database.sh")], env=made, check=True)
        assert "host replication apnap all" in Path(database.data, "pg_hba.conf").read_text()
        database.stop("fast")
        database.start()
        here = f"exec postgres -c max_connections=300 -c listen_addresses= -c unix_socket_directories={folder}"
        (command,) = services["standby"]["command"]
        words = [*services["standby"]["entrypoint"], command.replace("$$", "$").replace("exec postgres", here)]
        copy = {**services["standby"]["environment"], **there, "PGDATA": str(folder / "data"), "PGPASSWORD": "any"}
        subprocess.run(["mkdir", copy["PGDATA"]], check=True, **other_user())
        process = subprocess.Popen(words, env=copy, **other_user())
        try:
            found = standby_of(database, folder)
        finally:
            process.terminate()
            process.wait()
    assert (found.wanted, found.attached) == (1, 1)


def standby_of(database: Cluster, copy: Path) -> Promise:
    """What is found when the copy serves and is attached, or after a minute."""
    from server.storage.postgresql import reach

    until = time.monotonic() + 60
    words = [program("pg_isready") or "", "--quiet", "--host", str(copy)]  # what copies it is attached by the same name
    while time.monotonic() < until and (subprocess.run(words).returncode or not reach(database.address()).attached):
        time.sleep(0.1)
    return reach(database.address())


def test_in_a_cluster_with_a_database_one_is_ready_and_all_are_well() -> None:
    parts = {part["kind"]: part for part in yaml.safe_load_all((DEPLOY / "kubernetes.postgresql.yaml").read_text())}
    deployment = parts["Deployment"]["spec"]
    # A new server that stands by is not ready as long as the old one serves.
    assert deployment["replicas"] == 2 and deployment["strategy"]["type"] == "Recreate"
    pod = deployment["template"]["spec"]
    (container,) = pod["containers"]
    assert container["readinessProbe"]["httpGet"]["path"] == "/ready"
    assert container["livenessProbe"]["httpGet"]["path"] == "/health"
    assert not [volume for volume in pod["volumes"] if "persistentVolumeClaim" in volume]
    environment = {entry["name"]: entry for entry in container["env"]}
    assert environment["APNAP_STORE_ADDRESS"]["valueFrom"]["secretKeyRef"]["key"] == "store"
    plain = {name: entry["value"] for name, entry in environment.items() if "value" in entry}
    assert find(None, environ={**plain, "APNAP_STORE_ADDRESS": "postgresql://db.example/apnap"}).settings.store.standby


@pytest.mark.parametrize("name", ["kubernetes.yaml", "kubernetes.postgresql.yaml"])
def test_the_schemas_of_kubernetes_accept_its_file(name: str) -> None:
    """By a package of the lock, for the latest version of Kubernetes that it knows."""
    words = [sys.executable, "-m", "kubernetes_validate", "--strict", str(DEPLOY / name)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "passed for resource deployment/apnap" in done.stderr + done.stdout


def test_the_schemas_of_kubernetes_refuse_what_there_is_not(tmp_path: Path) -> None:
    file = tmp_path / "kubernetes.yaml"
    file.write_text((DEPLOY / "kubernetes.yaml").read_text().replace("replicas:", "replica:"))
    words = [sys.executable, "-m", "kubernetes_validate", "--strict", str(file)]
    assert subprocess.run(words, capture_output=True, check=False).returncode != 0


@pytest.mark.parametrize("name", ["Caddyfile", "Caddyfile.several"])
def test_caddy_accepts_its_file(name: str) -> None:
    words = [tool("caddy"), "validate", "--adapter", "caddyfile", "--config", str(DEPLOY / name)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def unit(folder: Path) -> Path:
    """The unit with a program that exists on this machine."""
    file = folder / "apnap.service"
    file.write_text((DEPLOY / "apnap.service").read_text().replace("/opt/apnap/bin/apnap", "/bin/true"))
    return file


def test_systemd_accepts_the_unit_and_finds_little_exposed(tmp_path: Path) -> None:
    program = tool("systemd-analyze")
    file = unit(tmp_path)
    done = subprocess.run([program, "verify", str(file)], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and not done.stderr, done.stderr
    words = [program, "security", "--offline=true", "--threshold=20", str(file)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-300:]


def test_the_unit_tries_again_until_the_database_is_there_and_not_what_is_set_wrongly(tmp_path: Path) -> None:
    said = dict(re.findall(r"^(\w+)=(.*)$", (DEPLOY / "apnap.service").read_text(), re.M))
    assert said["Restart"] == "on-failure" and said["StartLimitIntervalSec"] == "0"
    wrong = int(said["RestartPreventExitStatus"])
    store = f"postgresql:///apnap?host={tmp_path}"
    for words, code in ((["--store", store], 1), (["--workers", "0"], wrong)):
        command = [sys.executable, "-m", "server.command.main", "serve", "--port", "0", "--data", str(tmp_path), *words]
        assert subprocess.run(command, capture_output=True, check=False, cwd=ROOT).returncode == code


def test_the_unit_starts_the_server_with_options_that_there_are() -> None:
    (line,) = re.findall(r"^ExecStart=(.*)$", (DEPLOY / "apnap.service").read_text(), re.M)
    program, command, *words = shlex.split(line)
    assert program.endswith("/apnap") and command == "serve" and options_known(words)


def test_the_unit_stops_the_server_alone_which_stops_its_workers_and_bots() -> None:
    assert "KillMode=mixed" in (DEPLOY / "apnap.service").read_text().splitlines()


def test_dashboard_and_alerts_ask_for_figures_that_there_are() -> None:
    board = json.loads((DEPLOY / "grafana" / "apnap.json").read_text())
    rules = yaml.safe_load((DEPLOY / "apnap.rules.yml").read_text())
    asked = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    asked += [rule["expr"] for group in rules["groups"] for rule in group["rules"]]
    there = set(re.findall(r"^# TYPE (\w+)", exposition([counted(Gauges(list))]).decode(), re.M))
    gauges = {"apnap_rooms", "apnap_seats", "apnap_people", "apnap_open_connections"}
    for name in re.findall(r"apnap_\w+", " ".join(asked)):
        plain = re.sub(r"_bucket$", "", name)
        assert plain in there | gauges, name


def test_prometheus_accepts_its_files() -> None:
    words = [tool("promtool"), "check", "config", str(DEPLOY / "prometheus.yml")]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_somebody_is_woken_when_a_lease_is_lost_and_when_a_standby_is_behind() -> None:
    rules = yaml.safe_load((DEPLOY / "apnap.rules.yml").read_text())
    asked = " ".join(rule["expr"] for group in rules["groups"] for rule in group["rules"])
    for name in ("lease_faults_total", "lease_taken_timestamp_seconds", "standbys_attached", "standby_lag_bytes"):
        assert f"apnap_{name}" in asked


def requirements(name: str) -> dict[str, str]:
    """The names and versions of a lock."""
    return dict(re.findall(r"^([A-Za-z0-9._-]+)==([^ ;\\\\]+)", (ROOT / name).read_text(), re.M))


def test_the_image_installs_what_serves_and_nothing_else() -> None:
    run, work = requirements("requirements-run.lock"), requirements("requirements.lock")
    assert {"trio", "websockets", "segno", "psycopg", "psycopg-binary"} <= set(run) and not {
        "pytest",
        "ruff",
        "playwright",
        "pyte",
    } & set(run)
    assert run.items() <= work.items()
    installs = [rest for word, rest in STEPS if word == "RUN" and "--require-hashes" in rest]
    assert installs and all("-r requirements-run.lock" in rest for rest in installs)


def ignored() -> list[str]:
    """The lines of `.containerignore`."""
    text = (ROOT / ".containerignore").read_text()
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def test_what_is_made_here_does_not_come_into_the_image() -> None:
    assert (ROOT / ".dockerignore").read_text() == (ROOT / ".containerignore").read_text()
    made = [line.strip("/") for line in (ROOT / ".gitignore").read_text().splitlines()]
    stale = ("client_web/node_modules", "client_web/src/protocol/types.ts", "server/net/page", ".venv", "dist")
    assert set(stale) <= set(made) & set(ignored())


def test_the_commands_look_where_the_image_keeps_its_data() -> None:
    environment = dict(pair.split("=", 1) for word, rest in STEPS if word == "ENV" for pair in rest.split())
    assert environment["APNAP_DATA"] == "/data"


def test_nginx_accepts_its_file(tmp_path: Path) -> None:
    whole = tmp_path / "nginx.conf"
    text = re.sub(r"\tssl_certificate.*\n", "", (DEPLOY / "nginx.conf").read_text()).replace("443 ssl", "443")
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    folders = "".join(f"{kind}_temp_path {tmp_path}/{kind};\n" for kind in kinds)
    whole.write_text(f"pid {tmp_path}/pid;\nevents {{}}\nhttp {{\naccess_log off;\n{folders}{text}\n}}\n")
    words = [tool("nginx"), "-t", "-c", str(whole), "-e", str(tmp_path / "error.log")]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_nginx_passes_websockets_and_addresses_on() -> None:
    text = (DEPLOY / "nginx.conf").read_text()
    assert text.count("{") == text.count("}")
    for line in ("Upgrade $http_upgrade", 'Connection "upgrade"', "Host $host", "X-Forwarded-For $remote_addr"):
        assert f"proxy_set_header {line};" in text
    assert re.search(r"location = /metrics \{\s*return 404;", text)


@pytest.mark.slow
def test_the_steps_of_the_image_in_a_clean_prefix(tmp_path: Path) -> None:
    """What the image runs to build, in a clean copy of the checkout and a prefix of its own; the result serves."""
    source, prefix = tmp_path / "src", tmp_path / "prefix"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(source)], check=True)
    # As after `make run` elsewhere: stamps that would make `make` believe that all is there.
    for made in (".venv/.stamp", "client_web/node_modules/.package-lock.json", "server/net/page/index.html"):
        (source / made).parent.mkdir(parents=True, exist_ok=True)
        (source / made).write_text("stale")
    for line in ignored():
        for path in source.glob(line):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    ours = [rest for word, rest in STEPS if word == "RUN" and ("make" in rest or "/opt/apnap" in rest)]
    for step in (step for step in ours if "apt-get" not in step):
        command = re.sub(r"^python ", f"{sys.executable} ", step).replace("/opt/apnap", str(prefix))
        done = subprocess.run(["sh", "-ec", command], cwd=source, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{step}\n{done.stderr[-2000:]}"
    said = subprocess.run([prefix / "bin" / "apnap", "--version"], capture_output=True, text=True, check=True)
    assert said.stdout.startswith("apnap ")
    sizes = {path: path.stat().st_size for path in prefix.rglob("*") if path.is_file() and not path.is_symlink()}
    assert sum(sizes.values()) < MOST_BYTES - BASE_BYTES
    assert not [path for path in sizes if path.parent.name in ("pip", "setuptools")]
