import type { Effects } from "@tripline/components/effects";
import {
	createPlaceholders,
	type Placeholders,
	writeTemplate,
} from "@tripline/components/outbound/placeholders";
import type { Json } from "@tripline/contract/json";
import { type KeptNode, MAX_KEPT_VALUE_BYTES } from "@tripline/contract/kept-data";
import { compile } from "@tripline/engine/compile";
import type { Catalogue } from "@tripline/engine/component";
import type { Roots } from "@tripline/engine/frame";
import { MAX_NODE_UNITS, Meter } from "@tripline/engine/meter";
import type { Plan } from "@tripline/engine/plan";
import { cutValue, type KeptDocument } from "./document.ts";
import { KeptFrames, readValue } from "./frames.ts";

/** For all nodes of a page together. */
const MAX_PAGE_BYTES = 1024 * 1024;
const ALONE = "the inputs of this page are too large: ask for this node alone";

/** The root `request` of a run that no HTTP request started. */
const NO_REQUEST: Json = { method: null, query: {}, headers: {}, content_type: null };

/** Adds to each step what the node received: its parameters, rendered again. */
export function renderInputs(
	run: KeptDocument,
	id: string,
	steps: KeptDocument["steps"],
	catalogue: Catalogue<Effects>,
): KeptNode[] {
	const plan = compileAgain(run, catalogue);
	if (typeof plan === "string")
		return steps.map((step) => (step.input === undefined ? { ...step, input_error: plan } : step));
	const placeholders = createPlaceholders();
	// One meter for the whole page.
	const meter = new Meter(MAX_NODE_UNITS);
	const frames = new KeptFrames(plan, buildRoots(run, id, plan, placeholders, meter), run);
	let left = MAX_PAGE_BYTES;
	const firstStep = plan.nodes.length - plan.stepCount;
	return steps.map((step) => {
		if (step.input !== undefined) return step;
		if (left <= 0) return { ...step, input_error: ALONE };
		try {
			const node = frames.findNode(step.id);
			if (node === undefined) return { ...step, input_error: "the document has no such node" };
			if (node.place >= firstStep) return { ...step, input_error: "it is too large to be kept" };
			const params = node.resolve?.(frames.build(node, step.place)) ?? node.params;
			const { value, bytes } = cutValue(nameCredentials(params, placeholders), MAX_KEPT_VALUE_BYTES);
			left -= bytes;
			return { ...step, input: value };
		} catch (error) {
			const message = meter.left < 0 ? ALONE : (error as Error).message;
			return { ...step, input_error: nameCredentials(message, placeholders) as string };
		}
	});
}

function compileAgain({ definition }: KeptDocument, catalogue: Catalogue<Effects>): Plan<Effects> | string {
	if (definition === undefined) return "the document was too large to be kept with the run";
	const { plan, diagnostics } = compile({ ...definition, options: {} }, { catalogue });
	const problem = diagnostics.find(({ severity }) => severity === "error")?.message;
	return plan ?? `the document no longer compiles: ${problem}`;
}

function buildRoots(
	run: KeptDocument,
	id: string,
	{ context }: Plan<Effects>,
	placeholders: Placeholders,
	meter: Meter,
): Roots {
	const { input, request } = run;
	return {
		get input() {
			return readValue(input, "the input");
		},
		get request() {
			return request === undefined ? NO_REQUEST : readValue(request, "the request");
		},
		context,
		workflow: { name: run.workflow, version: run.version },
		execution: { id, trigger: run.trigger, time: run.time },
		// As in the run, so that the parameters are found as valid as they were.
		credential: (name, field) => placeholders.text(name, field),
		meter,
	};
}

function nameCredentials(value: Json, placeholders: Placeholders): Json {
	if (!placeholders.hasAny()) return value;
	if (typeof value === "string") return placeholders.replace(value, writeTemplate);
	if (typeof value !== "object" || value === null) return value;
	if (Array.isArray(value)) return value.map((inner) => nameCredentials(inner, placeholders));
	return Object.fromEntries(
		Object.entries(value).map(([name, inner]) => [name, nameCredentials(inner, placeholders)]),
	);
}
