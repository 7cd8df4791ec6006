import type { Json } from "@tripline/contract/json";
import type { JsonObject, NodeStatus } from "@tripline/contract/workflows";
import type { TenantExecutor } from "@tripline/executor/client";
import type * as z from "zod";
import { isObject } from "./fields.ts";

interface KnownNode {
	readonly id: string;
	readonly component: string | null;
	readonly status?: z.output<typeof NodeStatus> | null;
}

interface FailedRun {
	readonly error: string;
	readonly workflow: string;
	readonly nodes: readonly KnownNode[];
}

const MAX_FIELDS = 20;

/**
 * For a run that failed because a value is missing: what produced the object that should have had it. Null if the error
 * is another one, or the producer is not known.
 */
export async function explainMissingField(run: FailedRun, executor: TenantExecutor): Promise<string | null> {
	const root = findRoot(run.error);
	if (root === null) return null;
	if (root === "input")
		return "`input` is what the caller sent: send it, require it in options.input_schema, or use default.";
	const node = run.nodes.find(({ id }) => id === root);
	if (node !== undefined) return describeProducer(node, executor);
	const list = await findLoopList(root, run.workflow, executor);
	const producer = run.nodes.find(({ id }) => id === list);
	if (producer === undefined) return null;
	return `\`${root}\` is an element of the list of \`${producer.id}\`, which is ${producer.component}.`;
}

/** The first name of the missing path: a node, `input`, or the element of a loop. */
function findRoot(error: string): string | null {
	const path = /"(.+?)" is missing: /s.exec(error)?.[1];
	if (path === undefined) return null;
	const quoted = /^nodes\[("(?:[^"\\]|\\.)*")\]/.exec(path)?.[1];
	return quoted === undefined
		? (/^[\p{L}_][\p{L}\p{N}_]*/u.exec(path)?.[0] ?? null)
		: (JSON.parse(quoted) as string);
}

async function describeProducer(
	{ id, component, status }: KnownNode,
	executor: TenantExecutor,
): Promise<string> {
	if (status === "skipped" || status === "failed")
		return `\`${id}\` ${status === "skipped" ? "was skipped" : "failed"} in this run and has no output: use {{… | default(…)}}, or has(…) in an expression.`;
	if (component === null) return `\`${id}\` has another output than expected.`;
	const detail = await executor.components.get(component).catch(() => null);
	const see = `get_component {"id":${JSON.stringify(component)}}`;
	return `\`${id}\` is ${component}: ${describeOutput(detail?.output)}; see ${see}.`;
}

function describeOutput(given: Json | undefined): string {
	const root = isObject(given) ? given : {};
	const schema = resolve(root, root);
	const forms = [schema.anyOf, schema.oneOf].find(Array.isArray) ?? [schema];
	const fields = forms.flatMap((form) => Object.keys(getProperties(resolve(form, root))));
	const names = [...new Set(fields)];
	if (names.length === 0)
		return schema.type === "array" ? "its output is a list" : "its output depends on its parameters";
	const more = names.length > MAX_FIELDS ? " and more" : "";
	return `its output ${forms.length === 1 ? "has" : "may have"} ${names.slice(0, MAX_FIELDS).join(", ")}${more}`;
}

const getProperties = ({ properties }: JsonObject): JsonObject => (isObject(properties) ? properties : {});

/** Follows a reference to `$defs`, where schemas with a name are. */
function resolve(schema: Json, root: JsonObject): JsonObject {
	if (!isObject(schema)) return {};
	const [, name] = /^#\/\$defs\/(.+)$/.exec(String(schema.$ref)) ?? [];
	const found = name !== undefined && isObject(root.$defs) ? root.$defs[name] : schema;
	return isObject(found) ? found : {};
}

const LOOP = /^(?:foreach|for each|對每個)\s+(.+)$/i;

/** The node whose list the loop of this name runs over. */
async function findLoopList(
	name: string,
	workflow: string,
	executor: TenantExecutor,
): Promise<string | null> {
	const document = await executor.workflows.document(workflow).catch(() => null);
	for (const triplet of document?.triplets ?? []) {
		const [subject = "", relation = ""] = triplet.split(">>");
		if (LOOP.exec(relation.trim())?.[1]?.trim() === name) return subject.trim();
	}
	return null;
}
