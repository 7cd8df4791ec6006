import {
	buildRefreshRequest,
	isSignInRecipe,
	readSignedIn,
	type SignedIn,
	type SignInRecipe,
} from "@tripline/components/auth/authorization-code";
import { type Credential, listFields, type SignInSession } from "@tripline/components/auth/credential";
import { rejectOnAbort } from "@tripline/components/auth/reject-on-abort";
import { describeMissingSignIn } from "@tripline/components/auth/sign-in";
import { requestTokens, TokenRefused } from "@tripline/components/auth/token-endpoint";
import type { AuthRecipe } from "@tripline/contract/recipes";
import { TerminalError } from "@tripline/engine/terminal-error";
import type { Background } from "@tripline/platform/background";
import { type Clock, toIsoTime } from "@tripline/platform/clock";
import type { OutboundHttp } from "@tripline/platform/http";
import type { StoreClient } from "@tripline/store/client";
import type { SessionTokens } from "../vault/credential-storage.ts";
import type { Revealed, Vault } from "../vault/vault.ts";
import { LEASE_MS, renewalLeases } from "./lease.ts";

/** Below the lease with the time that storing may take. */
const RENEW_TIMEOUT_MS = 25_000;
const LOOK_AGAIN_MS = 250;
/** Until the lease of a process that died has ended. */
const MAX_LOOKS = LEASE_MS / LOOK_AGAIN_MS + 20;
const MAX_EARLY_MS = 60_000;
/** Between the tries to store a new token. The old refresh token may no longer be valid, so giving up loses the sign-in. */
const STORE_AGAIN_MS = [100, 500, 2_000, 5_000];

type Session = NonNullable<Revealed["session"]>;
type OpenSession = Session & { readonly tokens: SessionTokens };

interface Named {
	readonly namespace: string;
	readonly name: string;
	readonly recipe: SignInRecipe;
	readonly revealed: Revealed;
}

export interface SignInRequired {
	readonly namespace: string;
	readonly credential: string;
	readonly auth_recipe: string;
	readonly account: string | null;
}

export type SignInSessions = ReturnType<typeof signInSessions>;

/**
 * The access tokens of credentials whose owner signed in. A token is renewed shortly before it expires, or after a service
 * rejected it: once for all runs, by a shared promise in a process and by a lease across processes.
 */
export function signInSessions(deps: {
	readonly vault: Pick<Vault, "reveal" | "putSession">;
	readonly store: Pick<StoreClient, "entries">;
	readonly send: OutboundHttp["send"];
	readonly clock: Clock;
	readonly background: Background;
	/** False on Workers, where a request must not await another request's promise. */
	readonly sharesPromises: boolean;
	/** Called once when a sign-in ends. */
	onRequired(required: SignInRequired): Promise<void>;
}) {
	const { vault, send, clock, background } = deps;
	const leases = renewalLeases(deps);
	const pending = new Map<string, Promise<OpenSession>>();

	return {
		/** What a sign-in adds to the credential; nothing if its recipe has none. */
		open(
			namespace: string,
			name: string,
			recipe: AuthRecipe,
			revealed: Revealed,
		): Pick<Credential, "fields" | "session"> {
			const { fields, session } = revealed;
			if (!isSignInRecipe(recipe) || session === null || !isOpen(session)) return { fields };
			const named = { namespace, name, recipe, revealed };
			return { fields: { ...fields, ...session.tokens.fields }, session: createSession(named, session) };
		},

		/** How a new sign-in is stored. False if the credential was replaced or deleted meanwhile. */
		async begin(namespace: string, name: string, put: string, login: string, signedIn: SignedIn) {
			const tokens = toTokens(signedIn, null);
			return vault.putSession(namespace, name, {
				put,
				login,
				revision: 0,
				account: signedIn.account,
				signed_in_at: toIsoTime(clock.now()),
				...{ expires_at: describeEnd(tokens), tokens },
			});
		},
	};

	function createSession(named: Named, first: OpenSession): SignInSession {
		let session = first;
		let rejected: string | null = null;
		return {
			async getToken(signal) {
				if (!isUsable(session.tokens, rejected)) session = await renew(named, rejected, signal);
				const { access: value, refresh } = session.tokens;
				const reject = () => {
					rejected = value;
				};
				return { value, ...(refresh !== null && { reject }) };
			},
		};
	}

	function isUsable({ access, renewAt }: SessionTokens, rejected: string | null): boolean {
		return access !== rejected && (renewAt === null || clock.now() < renewAt);
	}

	/** Goes on if the caller leaves: others may wait for it, and the new refresh token must be stored. */
	function renew(named: Named, rejected: string | null, signal: AbortSignal): Promise<OpenSession> {
		const key = `${named.namespace}\n${named.name}\n${named.revealed.put}`;
		let renewing = deps.sharesPromises ? pending.get(key) : undefined;
		if (renewing === undefined) {
			renewing = renewOnce(named, rejected).finally(() => pending.delete(key));
			if (deps.sharesPromises) pending.set(key, renewing);
			const started = renewing;
			background.run("token renewal", () => started.catch(() => {}));
		}
		return rejectOnAbort(renewing, signal);
	}

	async function renewOnce(named: Named, rejected: string | null): Promise<OpenSession> {
		for (let looks = 0; looks < MAX_LOOKS; looks++) {
			const known = await readSession(named);
			if (isUsable(known.tokens, rejected)) return known;
			const lease = await leases.take(named.namespace, named.name);
			if (lease !== null) {
				try {
					const current = await readSession(named);
					return isUsable(current.tokens, rejected) ? current : await renewStored(named, current, rejected);
				} finally {
					await lease.release().catch(() => {});
				}
			}
			await sleep(LOOK_AGAIN_MS);
		}
		throw new Error(`the access token of credential ${quote(named)} is still being renewed elsewhere`);
	}

	async function readSession({ namespace, name, revealed }: Named): Promise<OpenSession> {
		const found = await vault.reveal(namespace, name, { isFresh: true });
		if (found?.put !== revealed.put)
			throw new TerminalError(
				`credential ${JSON.stringify(name)} was changed or deleted during the run: run it again`,
			);
		if (found.session === null || !isOpen(found.session)) throw createMissingError(name);
		return found.session;
	}

	async function renewStored(
		named: Named,
		session: OpenSession,
		rejected: string | null,
	): Promise<OpenSession> {
		const { tokens } = session;
		const { refresh, access } = tokens;
		if (refresh === null) return end(named, session);
		let signedIn: SignedIn;
		try {
			signedIn = await requestRenewal(named, { refresh, access });
		} catch (error) {
			const isOfClient = error instanceof TokenRefused && error.isOfClient;
			if (error instanceof TokenRefused && error.code !== null && !isOfClient) return end(named, session);
			const isStillValid = access !== rejected && clock.now() < (tokens.expiresAt ?? 0);
			if (isStillValid) return session;
			throw isOfClient ? createClientError(named, error) : error;
		}
		const renewed = toTokens(signedIn, tokens);
		const next = {
			...session,
			revision: session.revision + 1,
			expires_at: describeEnd(renewed),
			tokens: renewed,
		};
		if (await putStubbornly(named, next)) return next;
		throw createMissingError(named.name);
	}

	async function requestRenewal(
		{ name, recipe, revealed }: Named,
		tokens: { readonly refresh: string; readonly access: string },
	): Promise<SignedIn> {
		const credential = { name, recipe, fields: revealed.fields, key: "" };
		const response = await requestTokens(
			send,
			credential,
			buildRefreshRequest(credential, tokens),
			AbortSignal.timeout(RENEW_TIMEOUT_MS),
		);
		return readSignedIn(credential, response);
	}

	async function putStubbornly({ namespace, name }: Named, session: Session): Promise<boolean> {
		for (const pause of STORE_AGAIN_MS) {
			try {
				return await vault.putSession(namespace, name, session);
			} catch {
				await sleep(pause);
			}
		}
		return vault.putSession(namespace, name, session);
	}

	/** The lease makes this happen once. */
	async function end(
		{ namespace, name, revealed: { auth_recipe } }: Named,
		session: OpenSession,
	): Promise<never> {
		const ended = { ...session, revision: session.revision + 1, expires_at: null, tokens: null };
		if (await vault.putSession(namespace, name, ended)) {
			const { account } = session;
			background.run("credential.sign_in_required", () =>
				deps.onRequired({ namespace, credential: name, auth_recipe, account }),
			);
		}
		throw createMissingError(name);
	}

	/** A response without a refresh token leaves the one before valid. */
	function toTokens(signedIn: SignedIn, before: SessionTokens | null): SessionTokens {
		const { accessToken: access, lifetime } = signedIn;
		const now = clock.now();
		return {
			access,
			refresh: signedIn.refreshToken ?? before?.refresh ?? null,
			expiresAt: lifetime === null ? null : now + lifetime * 1000,
			renewAt: lifetime === null ? null : now + lifetime * 1000 - Math.min(MAX_EARLY_MS, lifetime * 100),
			fields: { ...before?.fields, ...signedIn.fields },
		};
	}
}

const isOpen = (session: Session): session is OpenSession => session.tokens !== null;

const describeEnd = ({ refresh, expiresAt }: SessionTokens): string | null =>
	refresh !== null || expiresAt === null ? null : toIsoTime(expiresAt);

const createMissingError = (name: string) => new TerminalError(describeMissingSignIn(name));

/** Names the fields, because the client may be right at the service and wrong in the credential. */
function createClientError({ recipe: { inject } }: Named, { message }: Error): TerminalError {
	const names = listFields(inject.client_id + (inject.client_secret ?? ""));
	const fields = names.length === 0 ? "" : `, and the fields ${names.join(" and ")} of the credential`;
	return new TerminalError(
		`${message}: it does not accept the client. Check the app at the service${fields}`,
	);
}

const quote = ({ name }: Named) => JSON.stringify(name);
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
