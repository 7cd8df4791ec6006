import { isObject } from "./fields.ts";
import type { SchemaIssue } from "./issues.ts";

const EDGES =
	'Write the order of nodes as triplets: ["input >> then >> fetch", "fetch >> then >> report"], and the settings of each node under config';
const VARIABLES = "Use context, and read it as {{context.name}}";
const SCHEDULE = 'Use trigger: { type: schedule, cron: "0 8 * * *" }';

/** Fields in which other products describe the nodes. */
export const FOREIGN_NODES: readonly string[] = [
	"steps",
	"jobs",
	"tasks",
	"stages",
	"actions",
	"states",
	"blocks",
];

/** What fields of other products are called here. */
export const DOCUMENT_HINTS: Readonly<Record<string, string>> = {
	...Object.fromEntries(FOREIGN_NODES.map((name) => [name, EDGES])),
	depends_on: EDGES,
	needs: EDGES,
	next: EDGES,
	connections: EDGES,
	transitions: EDGES,
	on: "Use trigger, such as trigger: { type: webhook }",
	triggers: "Use trigger, one object; a workflow has one trigger",
	webhook: "Use trigger: { type: webhook }",
	schedule: SCHEDULE,
	cron: SCHEDULE,
	every: SCHEDULE,
	interval: SCHEDULE,
	variables: VARIABLES,
	vars: VARIABLES,
	env: VARIABLES,
	settings: "Use options",
	inputs: "Use options.input_schema, a JSON Schema of the input",
	input: "Use options.input_schema, a JSON Schema of the input",
	input_schema: "Use options.input_schema",
	timeout: "Use options.timeout_ms, in milliseconds",
	timeout_ms: "Use options.timeout_ms",
	title: "Use name",
	workflow: "Write its fields at the top level of the document",
};

/** What fields of nodes in other products are called in the graph form. */
export const NODE_HINTS: Readonly<Record<string, string>> = {
	type: "Use component",
	parameters: "Use params",
	config: "Use params",
	settings: "Use params",
	inputs: "Use params",
	name: "Use id",
	next: "Use edges, such as { from: fetch, to: report }",
	depends_on: "Use edges, such as { from: fetch, to: report }",
	position: "Leave it out: the console arranges the nodes",
};

const EVERY = /^\s*(\d{1,4})\s*(m|min|minutes?|h|hours?|d|days?)\s*$/i;

/** The schedule for `every: 1h`. */
function toCron(every: unknown): string {
	const [, count = "1", unit = "h"] = EVERY.exec(typeof every === "string" ? every : "") ?? [];
	const step = Number(count);
	switch (unit.charAt(0).toLowerCase()) {
		case "m":
			return step > 1 && step < 60 ? `*/${step} * * * *` : "* * * * *";
		case "d":
			return step > 1 && step < 31 ? `0 0 */${step} * *` : "0 0 * * *";
		default:
			return step > 1 && step < 24 ? `0 */${step} * * *` : "0 * * * *";
	}
}

const TRIGGER_TYPES: Readonly<Record<string, string>> = {
	webhook: "{ type: webhook }",
	http: "{ type: webhook }",
	request: "{ type: webhook }",
	api: "{ type: webhook }",
	form: "{ type: webhook }",
	schedule: '{ type: schedule, cron: "0 8 * * *" }',
	cron: '{ type: schedule, cron: "0 8 * * *" }',
	timer: '{ type: schedule, cron: "0 8 * * *" }',
	interval: '{ type: schedule, cron: "0 * * * *" }',
	event: "{ type: event, event: order.* }",
};
const BY_NAME = "Leave trigger out: any workflow with a name can be called by it";

function suggestType(type: unknown): string | undefined {
	const name = String(type).trim().toLowerCase();
	if (["manual", "none", "call", "workflow"].includes(name)) return BY_NAME;
	return Object.hasOwn(TRIGGER_TYPES, name) ? `Write trigger: ${TRIGGER_TYPES[name]}` : undefined;
}

/** A hint for a violation of the trigger's schema. */
export function adviseTrigger(trigger: unknown, { path, kind }: SchemaIssue): string | undefined {
	if (Array.isArray(trigger))
		return "A workflow has one trigger: write it as an object, such as { type: webhook }";
	if (typeof trigger === "string") return suggestType(trigger) ?? "Write trigger: { type: webhook }";
	if (!isObject(trigger) || path.length > 1) return undefined;
	const [name] = path;
	if (name === "type") {
		if (kind !== "missing") return suggestType(trigger.type);
		return Object.hasOwn(trigger, "cron") ? "Add type: schedule" : "Add type: webhook, schedule or event";
	}
	if (kind !== "unknown") return undefined;
	switch (name) {
		case "every":
		case "interval":
			return `Use cron: ${JSON.stringify(toCron(trigger[name]))}`;
		case "schedule":
		case "expression":
		case "rule":
			return 'Use cron, such as cron: "0 8 * * *"';
		case "tz":
		case "zone":
		case "time_zone":
			return "Use timezone, such as timezone: Europe/Paris";
		case "path":
		case "url":
		case "method":
			return "Leave it out: the address is made from the workflow's name";
		case "topic":
		case "events":
		case "pattern":
			return "Use event, such as event: order.*";
		default:
			return undefined;
	}
}
