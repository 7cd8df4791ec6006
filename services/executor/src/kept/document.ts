import { namePlaceholders } from "@tripline/components/outbound/placeholders";
import type { Json } from "@tripline/contract/json";
import {
	type KeptNode,
	type KeptStep,
	type KeptValue,
	MAX_KEPT_VALUE_BYTES,
} from "@tripline/contract/kept-data";
import type { Graph, JsonObject } from "@tripline/contract/workflows";
import type { HeldStep, RunCapture } from "./capture.ts";
import type { Mask } from "./mask.ts";

/** A run and what was captured of it. */
export interface CapturedRun {
	readonly id: string;
	readonly workflow: string;
	readonly versionNumber: number | undefined;
	/** The root `workflow`, without its name. */
	readonly version: string | null;
	/** The root `execution`, without its id. */
	readonly trigger: string;
	readonly time: string;
	/** The root `request`. */
	readonly request: Json | undefined;
	/** Of the version that ran. */
	readonly graph: Graph;
	readonly context: JsonObject;
	readonly capture: RunCapture;
}

/** What is kept of a run: masked and cut, so that it can be stored. */
export interface KeptDocument {
	readonly workflow: string;
	readonly versionNumber?: number;
	readonly version: string | null;
	readonly trigger: string;
	readonly time: string;
	readonly input: KeptValue;
	readonly request?: KeptValue;
	/** Absent if it is too large. */
	readonly definition?: { readonly graph: Graph; readonly context: JsonObject };
	/** `input` is there only for the steps of a node, which cannot be rendered again. */
	readonly steps: readonly Omit<KeptNode, "input_error">[];
	/** Values or steps are missing. */
	readonly isCut: boolean;
	/** Steps are missing. */
	readonly isSparse: boolean;
}

/** As JSON. Sealed and encoded it stays below the 2 MB that a row of D1 may have. */
const MAX_RUN_BYTES = 1024 * 1024;
/** Names, numbers and braces of a step. */
const STEP_BYTES = 150;

/** `mask` is null if there is nothing to mask. */
export function buildDocument(run: CapturedRun, mask: Mask | null): KeptDocument {
	const { capture, versionNumber } = run;
	let left = MAX_RUN_BYTES;
	let { isCut, isSparse } = capture;

	const input = keepValue(capture.input, capture.droppedInputBytes);
	const request = run.request === undefined ? undefined : keepValue(run.request);
	const definition = keepDefinition();
	const { steps } = capture;
	const isFirst = ({ place }: HeldStep) => place === "" || capture.failing.has(place);
	const ranked = [...steps.filter(isFirst), ...steps.filter((step) => !isFirst(step))];
	const kept = new Map<HeldStep, KeptNode>();
	for (const step of ranked) {
		const made = keepStep(step);
		if (made === null) isSparse = true;
		else kept.set(step, made);
	}
	for (const [step, made] of kept) kept.set(step, keepValues(step, made));
	return {
		workflow: run.workflow,
		...(versionNumber !== undefined && { versionNumber }),
		version: run.version,
		trigger: run.trigger,
		time: run.time,
		input,
		...(request !== undefined && { request }),
		...(definition !== undefined && { definition }),
		steps: steps.flatMap((step) => kept.get(step) ?? []),
		isCut: isCut || isSparse,
		isSparse,
	};

	/** Without its values. Half of the room stays for outputs. */
	function keepStep(step: HeldStep): KeptStep | null {
		const { id, place, attempt, status, duration_ms } = step;
		const called = capture.findCalled(step);
		const error = step.error === undefined ? undefined : String(mask?.(step.error) ?? step.error);
		const bytes = STEP_BYTES + encoder.encode(JSON.stringify([id, error])).length;
		if (left - bytes < MAX_RUN_BYTES / 2) return null;
		left -= bytes;
		return {
			id,
			place,
			attempt,
			status,
			...(duration_ms !== undefined && { duration_ms }),
			...(error !== undefined && { error }),
			...(called !== undefined && { called }),
		};
	}

	function keepValues({ params, output, droppedBytes }: HeldStep, step: KeptStep): KeptNode {
		const hasOutput = output !== undefined || droppedBytes !== undefined;
		return {
			...step,
			...(hasOutput && { output: keepValue(output, droppedBytes) }),
			...(params !== undefined && { input: keepValue(nameCredentials(params)) }),
		};
	}

	function keepValue(value: Json | undefined, droppedBytes = 0): KeptValue {
		if (value === undefined) return { text: "", bytes: droppedBytes };
		const kept = cutValue(mask === null ? value : mask(value), Math.min(left, MAX_KEPT_VALUE_BYTES));
		left -= kept.bytes;
		if ("text" in kept.value) isCut = true;
		return kept.value;
	}

	function keepDefinition(): KeptDocument["definition"] {
		const { graph, context } = run;
		const whole = { graph, context } as unknown as Json;
		const { value, bytes } = cutValue(mask === null ? whole : mask(whole), MAX_KEPT_VALUE_BYTES);
		if ("text" in value) return undefined;
		left -= bytes;
		return value.json as unknown as KeptDocument["definition"];
	}
}

/** The value, or as much of its JSON as fits, and how many bytes that takes. */
export function cutValue(value: Json, maxBytes: number): { value: KeptValue; bytes: number } {
	const json = JSON.stringify(value);
	const all = encoder.encode(json);
	if (all.length <= maxBytes) return { value: { json: value }, bytes: all.length };
	// What is left of a character that was cut in half is omitted.
	const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(all.subarray(0, Math.max(0, maxBytes)), {
		stream: true,
	});
	// The text is JSON in JSON, which escapes its quotes.
	return { value: { text, bytes: all.length }, bytes: encoder.encode(JSON.stringify(text)).length };
}

const nameCredentials = (params: Json): Json => JSON.parse(namePlaceholders(JSON.stringify(params)));

const encoder = new TextEncoder();
