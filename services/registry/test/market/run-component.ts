import { after } from "node:test";
import { createManifestComponents } from "@tripline/components/installed/component";
import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { MAX_NODE_UNITS, Meter } from "@tripline/engine/meter";
import { nodeSandbox } from "@tripline/platform/sandbox.node";
import { market } from "../../src/market/market.ts";

export const sandbox = nodeSandbox({ threads: 1 });
after(() => sandbox.close());

/** Runs a market component as an installed one and returns its output. */
export async function runComponent(id: string, params: JsonObject): Promise<Json> {
	const manifest = market.find((one) => one.id === id);
	const [component] = manifest === undefined ? [] : createManifestComponents(manifest);
	if (component === undefined) throw new Error(`the market has no ${id}`);
	return component.run({
		params: component.params.parse(params) as JsonObject,
		meter: new Meter(MAX_NODE_UNITS),
		step: ":test",
		startedAt: 0,
		announced: null,
		announce: async () => {},
		attempt: 1,
		isCancelled: false,
		needsTurn: false,
		turn: async () => {},
		expressions: {},
		node: { id, credential: undefined, timeoutMs: undefined },
		signal: AbortSignal.timeout(20_000),
		abort() {},
		effects: { sandbox } as Partial<Parameters<typeof component.run>[0]["effects"]> as Parameters<
			typeof component.run
		>[0]["effects"],
		log() {},
		emit() {},
	});
}
