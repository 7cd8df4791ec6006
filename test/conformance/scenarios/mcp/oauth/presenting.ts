import assert from "node:assert/strict";
import type { Surface, World } from "../../../scenario.ts";
import { authorizeQuery, consent, locationOf, OWNER_SECRET, pkce, postForm } from "../login.ts";

export type Answered = Awaited<ReturnType<Surface["call"]>>;
type Fields = Readonly<Record<string, string | undefined>>;

/** A good request for a code, but for what is changed; undefined leaves a parameter out. */
export const askedWith = (changed: Fields = {}) => authorizeQuery(pkce().challenge, changed);

/** Opens the link that a client sends the owner to. */
export const openPage = (world: World, query: Readonly<Record<string, string>>): Promise<Answered> =>
	world.anyone.call("GET", "/authorize", { query });

/** Sends the consent page's form with the right secret. */
export const allow = (
	world: World,
	query: Readonly<Record<string, string>>,
	headers?: Readonly<Record<string, string>>,
): Promise<Answered> => consent(world, { ...query, owner_secret: OWNER_SECRET }, headers);

/** Both ways to ask for a code, the second with the right secret. */
export async function bothWays(
	world: World,
	query: Readonly<Record<string, string>>,
): Promise<readonly Answered[]> {
	return [await openPage(world, query), await allow(world, query)];
}

/** Presents a code as a client does. */
export const present = (world: World, exchange: Readonly<Record<string, string>>): Promise<Answered> =>
	postForm(world, "/token", exchange);

/** An error for a program, as RFC 6749 writes it. */
export function assertRefused(answer: Answered, status: number, error: string, hint = ""): void {
	const body = answer.body as { readonly error: string; readonly error_description: string };
	assert.equal(answer.status, status, `${hint} ${JSON.stringify(body)}`);
	assert.match(answer.headers.get("content-type") ?? "", /^application\/json/);
	assert.deepEqual(Object.keys(body), ["error", "error_description"]);
	assert.equal(body.error, error, hint);
	assert.ok(body.error_description.length > 0);
	assert.equal(answer.headers.get("cache-control"), "no-store");
}

/** A page for the owner, from which nothing is sent on. */
export function assertPage(answer: Answered, status: number, says: RegExp): void {
	assert.equal(answer.status, status, String(answer.body));
	assert.equal(answer.headers.get("location"), null);
	assert.match(answer.headers.get("content-type") ?? "", /^text\/html/);
	assert.match(String(answer.body), says);
}

/** An error that is sent back to the client, without a code. */
export function assertSentBack(answer: Answered, error: string): URL {
	assert.equal(answer.status, 302, String(answer.body));
	const location = locationOf(answer);
	assert.equal(location.searchParams.get("error"), error, location.href);
	assert.equal(location.searchParams.get("code"), null);
	return location;
}

/** Whether a bearer is taken. */
export async function isGood(world: World, token: string): Promise<boolean> {
	const headers = { authorization: `Bearer ${token}` };
	const { status } = await world.anyone.call("GET", "/gui/tokens", { headers });
	assert.ok(status === 200 || status === 401, String(status));
	return status === 200;
}
