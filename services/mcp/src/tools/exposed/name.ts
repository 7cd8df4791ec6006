import { toHex } from "@tripline/contract/bytes";

const PREFIX = "run_";
/** Clients add the server's name as a prefix, and model APIs accept 64 characters in total. */
const MAX_TOOL_NAME_LENGTH = 48;
const HASH_DIGITS = 8;
const MAX_SLUG_LENGTH = MAX_TOOL_NAME_LENGTH - PREFIX.length - HASH_DIGITS - 1;

/** Workflow names that can be part of a tool name unchanged. */
const PLAIN = /^[A-Za-z0-9](?:[A-Za-z0-9_-]*[A-Za-z0-9])?$/;
const LOOKS_HASHED = /_[0-9a-f]{8}$/;

/**
 * The name of a workflow's tool: the workflow's own name if possible, else a slug and a hash. It depends only on the
 * workflow's name and the taken names, so other workflows cannot change it.
 */
export async function buildToolName(workflow: string, taken: ReadonlySet<string>): Promise<string> {
	if (isPlain(workflow) && !taken.has(PREFIX + workflow)) return PREFIX + workflow;
	const slug = toSlug(workflow);
	return `${PREFIX}${slug}${slug === "" ? "" : "_"}${await computeHash(workflow)}`;
}

/** The workflow whose name the tool's name contains unchanged. */
export function parsePlainWorkflow(tool: string): string | null {
	const workflow = tool.slice(PREFIX.length);
	return isToolName(tool) && isPlain(workflow) ? workflow : null;
}

/** Whether it has the form of a workflow tool's name. */
export const isToolName = (tool: string): boolean =>
	tool.startsWith(PREFIX) && tool.length <= MAX_TOOL_NAME_LENGTH;

const isPlain = (workflow: string): boolean =>
	workflow.length <= MAX_TOOL_NAME_LENGTH - PREFIX.length &&
	PLAIN.test(workflow) &&
	!LOOKS_HASHED.test(`_${workflow}`);

const toSlug = (workflow: string): string =>
	workflow
		.normalize("NFKD")
		.replace(/\p{M}+/gu, "")
		.replace(/[^A-Za-z0-9]+/g, "_")
		.slice(0, MAX_SLUG_LENGTH)
		.replace(/^_+|_+$/g, "")
		.toLowerCase();

async function computeHash(workflow: string): Promise<string> {
	const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(workflow));
	return toHex(new Uint8Array(bytes)).slice(0, HASH_DIGITS);
}
