import type { Command } from "../command.ts";
import { listPlaces, type Place, quote, type Word } from "./tree.ts";

export function fish(commands: readonly Command[]): string {
	const places = listPlaces(commands);
	return `# tripline: completion for fish
function __tripline_at --description 'the line so far is exactly these words'
	set -l line (commandline -opc)
	set -e line[1]
	test "$line" = "$argv"
end
function __tripline_in --description 'the line begins with these words'
	set -l line (commandline -opc)
	set -e line[1]
	string match --quiet -- "$argv *" "$line "
end
${places.flatMap((place) => [...place.words.map((word) => renderWord(place, word)), ...renderFlags(place)]).join("\n")}
`;
}

const renderWord = ({ name }: Place, { word, about }: Word): string =>
	`complete -c tripline -n ${quote(`__tripline_at ${name}`.trimEnd())} -f -a ${quote(word)} -d ${quote(about)}`;

/** The flags of a command with subcommands are not offered after a subcommand. */
function renderFlags({ name, words, flags }: Place): string[] {
	const others = words.map(({ word }) => `; and not __tripline_in ${name} ${word}`).join("");
	const condition = name === "" ? "__tripline_at" : `__tripline_in ${name}${others}`;
	return flags.map(
		({ word, about, takesValue }) =>
			`complete -c tripline -n ${quote(condition)} -l ${word.slice(2)}${takesValue ? " -r" : ""} -d ${quote(about)}`,
	);
}
