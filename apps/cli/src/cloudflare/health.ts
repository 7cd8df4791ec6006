import type { Io } from "../io.ts";
import type { Role } from "./plan.ts";

export const TRIES = 5;
const PAUSE_MS = 1000;
const ANSWER_TIMEOUT_MS = 10_000;

/** The worker whose readiness is checked. The store has no address, but the executor is ready only if the store is. */
export const getHealthRole = (role: Role): Role => (role === "store" ? "executor" : role);

/** Why a worker is not ready; null if it is. Retries, because a new address takes a while to be known everywhere. */
export async function checkReadiness(
	io: Pick<Io, "fetch" | "wait">,
	url: string,
	tries = TRIES,
): Promise<string | null> {
	for (let tried = 1; ; tried++) {
		const reason = await probe(io, url);
		if (reason === null || tried >= tries) return reason;
		await io.wait(PAUSE_MS);
	}
}

async function probe(io: Pick<Io, "fetch">, url: string): Promise<string | null> {
	try {
		const response = await io.fetch(new Request(`${url}/readyz`), {
			signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
		});
		await response.body?.cancel();
		return response.ok ? null : `${url}/readyz answers ${response.status}`;
	} catch (error) {
		const { cause, message } = error as Error & { readonly cause?: { readonly code?: string } };
		return `${url}/readyz does not answer (${cause?.code ?? message})`;
	}
}
