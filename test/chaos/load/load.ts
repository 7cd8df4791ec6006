import type { Client, Until } from "../client.ts";
import type { History } from "../history.ts";
import type { Outside } from "../outside.ts";
import type { Random } from "../random.ts";

/** What callers of one kind need. */
export interface Callers {
	readonly client: Client;
	readonly history: History;
	readonly outside: Outside;
	readonly random: Random;
	/** When they give up what they have begun. */
	readonly until: Until;
}

/** Callers of one kind, of each tenant. */
export interface Load {
	readonly name: string;
	/** The pause between two rounds is random, up to this time. */
	readonly maxPauseMs: number;
	/** How many callers there are for each tenant. */
	readonly callers?: number;
	/** What it needs, before the faults begin. */
	prepare?(callers: Callers): Promise<void>;
	/** One round: records what was acknowledged and what was seen. */
	round(callers: Callers): Promise<void>;
}

/** A durable run may be interrupted often, and must not run out of time because of it. */
export const LASTING = { timeout: "6 hours" };

export async function saveWorkflow(
	{ client, until }: Callers,
	name: string,
	document: Readonly<Record<string, unknown>>,
): Promise<void> {
	const body = { name, description: client.tenant.mark, version: "1", ...document };
	const reply = await client.callUntilOk(until, "prepare", "POST", "/workflows", { body });
	if (reply === null) throw new Error(`${name} of ${client.tenant.name} could not be saved`);
}

let keys = 0;

/** A key that nobody else has, such as `steps-17`. */
export const takeKey = (prefix: string): string => `${prefix}-${++keys}`;

/** A trigger that the service runs to its end by itself. The key makes it safe to send it again. */
export async function acceptRun(
	{ client, until, history }: Callers,
	kind: "steps" | "approval",
	subject: string,
): Promise<string | null> {
	const reply = await client.callUntilOk(until, kind, "POST", `/webhooks/named/${kind}/trigger`, {
		body: { key: subject, mark: client.tenant.mark },
		headers: { prefer: "respond-async", "idempotency-key": subject },
	});
	if (reply === null) return null;
	const { execution_id: execution } = JSON.parse(reply.text) as { execution_id: string };
	history.accepted.push({ kind, tenant: client.tenant.name, subject, execution, end: null });
	return execution;
}
