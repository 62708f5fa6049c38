#!/bin/sh
# Modernize the notebooks of a git repository by rules, and push what ran to a branch.
#
#   keep-notebooks-alive.sh [FOLDER] [OPTIONS OF `jupyter modernize batch` ...]
#
# Run it at the top of a clean checkout, on a schedule. FOLDER is where the notebooks are (default:
# the whole repository). What it leaves: the folder $STUDY (default: modernize-study) with the report
# for the CI's artefacts, and on the remote $REMOTE (default: origin) the branch $BRANCH (default:
# modernize-notebooks), if anything changed. With the GitHub CLI and GH_TOKEN set it also opens a pull
# request. Exit code: 0, or that of the step that failed.
set -eu
folder=${1:-.}
[ $# -eq 0 ] || shift
study=${STUDY:-modernize-study}
branch=${BRANCH:-modernize-notebooks}
remote=${REMOTE:-origin}

if ! git diff --quiet HEAD; then
  echo "The checkout has changes of its own; commit them first." >&2
  exit 2
fi

status=0
jupyter modernize batch "$folder" --out "$study" --fixer rules "$@" || status=$?
# 1: some notebooks could not be worked on. They are named above; the others go on.
[ "$status" -le 1 ] || exit "$status"

status=0
jupyter modernize batch --apply "$study" || status=$?
[ "$status" -le 1 ] || exit "$status"

if git diff --quiet HEAD; then
  echo "No notebook needed a change."
  exit 0
fi

git switch --quiet --force-create "$branch"
git commit --quiet --all --message "Modernize notebooks for today's libraries"
git push --quiet --force "$remote" "$branch"
echo "The changes are on the branch $branch."

if [ -n "${GH_TOKEN:-}" ] && command -v gh >/dev/null; then
  if [ "$(gh pr list --head "$branch" --state open --json number --jq length)" = 0 ]; then
    gh pr create --head "$branch" --title "Modernize notebooks for today's libraries" \
      --body "Changed by rules of MLE Modernizer; each notebook ran without an error afterwards. The report is among this run's artefacts."
  fi
fi
