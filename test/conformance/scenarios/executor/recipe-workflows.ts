import assert from "node:assert/strict";
import type { Exchange } from "../../../../packages/components/test/seeds/exchange.ts";
import { googleToken, TOKEN_URL } from "../../../../packages/components/test/seeds/google-account.ts";
import { checkSigV4 } from "../../../../packages/components/test/seeds/sigv4.ts";
import type { OutsideRequest } from "../../outside.ts";
import type { World } from "../../scenario.ts";
import { putCredential } from "./credential.ts";
import { openHost, pickOwnHeaders } from "./outside-host.ts";
import { run, save } from "./saving.ts";

/** Saves and runs a workflow with all operations of one service; each must send the request in the table. */
export async function checkService(world: World, exchanges: readonly Exchange[]): Promise<void> {
	const [first] = exchanges;
	if (first === undefined) return;
	const waiting = [...exchanges];
	const seen: OutsideRequest[] = [];
	for (const host of new Set(exchanges.map(({ request }) => new URL(request.url).host))) {
		openHost(
			world,
			(request) => {
				seen.push(request);
				return waiting.shift()?.response ?? { status: 500, body: "one request too many" };
			},
			host,
		);
	}
	openTokenEndpoint(world, first.fields.scope ?? "");
	const name = first.component.split(".")[0] ?? "";
	await putCredential(world, name, first.authRecipe, first.fields);
	await save(world, createWorkflow(name, exchanges));
	const { data } = await run(world, name);
	exchanges.forEach((exchange, nth) => {
		checkRequest(seen[nth] as OutsideRequest, exchange);
	});
	assert.equal(seen.length, exchanges.length);
	assert.deepEqual(data, { outputs: exchanges.map(({ output }) => output) });
}

function openTokenEndpoint(world: World, scope: string): void {
	const answer = ({ body }: OutsideRequest) => {
		const { status, body: text } = googleToken(body, scope, Date.now() / 1000);
		return { status, headers: { "content-type": "application/json" }, body: text };
	};
	openHost(world, answer, new URL(TOKEN_URL).host);
}

function createWorkflow(name: string, exchanges: readonly Exchange[]) {
	const ids = exchanges.map((_, nth) => `call ${nth}`);
	const calls = exchanges.map(({ component, params }, nth) => [
		ids[nth],
		{ component, credential: name, ...params },
	]);
	const outputs = ids.map((id) => `{{nodes["${id}"]}}`);
	return {
		name,
		description: `every operation of ${name}`,
		triplets: ["input", ...ids].map((from, nth) => `${from} >> ON_SUCCESS >> ${ids[nth] ?? "all"}`),
		config: { ...Object.fromEntries(calls), all: { component: "set", values: { outputs } } },
	};
}

function checkRequest(seen: OutsideRequest, { component, request, authorization, fields }: Exchange): void {
	assert.equal(
		`${seen.method} ${normalizeUrl(seen.url)}`,
		`${request.method} ${normalizeUrl(request.url)}`,
		component,
	);
	const headers = pickOwnHeaders(seen);
	if (authorization === "sigv4") checkSigV4({ ...seen, headers }, fields);
	const compared = authorization === "sigv4" ? omitSignature(headers) : headers;
	assert.deepEqual(compared, request.headers, component);
	if (request.body === null) assert.equal(seen.body, "", component);
	else if ("json" in request.body) assert.deepEqual(JSON.parse(seen.body), request.body.json, component);
	else assert.equal(seen.body, request.body.text, component);
}

/** A host with and without a trailing slash is the same URL. */
const normalizeUrl = (url: string): string => new URL(url).href;

const omitSignature = (headers: Readonly<Record<string, string>>) =>
	Object.fromEntries(
		Object.entries(headers).filter(([name]) => name !== "authorization" && !name.startsWith("x-amz-")),
	);
