import type { ComponentList } from "@tripline/contract/executor";
import type * as z from "zod";
import { shorten } from "../tools/budget.ts";

export type Component = z.output<typeof ComponentList>["components"][number];

const MAX_TEXT_LENGTH = 60_000;

const GROUPS = [
	{ source: "built-in", title: "Built in" },
	{ source: "installed", title: "Installed from the registry" },
	{ source: "mcp", title: "Tools of MCP servers" },
	{ source: "recipe", title: "Operations of API recipes: calls to services, most need a credential" },
] as const;

/** All components, as a Markdown page. */
export function renderComponents(components: readonly Component[]): string {
	const lines = GROUPS.flatMap(({ source, title }) => {
		const members = components.filter((component) => component.source === source);
		return members.length === 0 ? [] : ["", `## ${title}`, "", ...members.map(renderComponentLine)];
	});
	const shown = takeFitting(MAX_TEXT_LENGTH, lines);
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
export function renderComponentLine({ id, title, description, source }: Component): string {
	const sentence = pickFirstSentence(description);
	if (source === "built-in") return `- ${id}: ${sentence}`;
	const isSaid = title.includes(sentence.replace(/\.$/, ""));
	return `- ${id}: ${toOneLine(title)}${isSaid ? "" : `. ${sentence}`}`;
}

/** Shortens untrusted text to one line. */
function pickFirstSentence(text: string): string {
	const line = toOneLine(text);
	const end = line.search(/[.。](?:\s|$)/);
	const sentence = end === -1 ? line : line.slice(0, end + 1);
	return shorten(sentence, 160);
}

const toOneLine = (text: string): string => text.slice(0, 400).replace(/\s+/g, " ").trim();

function takeFitting(characters: number, lines: readonly string[]): readonly string[] {
	let used = 0;
	const end = lines.findIndex((line) => {
		used += line.length + 1;
		return used > characters;
	});
	return end === -1 ? lines : lines.slice(0, end);
}
