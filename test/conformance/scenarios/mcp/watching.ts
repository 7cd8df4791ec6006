import assert from "node:assert/strict";
import { AcceptedRun } from "@tripline/contract/executor";
import { NodeEvent, RunProblem, RunResult, RunStarted } from "@tripline/contract/workflows";
import * as z from "zod";
import type { World } from "../../scenario.ts";
import { bearer } from "./settings.ts";

const RunEvent = z.discriminatedUnion("event", [
	z.strictObject({ event: z.literal("started"), data: RunStarted }),
	z.strictObject({ event: z.literal("node"), data: NodeEvent.strict() }),
	z.strictObject({ event: z.literal("result"), data: RunResult.strict() }),
	z.strictObject({ event: z.literal("accepted"), data: AcceptedRun.strict() }),
	z.strictObject({ event: z.literal("problem"), data: RunProblem.strict() }),
]);
export type RunEvent = z.output<typeof RunEvent>;

/** Runs a workflow as the console does, and yields the events as they arrive. */
export async function* watched(
	world: World,
	name: string,
	input: object = {},
	signal?: AbortSignal,
): AsyncGenerator<RunEvent> {
	const response = await fetch(`${world.target.publicUrl}/gui/workflows/${encodeURIComponent(name)}/run`, {
		method: "POST",
		headers: { ...bearer(world.owner), "content-type": "application/json", accept: "text/event-stream" },
		body: JSON.stringify(input),
		...(signal !== undefined && { signal }),
	});
	assert.equal(response.status, 200);
	assert.match(response.headers.get("content-type") ?? "", /^text\/event-stream\b/);
	let text = "";
	const decoder = new TextDecoder();
	for await (const chunk of response.body as ReadableStream<Uint8Array>) {
		const blocks = (text + decoder.decode(chunk, { stream: true })).split("\n\n");
		text = blocks.pop() ?? "";
		for (const block of blocks) if (!block.startsWith(":")) yield parseEvent(block);
	}
	assert.equal(text, "", "the last event is complete");
}

function parseEvent(block: string): RunEvent {
	const { event, data } = /^event: (?<event>\w+)\ndata: (?<data>.*)$/.exec(block)?.groups ?? {};
	return RunEvent.parse({ event, data: JSON.parse(data ?? "null") });
}

/** The events of each node. */
export const listNodeEvents = (events: readonly RunEvent[], id: string): NodeEvent[] =>
	events.flatMap((each) => (each.event === "node" && each.data.id === id ? [each.data] : []));
