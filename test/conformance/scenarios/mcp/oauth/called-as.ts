import assert from "node:assert/strict";
import { request } from "node:http";
import { json } from "node:stream/consumers";
import type { World } from "../../../scenario.ts";

/** Requests a JSON document with another Host header, which `fetch` does not allow. */
export async function getAsHost(
	world: World,
	path: string,
	headers: Readonly<Record<string, string>>,
): Promise<Record<string, unknown>> {
	const { promise, resolve, reject } = Promise.withResolvers<Record<string, unknown>>();
	const sent = request(world.target.publicUrl + path, { headers }, (answer) => {
		json(answer)
			.then((body) => {
				assert.equal(answer.statusCode, 200, JSON.stringify({ headers, body }));
				resolve(body as Record<string, unknown>);
			})
			.catch(reject);
	});
	sent.on("error", reject);
	sent.end();
	return promise;
}
