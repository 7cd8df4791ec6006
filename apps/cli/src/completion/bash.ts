import type { Command } from "../command.ts";
import {
	listPlaces,
	type Place,
	quote,
	renderTwoWordPatterns,
	renderValueFlagPatterns,
	type Word,
} from "./tree.ts";

/** Does not need the bash-completion package, which is not always installed; completes files if no word fits. */
export function bash(commands: readonly Command[]): string {
	const places = listPlaces(commands);
	return `# tripline: completion for bash
_tripline() {
	local current="\${COMP_WORDS[COMP_CWORD]}" name="\${COMP_WORDS[1]}" words="" flags=""
	if [ "$COMP_CWORD" -le 1 ]; then
		name=""
	elif [ "$COMP_CWORD" -gt 2 ]; then
		case "$name \${COMP_WORDS[2]}" in
			${renderTwoWordPatterns(places)}) name="$name \${COMP_WORDS[2]}" ;;
		esac
	fi
	COMPREPLY=()
	case "$name \${COMP_WORDS[COMP_CWORD-1]}" in
		${renderValueFlagPatterns(places)}) return ;;
	esac
	case "$name" in
${places.map(renderPlace).join("\n")}
	esac
	case "$current" in
		-*) COMPREPLY=($(compgen -W "$flags" -- "$current")) ;;
		*) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
	esac
}
complete -o default -F _tripline tripline
`;
}

const renderPlace = ({ name, words, flags }: Place): string =>
	`\t\t${quote(name)}) words=${renderWords(words)} flags=${renderWords(flags)} ;;`;

const renderWords = (words: readonly Word[]): string => quote(words.map(({ word }) => word).join(" "));
