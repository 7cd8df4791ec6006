/** The part of V8's CPU profile that is used here. */
export interface CpuProfile {
	readonly nodes: readonly ProfileNode[];
	/** Microseconds. */
	readonly startTime: number;
	readonly samples?: readonly number[];
	readonly timeDeltas?: readonly number[];
}

interface ProfileNode {
	readonly id: number;
	readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
	readonly children?: readonly number[];
}

const MAX_LINES = 8;
const MAX_FRAMES = 6;

/** Start and end in microseconds. */
export type Span = readonly [number, number];

/** The functions with the most self time within the spans, each with its callers. */
export function findHottest(profile: CpuProfile, spans: readonly Span[]): string[] {
	const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
	const parents = new Map(
		profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])),
	);
	const spent = new Map<string, { microseconds: number; node: number; most: number }>();
	let at = profile.startTime;
	let nth = 0;
	for (const [index, id] of (profile.samples ?? []).entries()) {
		const delta = profile.timeDeltas?.[index] ?? 0;
		at += delta;
		while (at > (spans[nth]?.[1] ?? Number.POSITIVE_INFINITY)) nth++;
		if (at < (spans[nth]?.[0] ?? Number.POSITIVE_INFINITY)) continue;
		const name = describeFrame(nodes.get(id));
		if (name === "(idle)") continue;
		const known = spent.get(name) ?? { microseconds: 0, node: id, most: 0 };
		known.microseconds += delta;
		if (delta > known.most) Object.assign(known, { most: delta, node: id });
		spent.set(name, known);
	}
	return [...spent]
		.sort(([, one], [, other]) => other.microseconds - one.microseconds)
		.slice(0, MAX_LINES)
		.map(
			([name, { microseconds, node }]) => `${Math.round(microseconds / 1000)} ms ${name} < ${callers(node)}`,
		);

	function callers(id: number): string {
		const names: string[] = [];
		for (let above = parents.get(id); above !== undefined; above = parents.get(above)) {
			const name = describeFrame(nodes.get(above));
			if (name !== names.at(-1)) names.push(name);
			if (names.length === MAX_FRAMES) break;
		}
		return names.join(" < ");
	}
}

function describeFrame(node: ProfileNode | undefined): string {
	if (node === undefined) return "?";
	const { functionName, url, lineNumber } = node.callFrame;
	const file = url.replace(/^.*\/((?:[^/]+\/){2}[^/]+)$/, "$1");
	return file === "" ? functionName : `${functionName || "anonymous"} ${file}:${lineNumber + 1}`;
}
