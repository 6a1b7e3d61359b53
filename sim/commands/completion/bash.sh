# SPDX-License-Identifier: BSD-3-Clause
# Completion of sim for bash: `sim complete` prints the candidates at the cursor.
_sim() {
  local IFS=$' \t\n' line=${COMP_LINE:0:COMP_POINT} words=() current candidate found=()
  read -ra words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  current=${words[-1]}
  # Readline replaces only the text after the last of its break characters.
  local before=${current%"${current##*[=:]}"}
  [[ $COMP_WORDBREAKS == *:* ]] || before=${current%"${current##*=}"}
  while IFS= read -r candidate; do
    case $candidate in
      :files | :folders)
        compopt -o filenames
        local kind=-f names=()
        [[ $candidate == :folders ]] && kind=-d
        mapfile -t names < <(compgen $kind -- "${current#"$before"}")
        found+=("${names[@]}")
        ;;
      *)
        candidate=${candidate%%$'\t'*}
        [[ $candidate == *[=:,] ]] && compopt -o nospace
        found+=("${candidate#"$before"}")
        ;;
    esac
  done < <("${words[0]}" complete -- "${words[@]:1}" 2> /dev/null)
  COMPREPLY=("${found[@]}")
}
complete -F _sim sim
