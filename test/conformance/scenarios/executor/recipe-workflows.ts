import assert from "node:assert/strict";
import { isFileValue } from "@tripline/contract/files";
import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { checkRequest } from "../../../../packages/components/test/seeds/check-request.ts";
import type { Exchange } from "../../../../packages/components/test/seeds/exchange.ts";
import { googleToken, TOKEN_URL } from "../../../../packages/components/test/seeds/google-account.ts";
import { PICTURE, picture } from "../../../../packages/components/test/seeds/test-files.ts";
import type { OutsideRequest } from "../../outside.ts";
import type { World } from "../../scenario.ts";
import { putCredential } from "./credential.ts";
import { toValue, upload } from "./files.ts";
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
	const file = toValue(await upload(world, PICTURE, { name: picture.name, type: picture.type }));
	await save(world, createWorkflow(name, exchanges));
	const { data } = await run(world, name, { file });
	exchanges.forEach((exchange, nth) => {
		const request = seen[nth] as OutsideRequest;
		checkRequest({ ...request, headers: pickOwnHeaders(request) }, exchange);
	});
	assert.equal(seen.length, exchanges.length);
	const { outputs } = data as { outputs: Json[] };
	assert.equal(outputs.length, exchanges.length);
	for (const [nth, exchange] of exchanges.entries()) await checkOutput(world, outputs[nth] ?? null, exchange);
}

async function checkOutput(world: World, output: Json, exchange: Exchange): Promise<void> {
	const { component, outputFile, response } = exchange;
	if (outputFile === undefined) {
		assert.deepEqual(output, exchange.output, component);
		return;
	}
	assert.ok(isFileValue(output), component);
	const { $file, name, type, size } = output;
	const { bytes = response.body, ...expected } = outputFile;
	assert.deepEqual({ name, type, size }, { ...expected, size: bytes.length }, component);
	const { body } = await world.executor.call("GET", `/files/${$file}/content`);
	assert.equal(body, Buffer.from(bytes).toString("utf8"), component);
}

/** Google's, which answers to the service account of the tests. */
export function openTokenEndpoint(world: World, scope: string): void {
	const answer = ({ body }: OutsideRequest) => {
		const { status, body: text } = googleToken(body, scope, Date.now() / 1000);
		return { status, headers: { "content-type": "application/json" }, body: text };
	};
	openHost(world, answer, new URL(TOKEN_URL).host);
}

/** The run gets the file as its input. */
const mapFiles = (params: JsonObject): JsonObject =>
	Object.fromEntries(Object.entries(params).map(([name, value]) => [name, mapFile(value)]));

function mapFile(value: Json): Json {
	if (isFileValue(value)) return "{{input.file}}";
	return Array.isArray(value) ? value.map(mapFile) : value;
}

function createWorkflow(name: string, exchanges: readonly Exchange[]) {
	const ids = exchanges.map((_, nth) => `call ${nth}`);
	const calls = exchanges.map(({ component, params }, nth) => [
		ids[nth],
		{ component, credential: name, ...mapFiles(params) },
	]);
	const outputs = ids.map((id) => `{{nodes["${id}"]}}`);
	return {
		name,
		description: `every operation of ${name}`,
		triplets: ["input", ...ids].map((from, nth) => `${from} >> ON_SUCCESS >> ${ids[nth] ?? "all"}`),
		config: { ...Object.fromEntries(calls), all: { component: "set", values: { outputs } } },
	};
}
