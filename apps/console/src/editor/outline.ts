import type { Lines } from "./place.ts";
import { parseYamlLine, unquote } from "./yaml-line.ts";

/** The names of a document that its templates can refer to. */
export interface Outline {
	/** Ordered by triplets, then by settings. */
	readonly nodes: readonly string[];
	/** Names of loop elements. */
	readonly elements: readonly string[];
	/** Names of the turns of REPEAT loops. */
	readonly turns: readonly string[];
	/** Nodes with settings, and the component set there. */
	readonly configured: ReadonlyMap<string, string | null>;
	readonly context: readonly string[];
}

const FOREACH = /^(?:for[\s_]*each\s+|對每個\s*)(.+)$/iu;
const REPEAT = /^(?:repeat\s+|重複\s*)(.+)$/iu;

export function buildOutline(doc: Lines): Outline {
	const nodes = new Set<string>();
	const elements = new Set<string>();
	const turns = new Set<string>();
	const configured = new Map<string, string | null>();
	const context = new Set<string>();
	let section = "";
	let node: { name: string; column: number } | null = null;
	let block: number | null = null;
	for (let at = 1; at <= doc.lines; at++) {
		const { text } = doc.line(at);
		const line = parseYamlLine(text);
		if (line.isEmpty) continue;
		if (block !== null && line.column > block) continue;
		block = line.isBlock ? line.column : null;
		if (line.column === 0 && line.key !== null) {
			section = line.key;
			node = null;
			if (section === "context") for (const name of listFlowKeys(line.value)) context.add(name);
			if (isTriplets(section)) for (const item of line.value.match(QUOTED) ?? []) addTriplet(unquote(item));
		} else if (isTriplets(section)) addTriplet(unquote(text.slice(line.column).trim()));
		else if (section === "context" && line.key !== null) {
			node ??= { name: "", column: line.column };
			if (line.column === node.column) context.add(line.key);
		} else if (section === "config" && line.key !== null) addSetting(line.key, line.column, line.value);
	}
	return {
		nodes: [...new Set([...nodes, ...configured.keys()])],
		elements: [...elements],
		turns: [...turns],
		configured,
		context: [...context],
	};

	function addTriplet(text: string): void {
		const [subject, relation, object] = text.split(">>").map((part) => part.trim());
		for (const name of [subject, object])
			if (name !== undefined && name !== "" && name !== "input" && relation !== undefined) nodes.add(name);
		const element = FOREACH.exec(relation ?? "")?.[1];
		if (element !== undefined) elements.add(element);
		const turn = REPEAT.exec(relation ?? "")?.[1];
		if (turn !== undefined) turns.add(turn);
	}

	function addSetting(key: string, column: number, value: string): void {
		if (node === null || column <= node.column) {
			node = { name: key, column };
			configured.set(key, /(?:^\{|,)\s*component:\s*["']?([^\s,}"']+)/.exec(value)?.[1] ?? null);
		} else if (key === "component" && value !== "") {
			configured.set(node.name, configured.get(node.name) ?? unquote(value.replace(/\s+#.*$/, "")));
		}
	}
}

const QUOTED = /"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'/g;
const isTriplets = (section: string): boolean => section === "triplets" || section === "flow";
const listFlowKeys = (value: string): string[] =>
	[...value.matchAll(/[{,]\s*([\p{L}_][\p{L}\p{N}_]*)\s*:/gu)].map((match) => match[1] ?? "");

/** Whether a name can be used directly in a template; other names are written `nodes["…"]`. */
export const isPlainName = (name: string): boolean => /^[\p{ID_Start}_][\p{ID_Continue}_]*$/u.test(name);
