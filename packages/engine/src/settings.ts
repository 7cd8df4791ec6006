import type { Json } from "@tripline/contract/json";
import { type GraphNode, type JsonObject, nodeSettings } from "@tripline/contract/workflows";
import * as z from "zod";
import type { Path, Report, Spot } from "./diagnostics.ts";
import { describeType, reportFields, type SchemaIssue, toSchemaIssues } from "./issues.ts";

type Settings = Omit<GraphNode, "id" | "component" | "params">;

/** A node as written in the source, with positions. */
export interface NodeDraft {
	readonly id: string;
	readonly spot: Spot;
	/** By field: `component`, the settings, and every parameter. */
	readonly fields: Map<string, FieldDraft>;
	/** Where parameters are written; missing ones are reported there. */
	params: Path;
}

interface FieldDraft {
	readonly value: Json;
	readonly at: Path;
}

export const SETTING_NAMES = Object.keys(nodeSettings);

const SettingsSchema = z.strictObject(nodeSettings);

/** Includes checking it against the component's schema. */
const UNITS_PER_FIELD = 200;

/** Adds a field to a node; a duplicate is an error because only one value can apply. */
export function addField(draft: NodeDraft, name: string, value: Json, at: Path, report: Report): void {
	report.meter.spend(UNITS_PER_FIELD);
	const other = draft.fields.get(name);
	if (other === undefined) draft.fields.set(name, { value, at });
	else
		report.error("bad_field", `${name} is set twice, also at ${other.at.join(".")}`, {
			path: at,
			key: true,
		});
}

/** Separates component, settings and parameters; invalid ones are reported and dropped. */
export function readNode(draft: NodeDraft, report: Report): GraphNode {
	const given: [string, Json][] = [];
	const params: [string, Json][] = [];
	for (const [name, { value }] of draft.fields) {
		if (name === "component") continue;
		(SETTING_NAMES.includes(name) ? given : params).push([name, value]);
	}
	const settings = given.length === 0 ? {} : readSettings(draft, Object.fromEntries(given), report);
	return {
		id: draft.id,
		component: readComponent(draft, report),
		params: Object.fromEntries(params),
		...settings,
	};
}

function readComponent(draft: NodeDraft, report: Report): string {
	const field = draft.fields.get("component");
	if (field === undefined) return draft.id;
	const { value, at } = field;
	if (typeof value === "string" && value.trim() !== "") return value.trim();
	const problem =
		typeof value === "string" ? "must not be empty" : `must be text, but is ${describeType(value)}`;
	report.error("bad_field", `component ${problem}`, { path: at });
	return draft.id;
}

const addHint =
	({ retry, timeout_ms }: JsonObject) =>
	(issue: SchemaIssue): SchemaIssue => {
		if (issue.path.length > 1) return issue;
		if (issue.path[0] === "retry" && typeof retry !== "object") {
			const max = Number.isInteger(Number(retry)) && typeof retry !== "boolean" ? Number(retry) : 3;
			return { ...issue, hint: `Write retry: { max: ${max} }` };
		}
		if (issue.path[0] === "timeout_ms" && typeof timeout_ms === "string")
			return { ...issue, hint: "Write a number of milliseconds, such as timeout_ms: 5000" };
		return issue;
	};

function readSettings(draft: NodeDraft, given: JsonObject, report: Report): Settings {
	const read = SettingsSchema.safeParse(given);
	const issues = read.success
		? []
		: toSchemaIssues(SettingsSchema, given, read.error.issues).map(addHint(given));
	const at = ([name, ...below]: Path) => [
		...(draft.fields.get(String(name))?.at ?? draft.spot.path),
		...below,
	];
	reportFields(issues, at, report);
	const wrong = new Set(issues.map(({ path }) => path[0]));
	if (typeof given.credential === "string" && given.credential.includes("{{")) {
		const path = draft.fields.get("credential")?.at ?? draft.spot.path;
		report.error("bad_field", "credential is the name of a credential, not a template", { path });
	}
	return Object.fromEntries(Object.entries(given).filter(([name]) => !wrong.has(name))) as Settings;
}
