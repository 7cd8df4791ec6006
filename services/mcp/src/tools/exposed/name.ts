import { toHex } from "@tripline/contract/bytes";

const PREFIX = "run_";
/** Clients put the server's name before it, and models' APIs take 64 characters in all. */
const MOST = 48;
const HASH_DIGITS = 8;
const MOST_SLUG = MOST - PREFIX.length - HASH_DIGITS - 1;

/** Names that may stand in a tool's name as they are. */
const PLAIN = /^[A-Za-z0-9](?:[A-Za-z0-9_-]*[A-Za-z0-9])?$/;
const LOOKS_HASHED = /_[0-9a-f]{8}$/;

/**
 * The name of the tool that runs a workflow: its own, if it can stand there, else what is left of it and a hash. It
 * depends on nothing but the workflow's name and the names that are taken, so no other workflow can change it.
 */
export async function toolNameOf(workflow: string, taken: ReadonlySet<string>): Promise<string> {
	if (isPlain(workflow) && !taken.has(PREFIX + workflow)) return PREFIX + workflow;
	const slug = slugOf(workflow);
	return `${PREFIX}${slug}${slug === "" ? "" : "_"}${await hashOf(workflow)}`;
}

/** The workflow whose name stands in the tool's as it is. */
export function plainWorkflowOf(tool: string): string | null {
	const workflow = tool.slice(PREFIX.length);
	return isToolName(tool) && isPlain(workflow) ? workflow : null;
}

/** Whether it can be the name of a workflow's tool at all. */
export const isToolName = (tool: string): boolean => tool.startsWith(PREFIX) && tool.length <= MOST;

const isPlain = (workflow: string): boolean =>
	workflow.length <= MOST - PREFIX.length && PLAIN.test(workflow) && !LOOKS_HASHED.test(`_${workflow}`);

const slugOf = (workflow: string): string =>
	workflow
		.normalize("NFKD")
		.replace(/\p{M}+/gu, "")
		.replace(/[^A-Za-z0-9]+/g, "_")
		.slice(0, MOST_SLUG)
		.replace(/^_+|_+$/g, "")
		.toLowerCase();

async function hashOf(workflow: string): Promise<string> {
	const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(workflow));
	return toHex(new Uint8Array(bytes)).slice(0, HASH_DIGITS);
}
