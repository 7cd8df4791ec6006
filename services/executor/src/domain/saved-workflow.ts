import { parseMembers, readMemberTexts } from "@tripline/contract/json";
import type { JsonObject, Trigger } from "@tripline/contract/workflows";
import { decompile } from "@tripline/engine/decompile";
import type { Definition } from "@tripline/engine/definition";

/** A workflow as shown in a list. */
export interface SavedWorkflow {
	readonly name: string;
	readonly description: string;
	readonly version: string;
	readonly tags: readonly string[];
	readonly trigger: Trigger | null;
	readonly cron_expr: string | null;
	readonly expose: boolean;
	/** Both are null unless the workflow is exposed and has the schema. */
	readonly input_schema: JsonObject | null;
	readonly output_schema: JsonObject | null;
	/** ISO 8601; null without a schedule. */
	readonly next_run_at: string | null;
	/** ISO 8601; null in the legacy store, which does not record it. */
	readonly updated_at: string | null;
	readonly source: "store" | "kv";
	/** Null in the legacy store, which has no versions. */
	readonly version_number: number | null;
	/** False if its triggers are switched off. */
	readonly enabled: boolean;
}

/** The metadata under which a definition is stored, beside its description. */
export function buildMetadata(definition: Definition, triplets: readonly string[] | null): string {
	const { graph, context, options, trigger, version, tags } = definition;
	return JSON.stringify({
		graph,
		config: {
			version: version ?? DEFAULT_VERSION,
			trigger: trigger ?? null,
			nodes: decompile(definition).config ?? {},
			context,
			options,
			// The author's own spelling: relations keep their aliases.
			source: triplets === null ? null : { triplets },
		},
		cron_expr: getCron(trigger ?? null),
		// At the top, where the store's filter by metadata finds them.
		...(tags !== undefined && { tags }),
		embed: true,
	});
}

/** The inverse of the above. Also reads legacy values, which have the same fields plus name and description. */
export function toSource(stored: unknown): JsonObject {
	const { graph, config, cron_expr, tags } = toObject(stored);
	const { version, trigger, context, options } = toObject(config);
	return {
		graph: graph ?? null,
		...(typeof version === "string" && { version }),
		...(Array.isArray(tags) && { tags }),
		...readTrigger(trigger, cron_expr),
		...(context !== undefined && context !== null && { context }),
		...(options !== undefined && options !== null && { options }),
	};
}

const CONFIG = ["version", "trigger", "context", "options", "source"] as const;

/** Skips `config.nodes`: it repeats the graph, and parsing it would take as long again. */
function parseStored(text: string): unknown {
	const { config = "null", ...others } = readMemberTexts(text, [
		"graph",
		"config",
		"cron_expr",
		"tags",
		"description",
	]);
	if (others.graph === undefined) return JSON.parse(text);
	const stored: { [name: string]: unknown } = { config: parseMembers(config, CONFIG) };
	for (const [name, value] of Object.entries(others)) stored[name] = JSON.parse(value);
	return stored;
}

export function parseOrNull(text: string): unknown {
	try {
		return parseStored(text);
	} catch {
		return null;
	}
}

/** The portable document, with the original triplets if they are stored. */
export function buildDocument(definition: Definition, stored: unknown): JsonObject {
	const document = decompile(definition) as unknown as JsonObject;
	const { triplets } = toObject(toObject(toObject(stored).config).source);
	return Array.isArray(triplets) ? { ...document, triplets } : document;
}

/** Reads the source from stored text. */
export const readStoredSource = (text: string): JsonObject => toSource(parseStored(text));

export function readStoredOutputSchema(text: string): JsonObject | null {
	const { options } = toObject(readStoredSource(text));
	const { output_schema } = toObject(options);
	return isObject(output_schema) ? output_schema : null;
}

/** Reads the input schema from stored text without parsing the graph. */
export function readInputSchema(text: string): JsonObject | null {
	const { config = "null" } = readMemberTexts(text, ["config"]);
	const { input_schema } = toObject(parseMembers(config, ["options"]).options);
	return isObject(input_schema) ? input_schema : null;
}

/** Reads the event pattern from stored text without parsing the rest, which may be large. */
export function readEventPattern(text: string): unknown {
	const { config = "null" } = readMemberTexts(text, ["config"]);
	return toObject(parseMembers(config, ["trigger"]).trigger).event;
}

export function describeStored(
	stored: unknown,
): Omit<
	SavedWorkflow,
	"name" | "description" | "next_run_at" | "updated_at" | "source" | "version_number" | "enabled"
> {
	const { config, cron_expr, tags } = toObject(stored);
	const { version, trigger, options } = toObject(config);
	const { expose, input_schema, output_schema } = toObject(options);
	return {
		version: typeof version === "string" ? version : DEFAULT_VERSION,
		tags: Array.isArray(tags) ? tags.filter((each) => typeof each === "string") : [],
		trigger: (readTrigger(trigger, cron_expr).trigger ?? null) as Trigger | null,
		cron_expr: typeof cron_expr === "string" && cron_expr !== "" ? cron_expr : null,
		expose: expose === true,
		input_schema: expose === true && isObject(input_schema) ? input_schema : null,
		output_schema: expose === true && isObject(output_schema) ? output_schema : null,
	};
}

/** Of a legacy workflow, which has it in its own text. */
export function readDescription(stored: unknown): string {
	const { description } = toObject(stored);
	return typeof description === "string" ? description : "";
}

export const DEFAULT_VERSION = "1";

export const getCron = (trigger: Trigger | null): string | null =>
	trigger?.type === "schedule" ? (trigger.cron ?? null) : null;

function readTrigger(trigger: JsonObject[string] | undefined, cron: unknown): JsonObject {
	if (typeof trigger === "object" && trigger !== null) return { trigger };
	return typeof cron === "string" && cron !== "" ? { trigger: { type: "schedule", cron } } : {};
}

const toObject = (value: unknown): JsonObject => (isObject(value) ? value : {});

const isObject = (value: unknown): value is JsonObject =>
	typeof value === "object" && value !== null && !Array.isArray(value);
