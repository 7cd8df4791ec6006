import assert from "node:assert/strict";
import type { Surface, World } from "../../../scenario.ts";
import {
	buildAuthorizeQuery,
	createPkce,
	OWNER_SECRET,
	postConsent,
	postForm,
	readLocation,
} from "../login.ts";

export type Answered = Awaited<ReturnType<Surface["call"]>>;
type Fields = Readonly<Record<string, string | undefined>>;

/** A valid authorization request with changes; undefined omits a parameter. */
export const buildQuery = (changed: Fields = {}) => buildAuthorizeQuery(createPkce().challenge, changed);

/** Opens the authorization page that a client sends the owner to. */
export const openPage = (world: World, query: Readonly<Record<string, string>>): Promise<Answered> =>
	world.anyone.call("GET", "/authorize", { query });

/** Submits the consent form with the correct secret. */
export const approve = (
	world: World,
	query: Readonly<Record<string, string>>,
	headers?: Readonly<Record<string, string>>,
): Promise<Answered> => postConsent(world, { ...query, owner_secret: OWNER_SECRET }, headers);

/** Requests a code with GET, and with POST and the correct secret. */
export async function requestBothWays(
	world: World,
	query: Readonly<Record<string, string>>,
): Promise<readonly Answered[]> {
	return [await openPage(world, query), await approve(world, query)];
}

/** Exchanges a code as a client does. */
export const exchangeCode = (world: World, exchange: Readonly<Record<string, string>>): Promise<Answered> =>
	postForm(world, "/token", exchange);

/** Asserts a JSON error in the format of RFC 6749. */
export function assertRefused(answer: Answered, status: number, error: string, hint = ""): void {
	const body = answer.body as { readonly error: string; readonly error_description: string };
	assert.equal(answer.status, status, `${hint} ${JSON.stringify(body)}`);
	assert.match(answer.headers.get("content-type") ?? "", /^application\/json/);
	assert.deepEqual(Object.keys(body), ["error", "error_description"]);
	assert.equal(body.error, error, hint);
	assert.ok(body.error_description.length > 0);
	assert.equal(answer.headers.get("cache-control"), "no-store");
}

/** Asserts a page for the owner without a redirect. */
export function assertPage(answer: Answered, status: number, says: RegExp): void {
	assert.equal(answer.status, status, String(answer.body));
	assert.equal(answer.headers.get("location"), null);
	assert.match(answer.headers.get("content-type") ?? "", /^text\/html/);
	assert.match(String(answer.body), says);
}

/** Asserts a redirect to the client with an error and no code. */
export function assertSentBack(answer: Answered, error: string): URL {
	assert.equal(answer.status, 302, String(answer.body));
	const location = readLocation(answer);
	assert.equal(location.searchParams.get("error"), error, location.href);
	assert.equal(location.searchParams.get("code"), null);
	return location;
}

/** Whether a bearer is accepted. */
export async function isAccepted(world: World, token: string): Promise<boolean> {
	const headers = { authorization: `Bearer ${token}` };
	const { status } = await world.anyone.call("GET", "/gui/tokens", { headers });
	assert.ok(status === 200 || status === 401, String(status));
	return status === 200;
}
