const TOP_KEY = /^([A-Za-z_]\w*):/;
const TRIPLET = /^(\s+)-\s+(["']?)(.+?)\s*>>\s*(.+?)\s*>>\s*(.+?)\2\s*(?:#.*)?$/;

/**
 * Adds a node after the last one. Returns null if the text is not in block style with one triplet per line, so that the
 * user must insert it.
 */
export function insertNode(text: string, component: string, settings: string): string | null {
	const lines = text.replace(/\n+$/, "").split("\n");
	const flow = findBlock(lines, "triplets") ?? findBlock(lines, "flow");
	if (flow === null) return null;
	const triplets = lines.slice(flow.first + 1, flow.end).map((line) => TRIPLET.exec(line));
	const last = triplets.findLast((match) => match !== null);
	if (last === undefined || last === null) return null;
	const node = pickFreeName(lines, component);
	const at = flow.first + 1 + triplets.lastIndexOf(last);
	lines.splice(at + 1, 0, `${last[1]}- ${last[5]} >> then >> ${node}`);
	const config = findBlock(lines, "config");
	const settled = [`  ${node}:`, ...settings.split("\n")];
	if (config === null) lines.push("config:", ...settled);
	else if (lines[config.first]?.trim() !== "config:") return null;
	else lines.splice(config.end, 0, ...settled);
	return `${lines.join("\n")}\n`;
}

/** The lines of a top-level key, without trailing blank lines. */
function findBlock(lines: readonly string[], key: string): { first: number; end: number } | null {
	const first = lines.findIndex((line) => TOP_KEY.exec(line)?.[1] === key);
	if (first === -1) return null;
	const next = lines.findIndex((line, index) => index > first && TOP_KEY.test(line));
	let end = next === -1 ? lines.length : next;
	while (end > first + 1 && /^\s*(?:#.*)?$/.test(lines[end - 1] ?? "")) end -= 1;
	return { first, end };
}

/** The component's name, with a number if a node already has that name. */
function pickFreeName(lines: readonly string[], component: string): string {
	const base = component.replaceAll(/[^A-Za-z0-9_]+/g, "_");
	const text = lines.join("\n");
	const isTaken = (name: string) => new RegExp(`(?<![\\w.-])${name}(?![\\w.-])`).test(text);
	for (let number = 1; ; number++) {
		const name = number === 1 ? base : `${base}_${number}`;
		if (!isTaken(name)) return name;
	}
}
