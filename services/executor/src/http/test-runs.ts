import { Failed } from "@tripline/contract/failures";
import { INPUT, type JsonObject, RunResult, TestRun, WorkflowName } from "@tripline/contract/workflows";
import { mayPin, type Pins } from "@tripline/engine/pin";
import { type Route, route } from "@tripline/web/route";
import * as z from "zod";
import type { Caller } from "../domain/callers.ts";
import type { Runnable } from "../runs/runnable.ts";
import { wantsEvents } from "./accept.ts";
import { checkRate, readRoot } from "./context.ts";
import type { ExecutorParts } from "./deps.ts";
import { buildDraftTarget } from "./drafts.ts";
import { markSource, resolveTarget } from "./named.ts";
import type { Target } from "./target.ts";
import { TEST_RESPONSES } from "./trigger-description.ts";

const MAX_LISTED_NAMES = 50;
const NO_BYTES = new Uint8Array();

export const testRoutes = (parts: ExecutorParts): Route<Caller>[] => [
	route({
		method: "POST",
		path: "/workflows/{name}/test",
		tag: "Drafts",
		summary: "Test a workflow, with pinned outputs of nodes",
		description:
			"Runs the draft, or the current version if there is no draft. A node with a pinned output does not run: it succeeds with that output. So does a step of an agent, `<node>/<tool>`, whenever it is called. The run is recorded with the trigger `test` and raises no `execution.failed`. If Accept includes text/event-stream, the answer streams the progress of the nodes.",
		params: z.object({ name: WorkflowName }),
		body: TestRun,
		responses: { ...TEST_RESPONSES, 200: { description: "The run succeeded", body: RunResult } },
		async handle({ caller: { namespace }, params: { name }, body: { input = {}, pinned }, request }) {
			checkRate(parts.rate, namespace);
			const found = await findTarget(parts, namespace, name);
			const target = { ...found, pinned: readPins(found.runnable, pinned) };
			const run = wantsEvents(request) ? parts.watch : parts.trigger;
			const context = { input, body: NO_BYTES, root: readRoot(request, target) };
			return markSource(target, await run(request, target, context));
		},
	}),
];

async function findTarget(parts: ExecutorParts, namespace: string, name: string): Promise<Target> {
	const { drafts } = parts;
	const draft = await drafts.find(namespace, name);
	if (draft !== null) return buildDraftTarget(namespace, name, await drafts.prepare(namespace, draft));
	return { ...(await resolveTarget(parts, namespace, name, "test")), isOwners: true };
}

/** Undefined if nothing is pinned. */
function readPins({ nodes, plan }: Runnable, pinned: JsonObject = {}): Pins | undefined {
	const pins = new Map(Object.entries(pinned));
	if (pins.size === 0) return undefined;
	if (pins.has(INPUT)) throw refuse(`pinned.${INPUT}: the trigger is no node; send its data as input`);
	const names = new Set(("nodes" in plan ? plan.nodes : nodes).map(({ id }) => id));
	for (const name of pins.keys()) if (!names.has(name)) throw refuse(describeUnknown(name, [...names]));
	const unfit = "nodes" in plan ? plan.nodes.find((node) => pins.has(node.id) && !mayPin(node)) : undefined;
	if (unfit !== undefined)
		throw refuse(
			`pinned: ${JSON.stringify(unfit.id)} repeats other nodes, so its output cannot be pinned; pin the nodes that it repeats`,
		);
	return pins;
}

function describeUnknown(name: string, names: readonly string[]): string {
	const listed = names.slice(0, MAX_LISTED_NAMES).map((each) => JSON.stringify(each));
	const rest = names.length > MAX_LISTED_NAMES ? ` and ${names.length - MAX_LISTED_NAMES} more` : "";
	return `pinned: the workflow has no node ${JSON.stringify(name)}; it has ${listed.join(", ")}${rest}`;
}

const refuse = (message: string): Failed => new Failed({ kind: "bad_request", message });
