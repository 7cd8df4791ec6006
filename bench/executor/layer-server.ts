import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { systemClock } from "@tripline/platform/clock";
import { jsonLog } from "@tripline/platform/log";
import { createApp } from "@tripline/web/app";
import { readBody } from "@tripline/web/body";
import type { Incoming } from "@tripline/web/http-message";
import { reply, route } from "@tripline/web/route";
import * as z from "zod";
import { guardBrowsers } from "../../apps/node/src/guard.ts";
import { stderrWriter } from "../../apps/node/src/log-writer.ts";
import { type Answer, requestListener } from "../../apps/node/src/node-message.ts";
import type { Layer } from "./layers.ts";

const MAX_BODY_BYTES = 1_048_576;
const JSON_HEADERS = { "content-type": "application/json; charset=utf-8" };
const [layer = "", answerText = ""] = process.argv.slice(2);
const answer = JSON.parse(answerText) as object;
const decoder = new TextDecoder("utf-8", { fatal: true });
const log = jsonLog({ level: "info", clock: systemClock, write: stderrWriter(systemClock).write });

const app = createApp<undefined>({
	title: "Layer",
	version: "bench",
	routes: [
		route({
			method: "POST",
			path: "/webhooks/{token}/trigger",
			tag: "bench",
			open: true,
			summary: "The answer",
			params: z.object({ token: z.string() }),
			responses: { 200: { description: "The answer" } },
			async handle({ request }) {
				await parseBody(request);
				return reply(200, answer);
			},
		}),
	],
	authenticate: () => undefined,
	ready: async () => true,
	clock: systemClock,
	log,
	maxBodyBytes: MAX_BODY_BYTES,
});

/** Each does the same as the previous one, and one thing more. */
const LAYERS: Readonly<Record<Layer, () => RequestListener>> = {
	/** The minimum that answers such a trigger. */
	bare: () => (incoming, outgoing) => {
		const chunks: Buffer[] = [];
		incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
		incoming.on("end", () => {
			JSON.parse(Buffer.concat(chunks).toString());
			const text = JSON.stringify(answer);
			outgoing.writeHead(200, {
				"content-type": "application/json",
				"content-length": Buffer.byteLength(text),
			});
			outgoing.end(text);
		});
	},
	listener: () => createListener(async () => ({ status: 200, headers: JSON_HEADERS, body: answerText })),
	body: () =>
		createListener(async (request) => {
			await parseBody(request);
			return { status: 200, headers: JSON_HEADERS, body: JSON.stringify(answer) };
		}),
	app: () => createListener(app.answer),
	guard: () => createListener(guardBrowsers(app.answer, { host: "127.0.0.1", clock: systemClock, log })),
};

const server = createServer(LAYERS[layer as Layer]());
server.listen(0, "127.0.0.1", () => {
	console.log(`ready http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.on("SIGTERM", () => process.exit());

function createListener(answers: Answer): RequestListener {
	return requestListener(answers, (error) => console.error(error));
}

async function parseBody(request: Incoming): Promise<unknown> {
	return JSON.parse(decoder.decode(await readBody(request, MAX_BODY_BYTES)));
}
