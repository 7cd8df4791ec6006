import type { Json } from "@tripline/contract/json";
import type { GraphNode, Options } from "@tripline/contract/workflows";
import type { Positions } from "../definition.ts";
import { type Path, quoteText, type Report, type Spot } from "../diagnostics.ts";
import { parseTemplate } from "../expressions/template-syntax.ts";
import type { Meter } from "../meter.ts";

/** Warns about unknown credentials wherever they are named. */
export function checkCredentials(
	nodes: readonly GraphNode[],
	options: Options,
	known: ReadonlySet<string>,
	positions: Positions,
	report: Report,
): void {
	const check = (name: string, spot: Spot) => {
		if (known.has(name)) return;
		const message = `credential ${quoteText(name)} does not exist yet: the run will fail without it`;
		report.warning("missing_credential", message, spot, `Create it with PUT /credentials/${name}`);
	};
	for (const { id, credential, params } of nodes) {
		const spots = positions.nodes.get(id);
		if (credential !== undefined) check(credential, spots?.credential ?? { path: [] });
		forEachReference(params, [], report.meter, (name, path, offset) =>
			check(name, { ...(spots?.params(path) ?? { path }), offset }),
		);
	}
	if (options.signature)
		check(options.signature.credential, { path: ["options", "signature", "credential"] });
}

/** `path` is shared and mutated during the walk; each reference found gets a copy. */
function forEachReference(
	value: Json,
	path: (string | number)[],
	meter: Meter,
	found: (name: string, path: Path, offset: number) => void,
): void {
	meter.spend(1);
	if (typeof value === "string") {
		if (!value.includes("credential") || !value.includes("{{")) return;
		for (const piece of parseTemplate(value, meter).pieces) {
			if (typeof piece === "string" || piece.source.kind !== "path") continue;
			const [root, name] = piece.source.steps;
			if (root?.key === "credential" && typeof name?.key === "string") {
				found(name.key, [...path], root.offset);
			}
		}
	} else if (Array.isArray(value)) {
		for (const [index, below] of value.entries()) within(index, below);
	} else if (typeof value === "object" && value !== null) {
		for (const key of Object.keys(value)) within(key, value[key] as Json);
	}

	function within(part: string | number, below: Json): void {
		path.push(part);
		forEachReference(below, path, meter, found);
		path.pop();
	}
}
