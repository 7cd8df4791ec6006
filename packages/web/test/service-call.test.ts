import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { responseToOutgoing } from "../src/http-message.ts";
import {
	createServiceCaller,
	orNull,
	ServiceRefused,
	ServiceUnavailable,
	type Transport,
} from "../src/service-call.ts";

type Service = (request: Request) => Promise<Response>;

const MAX_ANSWER_BYTES = 1_000;

/** The same service over HTTP and in this process. */
const TRANSPORTS: Readonly<Record<string, (service: Service) => Transport>> = {
	"over fetch": (fetch) => ({ baseUrl: "http://service/base", token: "t", fetch }),
	"in process": (service) => ({
		baseUrl: "http://service/base",
		token: "t",
		async answer({ method, url, headers, bytes }) {
			const body = method === "GET" ? null : await bytes(1_000);
			return responseToOutgoing(await service(new Request(url, { method, headers: [...headers], body })));
		},
	}),
};

const createBrokenStream = () =>
	new ReadableStream<Uint8Array>({
		start: (controller) => controller.enqueue(new TextEncoder().encode("half")),
		pull: () => Promise.reject(new Error("connection reset")),
	});

const readText = (stream: ReadableStream<Uint8Array>): Promise<string> => new Response(stream).text();

for (const [name, transportTo] of Object.entries(TRANSPORTS)) {
	describe(`a call of a service ${name}`, () => {
		const createCaller = (service: Service) =>
			createServiceCaller(transportTo(service), {
				name: "the service",
				Unavailable: ServiceUnavailable,
				Refused: ServiceRefused,
				maxAnswerBytes: MAX_ANSWER_BYTES,
			});

		/** Every way to call, for a response that is the same for all of them. */
		const listWays = (service: Service) => {
			const { call, text, stream } = createCaller(service);
			return {
				call: () => call("GET", "/things/a", () => true, {}),
				text: () => text("GET", "/things/a", {}),
				stream: () => stream("GET", "/things/a", {}),
			};
		};

		test("sends the same request for every way of reading the response", async () => {
			const requests: Request[] = [];
			const { call, text, stream } = createCaller(async (request) => {
				requests.push(request);
				return Response.json({ got: await request.json() });
			});
			const sent = { body: { a: "茶" }, query: { q: "x y" }, headers: { accept: "text/plain" } };
			assert.deepEqual(await call("POST", "/things", () => true, sent), { got: sent.body });
			assert.equal(await text("POST", "/things", sent), '{"got":{"a":"茶"}}');
			assert.equal(await readText(await stream("POST", "/things", sent)), '{"got":{"a":"茶"}}');
			for (const { url, headers } of requests) {
				assert.equal(url, "http://service/base/things?q=x%20y");
				assert.deepEqual(
					["authorization", "content-type", "accept"].map((each) => headers.get(each)),
					["Bearer t", "application/json", "text/plain"],
				);
			}
		});

		test("sends a stream with its type and its size", async () => {
			const { call } = createCaller(async (request) =>
				Response.json({
					type: request.headers.get("content-type"),
					size: request.headers.get("content-length"),
					text: await request.text(),
				}),
			);
			const pieces = async function* () {
				for (const text of ["a,b\n", "1,2\n"]) {
					const piece = new TextEncoder().encode(text);
					yield piece;
					// As a listener does that frees the memory.
					piece.fill(0);
				}
			};
			const answer = await call("POST", "/things", () => true, {
				stream: { type: "text/csv", size: 8, content: pieces() },
			});
			assert.deepEqual(answer, { type: "text/csv", size: "8", text: "a,b\n1,2\n" });
		});

		test("returns a stream while the service is still writing", async () => {
			const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
			const writer = writable.getWriter();
			const { stream } = createCaller(async () => new Response(readable));
			const reader = (await stream("GET", "/things", {})).getReader();
			for (const part of ["one", "two"]) {
				const [{ value }] = await Promise.all([reader.read(), writer.write(new TextEncoder().encode(part))]);
				assert.equal(new TextDecoder().decode(value), part);
			}
			await Promise.all([writer.close(), reader.closed]);
		});

		test("returns an empty response as empty", async () => {
			const { text, stream } = listWays(async () => new Response(null));
			assert.equal(await text(), "");
			assert.equal(await readText(await stream()), "");
		});

		test("throws Refused with the service's whole response; orNull turns 404 into null", async () => {
			for (const ask of Object.values(
				listWays(async () => Response.json({ error: "no", why: 1 }, { status: 422 })),
			))
				await assert.rejects(ask, {
					name: "ServiceRefused",
					status: 422,
					message: "no",
					answer: { error: "no", why: 1 },
				});
			for (const ask of Object.values(
				listWays(async () => Response.json({ error: "gone" }, { status: 404 })),
			))
				assert.equal(await orNull<unknown>(ask()), null);
		});

		test("throws Unavailable if the service does not answer, is busy, broken or redirects", async () => {
			const away = { name: "ServiceUnavailable" };
			const absent = listWays(() => Promise.reject(new Error("nobody listens")));
			for (const ask of Object.values(absent))
				await assert.rejects(ask, { ...away, message: "the service did not answer" });
			for (const status of [302, 429, 500, 503]) {
				for (const ask of Object.values(listWays(async () => new Response("<html>", { status }))))
					await assert.rejects(ask, { ...away, message: `GET /things: the service answered ${status}` });
			}
			const busy = listWays(async () => Response.json({ error: "busy" }, { status: 503 }));
			for (const ask of Object.values(busy))
				await assert.rejects(ask, { ...away, message: "GET /things: busy" });
		});

		test("throws if a response breaks off; a stream fails while it is read", async () => {
			for (const status of [200, 422]) {
				const { call, text, stream } = listWays(async () => new Response(createBrokenStream(), { status }));
				for (const ask of status === 200 ? [call, text] : [call, text, stream])
					await assert.rejects(ask, { name: "ServiceUnavailable", message: "the service did not answer" });
				if (status === 200) await assert.rejects(readText(await stream()), /connection reset/);
			}
		});

		test("limits the bytes of a whole response, but not of a stream", async () => {
			const long = "x".repeat(MAX_ANSWER_BYTES + 1);
			const { call, text, stream } = listWays(async () => new Response(long));
			for (const ask of [call, text]) await assert.rejects(ask, /answer is larger than 1000 bytes/);
			assert.equal(await readText(await stream()), long);
		});
	});
}
