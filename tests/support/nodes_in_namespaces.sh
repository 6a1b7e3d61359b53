# SPDX-License-Identifier: BSD-3-Clause
# Nodes on one machine for a launcher that starts its daemons by ssh: each is a name and a network
# of its own. Sourced in a process with network, mounts and name of its own (unshare).

node_ids=()

# Creates the nodes n1 to n$1, connected by a bridge with this process. Their processes end with it.
make_nodes() {
  local i
  trap 'kill "${node_ids[@]}" 2> /dev/null' EXIT
  ip link set lo up
  ip link add nodes type bridge
  ip address add 10.77.0.254/24 dev nodes
  ip link set nodes up
  for ((i = 1; i <= $1; ++i)); do
    unshare --net --uts sh -c "hostname n$i; exec sleep infinity" > /dev/null 2>&1 &
    node_ids[i]=$!
    until [ "$(nsenter -t "${node_ids[i]}" --uts hostname 2> /dev/null)" = "n$i" ]; do
      sleep 0.02
    done
    ip link add "to-n$i" type veth peer name eth0 netns "${node_ids[i]}"
    ip link set "to-n$i" master nodes up
    nsenter -t "${node_ids[i]}" --net sh -c "ip link set lo up
      ip address add 10.77.0.$i/24 dev eth0
      ip link set eth0 up"
  done
}

# Prints a program that takes ssh's arguments and runs the command on the node.
node_agent() {
  local i
  echo '#!/bin/sh'
  echo 'while [ "${1#-}" != "$1" ]; do shift; done'
  echo 'node=$1; shift'
  echo 'case $node in'
  for i in "${!node_ids[@]}"; do echo "  n$i) id=${node_ids[i]} ;;"; done
  echo 'esac'
  echo 'exec nsenter -t "$id" --net --uts sh -c "$*"'
}
