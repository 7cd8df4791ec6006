import { sha256Hex } from "@tripline/contract/ids";
import type { StoreClient } from "@tripline/store/client";
import { deriveId } from "../runs/derive-id.ts";
import type { MailboxPlace } from "./watched.ts";

export interface MailboxLeases {
	readonly store: Pick<StoreClient, "runLeases">;
	/** Names this process. Omitted: no other process serves the deployment, so there is nothing to agree on. */
	readonly holder: string | undefined;
	/** After which another process looks again. */
	readonly retryMs: number;
}

const LEASE_SECONDS = 60;
const RENEW_MS = 15_000;

/**
 * Lets one of several processes read a mailbox. If two did for a moment, each mail would still start one run, because the
 * id of the run is made of the mail.
 */
export function mailboxLease({ store, holder }: MailboxLeases, place: MailboxPlace) {
	const lost = new AbortController();
	let timer: ReturnType<typeof setInterval> | undefined;
	let isTaken = false;

	return {
		/** Aborted when another process may read it. */
		signal: lost.signal,
		/** False if another process has it. */
		async take(): Promise<boolean> {
			if (holder === undefined) return true;
			isTaken = await extend(holder);
			if (isTaken) timer = setInterval(() => void renew(holder), RENEW_MS);
			return isTaken;
		},
		async release(): Promise<void> {
			clearInterval(timer);
			if (holder === undefined || !isTaken) return;
			// Otherwise it ends by itself.
			await store.runLeases.release(await describe(holder)).catch(() => {});
		},
	};

	async function renew(by: string): Promise<void> {
		// A failure ends it in time: the next one may succeed.
		const isStill = await extend(by).catch(() => true);
		if (!isStill) lost.abort();
	}

	async function extend(by: string): Promise<boolean> {
		const lease = { ...(await describe(by)), max: 1, seconds: LEASE_SECONDS, holder: by };
		return (await store.runLeases.take(lease)).taken;
	}

	/** No workflow has such a name. */
	async function describe(by: string) {
		const { namespace, credential, mailbox } = place;
		const name = await sha256Hex(JSON.stringify([credential, mailbox]));
		return { owner_id: namespace, workflow: `mailbox\n${name}`, id: await deriveId(by, name) };
	}
}
