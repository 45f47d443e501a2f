"""``jobs``: a queue of trainings. They run one at a time, independently of the terminal or browser that added them."""

import argparse
from pathlib import Path

import psutil

from nmt.cli.options import JSON, Commands, print_json
from nmt.errors import InputError
from nmt.runs.folder import trainings_folder


def register(commands: Commands) -> None:
    parser = commands.add_parser(
        "jobs",
        description="Trainings that wait in a queue: one runs at a time, without a terminal or a browser.",
    )
    parser.add_argument(
        "--runs",
        type=Path,
        default=trainings_folder(),
        metavar="FOLDER",
        help="folder of the runs (default: $JOINTLY_RUNS, or runs)",
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    adding = actions.add_parser("add", help="add a training to the queue: `jobs add train …`")
    adding.add_argument(
        "training", nargs=argparse.REMAINDER, metavar="train", help="its arguments; see `jointly train --help`"
    )
    adding.set_defaults(run=run_add)
    running = actions.add_parser("run", help="run the jobs that wait, one after the other")
    running.add_argument("name", metavar="NAME", nargs="?", help="train this job here, as the runner does")
    running.add_argument("--wait", action="store_true", help="wait for more jobs when none is left, as a service does")
    running.set_defaults(run=run_run)
    listing = actions.add_parser("list", help="list the jobs with their states", parents=[JSON])
    listing.set_defaults(run=run_list)
    for name, help in (
        ("stop", "let a job save and end, or no longer wait"),
        ("resume", "let a job that was stopped, failed or was lost go on where it last saved"),
        ("remove", "delete a job that does not run, with its run folder"),
    ):
        action = actions.add_parser(name, help=help)
        action.add_argument("name", metavar="NAME")
        action.set_defaults(run=run_change)


def run_add(options: argparse.Namespace) -> None:
    from nmt.cli import build_parser
    from nmt.jobs.job import Training, add

    if options.training[:1] != ["train"]:
        raise InputError("a job is a training: `jobs add train …`")
    asked = build_parser("train").parse_args(options.training)
    if asked.resume or asked.json:
        raise InputError("a job takes neither --resume nor --json; `jobs resume NAME` lets one go on")
    training = Training(
        recipe=asked.recipe,
        data=Path(asked.data),
        assignments=tuple(asked.assignments),
        initial=asked.init_from,
        device=asked.device,
    )
    added = add(options.runs, asked.run_name, training, by=psutil.Process().username())
    print(f"{added.name} waits; `jointly jobs run` trains it")


def run_run(options: argparse.Namespace) -> int | None:
    from nmt.cli import main
    from nmt.jobs.runner import run_jobs, train_here

    if options.name is not None:
        return train_here(options.runs, options.name, main)
    run_jobs(options.runs, wait=options.wait)
    return None


def run_list(options: argparse.Namespace) -> None:
    from nmt.jobs.job import list_jobs

    jobs = list_jobs(options.runs)
    if options.json:
        print_json({"jobs": [job.to_dict() for job in jobs]})
        return
    for job in jobs:
        width = max(len(other.name) for other in jobs) + 2
        print(f"{job.name:<{width}}{job.state}" + (f": {job.reason}" if job.reason else ""))


def run_change(options: argparse.Namespace) -> None:
    from nmt.jobs import job

    change = {"stop": job.stop, "resume": job.resume, "remove": job.remove}[options.action]
    change(options.runs, options.name)
