import { describeCall } from "@tripline/contract/calling/facts";
import { sampleInput } from "@tripline/contract/sample-input";
import type { JsonObject } from "@tripline/contract/workflows";
import { compileInputCheck } from "@tripline/engine/input-schema";
import type { TenantExecutor } from "@tripline/executor/client";
import * as z from "zod";
import { buildExposedName } from "./exposed.ts";

const MAX_SAMPLE_LENGTH = 4_000;

/** What a saved workflow is from now on, so that an assistant need not guess it. */
export const savedFields = {
	enabled: z.boolean().nullable(),
	cron: z.string().nullable(),
	timezone: z.string().nullable(),
	next_run: z.string().nullable().meta({ description: "Of its schedule, in UTC" }),
	tool: z.string().nullable().meta({ description: "Its own tool, if it is exposed" }),
	form_url: z.string().nullable().meta({ description: "Page of its form" }),
	sample_input: z
		.record(z.string(), z.unknown())
		.nullable()
		.meta({ description: "Matches options.input_schema; null without one" }),
} as const;

export interface SavedFacts {
	readonly enabled: boolean | null;
	readonly cron: string | null;
	readonly timezone: string | null;
	readonly next_run: string | null;
	readonly tool: string | null;
	readonly form_url: string | null;
	readonly sample_input: JsonObject | null;
}

export const NO_FACTS: SavedFacts = {
	enabled: null,
	cron: null,
	timezone: null,
	next_run: null,
	tool: null,
	form_url: null,
	sample_input: null,
};

/** Facts that cannot be read are null, because the workflow is saved all the same. */
export async function readFacts(name: string, { workflows }: TenantExecutor): Promise<SavedFacts> {
	const [listed, document] = await Promise.all([
		workflows.describe(name).catch(() => null),
		workflows.document(name).catch(() => null),
	]);
	const cron = listed?.cron_expr ?? null;
	return {
		enabled: listed?.enabled ?? null,
		cron,
		timezone: cron === null ? null : (listed?.trigger?.timezone ?? "UTC"),
		next_run: listed?.next_run_at ?? null,
		tool: listed?.expose === true ? await buildExposedName(name) : null,
		form_url:
			listed === null || document === null ? null : describeCall(listed.webhook_url, document).form_url,
		sample_input: buildSample(document?.options?.input_schema),
	};
}

/** Null if a sample cannot be built: rules may exclude each other. */
function buildSample(schema: JsonObject | undefined): JsonObject | null {
	if (schema === undefined) return null;
	const check = compileInputCheck(schema);
	if ("problem" in check) return null;
	const sample = sampleInput(schema);
	return JSON.stringify(sample).length <= MAX_SAMPLE_LENGTH && check(sample).length === 0 ? sample : null;
}
