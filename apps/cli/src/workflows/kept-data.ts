import type { KeptData, KeptNode, KeptValue } from "@tripline/contract/kept-data";
import type { TenantExecutor } from "@tripline/executor/client";
import { toPrintable } from "../printable.ts";

const MAX_NODES = 1_000;
/** In an overview a value takes one line. */
const MAX_LINE_LENGTH = 160;

/** Reads what the nodes of a run received and gave, up to a thousand of them. */
export async function readKeptData(
	{ executions }: TenantExecutor,
	id: string,
	query: { readonly node?: string; readonly place?: string },
): Promise<KeptData> {
	let data = await executions.data(id, query);
	while (data.next_cursor !== null && data.nodes.length < MAX_NODES) {
		const page = await executions.data(id, { ...query, cursor: data.next_cursor });
		data = { ...page, nodes: [...data.nodes, ...page.nodes] };
	}
	return data;
}

/** `isWhole`: values are printed in full and indented. */
export function renderKeptData(data: KeptData, isWhole: boolean): string {
	const until = data.expires_at === undefined ? "in memory" : `until ${data.expires_at}`;
	const notes = [
		...(data.is_cut ? ["some values or nodes were too large to be kept"] : []),
		...(data.next_cursor === null ? [] : ["there are more nodes: name one with --node"]),
	];
	return [
		`data:        kept ${until}`,
		...renderValue("input", data.input, isWhole),
		...data.nodes.flatMap((node) => ["", ...renderNode(node, isWhole)]),
		...(notes.length === 0 ? [] : ["", ...notes]),
	].join("\n");
}

function renderNode(node: KeptNode, isWhole: boolean): string[] {
	const place = node.place === "" ? "" : ` [${node.place}]`;
	const attempt = node.attempt === 1 ? "" : `, attempt ${node.attempt}`;
	return [
		toPrintable(`${node.id}${place}: ${node.status}${attempt}`),
		...(node.error === undefined ? [] : [`  error:   ${toPrintable(node.error)}`]),
		...renderValue("input", node.input, isWhole),
		...(node.input_error === undefined ? [] : [`  input:   (${toPrintable(node.input_error)})`]),
		...renderValue("output", node.output, isWhole),
	];
}

function renderValue(name: string, value: KeptValue | undefined, isWhole: boolean): string[] {
	if (value === undefined) return [];
	const label = `  ${`${name}:`.padEnd(9)}`;
	if ("text" in value) {
		const text = isWhole ? value.text : value.text.slice(0, MAX_LINE_LENGTH).toWellFormed();
		return [`${label}${toPrintable(text)}… (${value.bytes} bytes)`];
	}
	if (isWhole) return [label.trimEnd(), indent(JSON.stringify(value.json, null, 2))];
	const line = JSON.stringify(value.json);
	const isLong = line.length > MAX_LINE_LENGTH;
	return [label + toPrintable(isLong ? `${line.slice(0, MAX_LINE_LENGTH).toWellFormed()}…` : line)];
}

const indent = (text: string): string =>
	text
		.split("\n")
		.map((line) => `    ${toPrintable(line)}`)
		.join("\n");
