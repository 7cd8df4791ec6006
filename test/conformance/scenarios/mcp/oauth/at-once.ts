import { request } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import type { World } from "../../../scenario.ts";
import type { Answered } from "./presenting.ts";

/** Long enough for the headers of a few requests to arrive on a busy machine. */
const ARRIVED_MS = 300;

/** Sends the same form several times in parallel: the headers of all arrive before the body of any. */
export async function postInParallel(
	world: World,
	path: string,
	fields: Readonly<Record<string, string>>,
	count: number,
): Promise<readonly Answered[]> {
	const body = new URLSearchParams(fields).toString();
	const headers = {
		"content-type": "application/x-www-form-urlencoded",
		"content-length": String(body.length),
	};
	const begun = Array.from({ length: count }, () => {
		const { promise, resolve, reject } = Promise.withResolvers<Answered>();
		const sent = request(world.target.publicUrl + path, { method: "POST", headers }, (answer) => {
			text(answer).then((answered) => {
				const named = new Headers(
					Object.entries(answer.headers).map(([name, value]) => [name, String(value)]),
				);
				resolve({ status: answer.statusCode ?? 0, headers: named, body: JSON.parse(answered) });
			}, reject);
		});
		sent.on("error", reject);
		sent.flushHeaders();
		return { sent, promise };
	});
	await wait(ARRIVED_MS);
	for (const { sent } of begun) sent.end(body);
	return Promise.all(begun.map(({ promise }) => promise));
}
