import { randomToken, sha256Hex } from "@tripline/contract/ids";
import { SYSTEM_OWNER } from "@tripline/contract/names";
import { isSameSecret } from "@tripline/contract/secrets";
import type { Clock } from "@tripline/platform/clock";
import type { StoreClient } from "@tripline/store/client";
import * as z from "zod";
import type { Vault } from "../vault/vault.ts";

const ENTRY_TYPE = "sign_in";
export const SIGN_IN_MS = 10 * 60_000;
const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Which credential an account will be connected to. */
export interface SignInTarget {
	readonly namespace: string;
	readonly credential: string;
	readonly auth_recipe: string;
	/** The put of the credential: one that was replaced meanwhile is another. */
	readonly put: string;
}

export interface StartedFlow {
	readonly state: string;
	readonly verifier: string;
	/** The browser that started it keeps this secret in a cookie of that name. */
	readonly cookie: { readonly name: string; readonly value: string };
}

const target = { namespace: z.string(), credential: z.string(), auth_recipe: z.string(), put: z.string() };
const Ticket = z.object({ ...target, expires_at: z.number() });
const Flow = z.object({
	...Ticket.shape,
	redirect_uri: z.string(),
	/** Hash of the cookie's value. */
	browser: z.string(),
	/** Sealed with the namespace's key. */
	verifier: z.string(),
});

export interface FinishedFlow extends SignInTarget {
	readonly verifier: string;
	readonly redirectUri: string;
}

/**
 * The steps of a sign-in that is under way. They are entries of the store, which every process reads. Tickets and states
 * are stored as hashes, and each is used by the one caller who inserts its mark.
 */
export function signInFlows(deps: {
	readonly store: Pick<StoreClient, "entries">;
	readonly vault: Pick<Vault, "runSealer">;
	readonly clock: Clock;
}) {
	const { store, vault, clock } = deps;
	return {
		async createTicket(target: SignInTarget): Promise<{ ticket: string; expiresAt: number }> {
			const ticket = randomToken(TOKEN_BYTES);
			const expiresAt = clock.now() + SIGN_IN_MS;
			await write(`ticket ${await sha256Hex(ticket)}`, { ...target, expires_at: expiresAt });
			return { ticket, expiresAt };
		},

		/** Null if it is unknown, has expired or was used. */
		async findTicket(ticket: string): Promise<SignInTarget | null> {
			const page = await buildPage("ticket", ticket);
			const found = page === null ? null : await read(page, Ticket);
			if (page === null || found === null) return null;
			return (await store.entries.get(SYSTEM_OWNER, ENTRY_TYPE, buildUsedPage(page))) === null ? found : null;
		},

		/** Uses the ticket up. Null if another caller did so before. */
		async start(ticket: string, target: SignInTarget, redirectUri: string): Promise<StartedFlow | null> {
			const page = await buildPage("ticket", ticket);
			if (page === null || !(await use(page))) return null;
			const [state, verifier, browser] = [TOKEN_BYTES, TOKEN_BYTES, TOKEN_BYTES].map(randomToken) as [
				string,
				string,
				string,
			];
			const hash = await sha256Hex(state);
			const sealer = await vault.runSealer(target.namespace);
			await write(`state ${hash}`, {
				...target,
				expires_at: clock.now() + SIGN_IN_MS,
				redirect_uri: redirectUri,
				browser: await sha256Hex(browser),
				verifier: await sealer.seal(buildContext(hash), verifier),
			});
			return { state, verifier, cookie: { name: buildCookieName(hash), value: browser } };
		},

		/** Uses the state up, unless the browser is another one. */
		async finish(
			state: string,
			getCookie: (name: string) => string | null,
		): Promise<FinishedFlow | "unknown" | "other browser"> {
			const page = await buildPage("state", state);
			const found = page === null ? null : await read(page, Flow);
			if (page === null || found === null) return "unknown";
			const hash = await sha256Hex(state);
			const cookie = getCookie(buildCookieName(hash));
			if (cookie === null || !isSameSecret(await sha256Hex(cookie), found.browser)) return "other browser";
			if (!(await use(page))) return "unknown";
			const { namespace, credential, auth_recipe, put, redirect_uri: redirectUri } = found;
			const sealer = await vault.runSealer(namespace);
			const verifier = await sealer.open(buildContext(hash), found.verifier);
			return { namespace, credential, auth_recipe, put, redirectUri, verifier };
		},
	};

	async function write(page_name: string, metadata: object): Promise<void> {
		await store.entries.createOnce(toEntry(page_name, metadata));
	}

	async function read<Schema extends z.ZodType<{ expires_at: number }>>(
		page: string,
		schema: Schema,
	): Promise<z.output<Schema> | null> {
		const entry = await store.entries.get(SYSTEM_OWNER, ENTRY_TYPE, page);
		const { data } = schema.safeParse(JSON.parse(entry?.metadata_json ?? "null"));
		return data !== undefined && clock.now() < data.expires_at ? data : null;
	}

	/** True for exactly one caller. The mark lives longer than what it marks, because it is written later. */
	async function use(page: string): Promise<boolean> {
		return (await store.entries.createOnce(toEntry(buildUsedPage(page), {}))).created;
	}
}

export type SignInFlows = ReturnType<typeof signInFlows>;

/** Null if the text cannot be a ticket or a state. */
const buildPage = async (kind: "ticket" | "state", token: string): Promise<string | null> =>
	TOKEN.test(token) ? `${kind} ${await sha256Hex(token)}` : null;

const buildUsedPage = (page: string): string => `used ${page}`;
const buildContext = (stateHash: string): string[] => ["sign-in", stateHash];
/** Of its own for each flow, so that two of them in one browser do not disturb each other. */
const buildCookieName = (stateHash: string): string => `tripline-sign-in-${stateHash.slice(0, 16)}`;

const toEntry = (page_name: string, metadata: object) => ({
	owner_id: SYSTEM_OWNER,
	entry_type: ENTRY_TYPE,
	page_name,
	content: "",
	metadata_json: JSON.stringify(metadata),
});
