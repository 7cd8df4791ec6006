import type { Command } from "../command.ts";
import { awaiting, type Place, placesOf, quoted, twoWords, type Word } from "./tree.ts";

/** Works with `eval` after compinit, and as the file `_tripline` in a folder of fpath. */
export function zsh(commands: readonly Command[]): string {
	const places = placesOf(commands);
	return `#compdef tripline
# tripline: completion for zsh
_tripline() {
	local current="\${words[CURRENT]}" previous="\${words[CURRENT-1]}" name="\${words[2]}"
	local -a next flags
	if (( CURRENT <= 2 )); then
		name=""
	elif (( CURRENT > 3 )); then
		case "$name \${words[3]}" in
			${twoWords(places)}) name="$name \${words[3]}" ;;
		esac
	fi
	case "$name $previous" in
		${awaiting(places)}) _files; return ;;
	esac
	case "$name" in
${places.map(placeCase).join("\n")}
	esac
	if [[ "$current" == -* ]]; then
		_describe -o flag flags
	elif (( \${#next} > 0 )); then
		_describe command next
	else
		_files
	fi
}
if [[ "\${funcstack[1]}" == _tripline ]]; then
	_tripline "$@"
else
	compdef _tripline tripline
fi
`;
}

const placeCase = ({ name, words, flags }: Place): string =>
	`\t\t${quoted(name)}) next=(${list(words)}) flags=(${list(flags)}) ;;`;

/** A colon separates a word from its description. */
const list = (words: readonly Word[]): string =>
	words.map(({ word, about }) => quoted(`${word.replaceAll(":", "\\:")}:${about}`)).join(" ");
