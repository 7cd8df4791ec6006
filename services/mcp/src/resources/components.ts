import type { ComponentList } from "@tripline/contract/executor";
import type * as z from "zod";
import { shortened } from "../tools/budget.ts";

export type Component = z.output<typeof ComponentList>["components"][number];

const MOST_CHARACTERS = 60_000;

const GROUPS = [
	{ source: "built-in", title: "Built in" },
	{ source: "installed", title: "Installed from the registry" },
	{ source: "recipe", title: "Operations of API recipes: calls to services, most need a credential" },
] as const;

/** All components, as a Markdown page. */
export function componentsOverview(components: readonly Component[]): string {
	const lines = GROUPS.flatMap(({ source, title }) => {
		const members = components.filter((component) => component.source === source);
		return members.length === 0 ? [] : ["", `## ${title}`, "", ...members.map(componentLine)];
	});
	const shown = within(MOST_CHARACTERS, lines);
	const left = lines.length - shown.length;
	return [
		"# Components",
		"",
		"A node names one of these in `component`. get_component returns its parameters and examples.",
		...shown,
		...(left > 0 ? ["", `And ${left} more lines: list_components searches all components.`] : []),
		"",
	].join("\n");
}

/** The title of a recipe's operation says what it does; the description adds to it or repeats it. */
export function componentLine({ id, title, description, source }: Component): string {
	const sentence = firstSentence(description);
	if (source === "built-in") return `- ${id}: ${sentence}`;
	const isSaid = title.includes(sentence.replace(/\.$/, ""));
	return `- ${id}: ${inLine(title)}${isSaid ? "" : `. ${sentence}`}`;
}

/** Shortens untrusted text to one line. */
function firstSentence(text: string): string {
	const line = inLine(text);
	const end = line.search(/[.。](?:\s|$)/);
	const sentence = end === -1 ? line : line.slice(0, end + 1);
	return shortened(sentence, 160);
}

const inLine = (text: string): string => text.slice(0, 400).replace(/\s+/g, " ").trim();

function within(characters: number, lines: readonly string[]): readonly string[] {
	let used = 0;
	const end = lines.findIndex((line) => {
		used += line.length + 1;
		return used > characters;
	});
	return end === -1 ? lines : lines.slice(0, end);
}
