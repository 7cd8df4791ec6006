import type { Command } from "../command.ts";
import {
	listPlaces,
	type Place,
	quote,
	renderTwoWordPatterns,
	renderValueFlagPatterns,
	type Word,
} from "./tree.ts";

/** Works with `eval` after compinit, and as the file `_tripline` in a folder of fpath. */
export function zsh(commands: readonly Command[]): string {
	const places = listPlaces(commands);
	return `#compdef tripline
# tripline: completion for zsh
_tripline() {
	local current="\${words[CURRENT]}" previous="\${words[CURRENT-1]}" name="\${words[2]}"
	local -a next flags
	if (( CURRENT <= 2 )); then
		name=""
	elif (( CURRENT > 3 )); then
		case "$name \${words[3]}" in
			${renderTwoWordPatterns(places)}) name="$name \${words[3]}" ;;
		esac
	fi
	case "$name $previous" in
		${renderValueFlagPatterns(places)}) _files; return ;;
	esac
	case "$name" in
${places.map(renderPlace).join("\n")}
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

const renderPlace = ({ name, words, flags }: Place): string =>
	`\t\t${quote(name)}) next=(${renderWords(words)}) flags=(${renderWords(flags)}) ;;`;

/** A colon separates a word from its description. */
const renderWords = (words: readonly Word[]): string =>
	words.map(({ word, about }) => quote(`${word.replaceAll(":", "\\:")}:${about}`)).join(" ");
