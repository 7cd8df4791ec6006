import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as catalogue from "@tripline/components/catalogue";
import * as engine from "@tripline/engine/compile";
import { checkOut } from "./before.ts";
import { createOrders } from "./executor/engine.ts";
import { type Batch, compare } from "./measure.ts";
import type { Row, Section } from "./report.ts";
import { scratchFolder } from "./scratch.ts";

/** How much dearer a workflow may become than at an earlier commit, checks that were added since included. */
const MAX_RATIO = 1.3;
const ROUNDS = 15;
const COMPILES = 50;
const NODES = 100;

type Compiler = Pick<typeof engine, "compileSource"> & Pick<typeof catalogue, "builtInCatalogue">;

/** Compiling with this checkout against compiling with that of an earlier commit, in one process. */
export async function compileSuite(
	onProgress: (what: string) => void,
	{ base = "HEAD~1" }: { readonly base?: string },
): Promise<Section[]> {
	using folder = scratchFolder();
	const then = join(folder.path, "checkout");
	onProgress(`against ${checkOut(base, then)}`);
	const before: Compiler = {
		...(await importFrom(then, "packages/engine/src/compile.ts")),
		...(await importFrom(then, "packages/components/src/catalogue.ts")),
	};
	const now: Compiler = { ...engine, ...catalogue };
	const rows: Row[] = [];
	for (const [what, document] of [
		["orders: set, if, template, filter", createOrders(NODES)],
		["calls: http_request, filter, map, set, template", createCalls(NODES)],
	] as const) {
		onProgress(what);
		const compared = await compare({
			rounds: ROUNDS,
			floor: () => compileOften(before, document),
			ours: () => compileOften(now, document),
		});
		rows.push({ what, unit: "µs", ...compared, bar: { on: "ratio", most: MAX_RATIO } });
	}
	return [{ title: `Compile ${NODES} nodes, CPU per document: this checkout / ${base}`, rows }];
}

const importFrom = (folder: string, path: string): Promise<Compiler> =>
	import(pathToFileURL(join(folder, path)).href);

const compileOften = ({ compileSource, builtInCatalogue }: Compiler, json: object): Batch => ({
	calls: COMPILES,
	run() {
		for (let nth = 0; nth < COMPILES; nth++) {
			const { plan, diagnostics } = compileSource({ json }, { catalogue: builtInCatalogue, named: false });
			if (plan === null) throw new Error(`does not compile: ${JSON.stringify(diagnostics)}`);
		}
	},
});

/** Each group of five nodes requests a list, selects and maps its elements, and reads the result. */
function createCalls(count: number): object {
	const kinds: readonly ((first: number) => object)[] = [
		() => ({
			component: "http_request",
			url: "https://example.com/{{input.id}}",
			query: { a: "{{input.a}}", b: "x {{input.b | upper}}" },
		}),
		(first) => ({
			component: "filter",
			items: `{{n${first}.data}}`,
			where: "item.total > 5 && item.paid",
		}),
		(first) => ({
			component: "map",
			items: `{{n${first + 1}}}`,
			value: "{'name': item.name, 'total': item.total * 2}",
		}),
		(first) => ({
			component: "set",
			values: {
				list: `{{n${first + 2}}}`,
				first: `{{n${first + 2}[0].name}}`,
				status: `{{n${first}.status}}`,
			},
		}),
		(first) => ({
			component: "template",
			text: `Hello {{n${first + 3}.first}}, {{n${first + 3}.status}} of {{input.name | default("x")}}`,
		}),
	];
	const nodes = Array.from({ length: count }, (_, index) => {
		const nth = index % kinds.length;
		return [`n${index}`, (kinds[nth] as (typeof kinds)[number])(index - nth)] as const;
	});
	const triplets = nodes.map(([id], index) => `${index === 0 ? "input" : `n${index - 1}`} >> then >> ${id}`);
	return { triplets, config: Object.fromEntries(nodes) };
}
