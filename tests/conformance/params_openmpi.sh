#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Conformance test of exported settings with Open MPI: `ompi_info` reports the file as the source of
# every parameter in it, for both ways of naming the file, and has every 4.1 name of our table.
#   tests/conformance/params_openmpi.sh SIM
# Exit 77 (skipped) if Open MPI 4.1 is not installed.
set -euo pipefail
sim=$1
if ! command -v ompi_info > /dev/null; then
  echo "skipped: Open MPI is not installed (tests/run.sh --full installs it)"
  exit 77
fi
case $(ompi_info --version | head -n 1) in
  *v4.1.*) ;;
  *) echo "skipped: this Open MPI is not of version 4.1"; exit 77 ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset "${!OMPI_MCA_@}"

# Components that are missing in this installation cannot be checked.
ompi_info --all --parsable > all.txt
known() { grep -q ":param:$1:value:" all.txt; }
absent() {
  local component
  component=$(grep -oE '^(btl_[a-z0-9]+|fcoll_[a-z_0-9]+|io_ompio)_' <<< "$1" || true)
  case $1 in
    btl_*) component=$(cut -d_ -f1,2 <<< "$1")_ ;;
    *) component= ;;
  esac
  [ -n "$component" ] && ! grep -q ":param:$component" all.txt
}

names=0
for name in $("$sim" params names --open-mpi 4.1); do
  names=$((names + 1))
  known "$name" || absent "$name" || { echo "Open MPI 4.1 has no parameter $name"; exit 1; }
done

db=$work/p.db
"$sim" params put --db "$db" --host here --app all -q --collective bcast \
  --value mpi/eager_limit=24KiB --value mpi/intra_eager_limit=8KiB --value algorithm=knomial \
  --value segment_size=8KiB --value fanout=8 --value allreduce/algorithm=ring \
  --value implementation=dynamic_gen2 --value aggregators=4 \
  --value buffer_size=16MiB --value map=block \
  --value btl_tcp_links=2 --value btl_vader_free_list_num=16 \
  --value fcoll_dynamic_gen2_num_groups=2 \
  --value btl_sm_fifo_size=4K --value no_such_name=1 --value mpi/gap=1us > /dev/null

# names_file FILE COMMAND...: each name in FILE has FILE as its source.
names_file() {
  local file=$1 name asked=0
  shift
  "$@" ompi_info --all --parsable > told.txt
  while read -r name _; do
    [ "$name" = "#" ] && continue
    absent "$name" && continue
    grep -q ":param:$name:source:file ($file:" told.txt || {
      echo "$name does not come from $file:"
      grep ":param:$name:" told.txt || echo "no such parameter"
      exit 1
    }
    asked=$((asked + 1))
  done < "$file"
  [ "$asked" -ge 12 ] || { echo "only $asked parameters were checked"; exit 1; }
  echo "$asked parameters come from $file"
}

for network in openib tcp; do
  "$sim" params get --db "$db" --host here --app all --export mca --network "$network" -q \
    -o "$work/$network.conf"
  if grep -E '^(no_such_name|btl_sm|mpi/)' "$network.conf"; then exit 1; fi
  names_file "$work/$network.conf" env "OMPI_MCA_mca_base_param_files=$work/$network.conf"
done
mkdir -p home/.openmpi
cp tcp.conf home/.openmpi/mca-params.conf
names_file "$work/home/.openmpi/mca-params.conf" env "HOME=$work/home"

# With exec the environment is the source.
"$sim" params exec --db "$db" --host here --app all --network tcp -q -- \
  ompi_info --all --parsable > told.txt
grep -q ':param:btl_tcp_eager_limit:value:24576' told.txt
grep -q ':param:btl_tcp_eager_limit:source:environment' told.txt
echo "$names names of 4.1 exist; exec sets the environment"
