import type { McpToolChanges } from "@tripline/contract/mcp-servers";
import type { JsonObject } from "@tripline/contract/workflows";
import type { Outcome } from "../command.ts";
import { renderSchema } from "../components/schema-lines.ts";
import { takeFirstSentence } from "../components/sentence.ts";
import { toPrintable } from "../printable.ts";
import type { McpServer } from "./find.ts";

/** What a server that was added or signed in to offers. */
export const summarizeServer = (server: McpServer): Outcome => ({
	json: server,
	text: toPrintable(
		[
			`${server.name}: ${countTools(server.tools.length)} of ${server.title ?? server.url}`,
			...server.tools.map(({ component, description, title, name }) => {
				const about = takeFirstSentence(description || title || name);
				return `  ${component}  ${about}`;
			}),
			...listSkipped(server.skipped),
		].join("\n"),
	),
});

export function renderServer(server: McpServer): string {
	const { name, url, title, credential, protocol_version, instructions, tools } = server;
	return [
		[
			`${name}: ${title ?? url}`,
			`address: ${url}`,
			`credential: ${credential ?? "none"}`,
			`protocol: ${protocol_version}, checked ${server.checked_at}`,
			...(typeof server.error === "string" ? [`error: ${server.error}`] : []),
			...(server.offered === null
				? []
				: [`changed since it was accepted: tripline mcp refresh ${name} shows how`]),
		].join("\n"),
		...(instructions === null ? [] : [`what the server says:\n${instructions}`]),
		...tools.map((tool) => renderTool(tool.component, tool)),
		...listSkipped(server.skipped),
	].join("\n\n");
}

type Tool = McpToolChanges["added"][number];

function renderTool(heading: string, { title, description, input_schema, output_schema }: Tool): string {
	return [
		`${heading}${title === null ? "" : `: ${title}`}`,
		...(description === "" ? [] : [description]),
		`parameters:\n${renderSchema(input_schema as JsonObject)}`,
		...(output_schema === null ? [] : [`output:\n${renderSchema(output_schema as JsonObject)}`]),
	].join("\n");
}

/** Null if nothing has changed. */
export function renderChanges({ added, removed, changed, skipped }: McpToolChanges): string | null {
	const parts = [
		...added.map((tool) => renderTool(`new: ${tool.name}`, tool)),
		...removed.map(({ name }) => `gone: ${name}`),
		...changed.map(({ before, after }) => renderChange(before, after)),
	];
	return parts.length === 0 ? null : [...parts, ...listSkipped(skipped)].join("\n\n");
}

const PARTS = ["title", "description", "input_schema", "output_schema", "annotations"] as const;

function renderChange(before: Tool, after: Tool): string {
	const lines = PARTS.flatMap((part) => {
		const [from, to] = [before[part], after[part]].map((value) => JSON.stringify(value));
		return from === to ? [] : [`  ${part}`, `  - ${from}`, `  + ${to}`];
	});
	return [`changed: ${after.name}`, ...lines].join("\n");
}

const listSkipped = (skipped: McpServer["skipped"]): string[] =>
	skipped.map(({ name, reason }) => `not usable: ${name}: ${reason}`);

const countTools = (count: number): string => (count === 1 ? "1 tool" : `${count} tools`);
