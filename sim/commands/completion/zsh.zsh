#compdef sim
# SPDX-License-Identifier: BSD-3-Clause
# Completion of sim for zsh: `sim complete` prints the candidates at the cursor.
_sim() {
  local line word before=""
  local -a said open closed open_about closed_about
  said=("${(@f)$("${words[1]}" complete -- "${(@)words[2,CURRENT-1]}" "$PREFIX" 2> /dev/null)}")
  # Of --option=VALUE and file:PATH only VALUE and PATH are completed.
  if [[ $PREFIX == *[=:]* ]]; then
    before=${PREFIX%${PREFIX##*[=:]}}
    compset -P '*[=:]'
  fi
  for line in $said; do
    word=${${line%%$'\t'*}#$before}
    case $line in
      :files) _files ;;
      :folders) _files -/ ;;
      *[=:,]) open+=("$word") open_about+=("$word") ;;
      *) closed+=("$word") closed_about+=("${word}${${(M)line%$'\t'*}/$'\t'/  -- }") ;;
    esac
  done
  (( $#closed )) && compadd -l -d closed_about -a closed
  (( $#open )) && compadd -S '' -d open_about -a open
}
if [[ $funcstack[1] == _sim ]]; then
  _sim "$@"
else
  compdef _sim sim
fi
