import assert from "node:assert/strict";
import type { HttpHead, HttpRequest, StreamedBody } from "../../src/http.ts";
import type { ContractCase } from "./contract.ts";
import type { HttpSubject } from "./http.ts";

const MEBIBYTE = 2 ** 20;
const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const toHex = (bytes: ArrayBuffer) => new Uint8Array(bytes).toHex();

function send({ http }: HttpSubject, url: string, rest: Partial<HttpRequest>, signal?: AbortSignal) {
	const request = { method: "GET", headers: {}, body: null, timeoutMs: 20_000, maxBytes: 1000 };
	return http.send({ ...request, ...rest, url: new URL(url) }, signal ?? AbortSignal.timeout(30_000));
}

const readText = async (subject: HttpSubject, path: string) =>
	new TextDecoder().decode((await send(subject, subject.web + path, {})).body);

/** A body of these chunks, which counts how often it is opened and closed. */
function streamedBody(size: number, chunks: () => Iterable<Uint8Array> | AsyncIterable<Uint8Array>) {
	const seen = { opened: 0, closed: 0 };
	const body: StreamedBody = {
		size,
		async *open() {
			seen.opened++;
			try {
				yield* chunks();
			} finally {
				seen.closed++;
			}
		},
	};
	return { body, seen };
}

function* repeatChunk(chunk: Uint8Array, count: number) {
	for (let index = 0; index < count; index++) yield chunk.slice();
}

/** A sink that stores what it is given only if that is complete, as files are stored. */
function memorySink(maxBytes = 10 * MEBIBYTE, pause?: () => Promise<unknown>) {
	const seen: { head: HttpHead | null; stored: Uint8Array | null; failure: unknown; size: number } = {
		head: null,
		stored: null,
		failure: null,
		size: 0,
	};
	return {
		seen,
		maxBytes,
		open: (head: HttpHead) => async (content: AsyncIterable<Uint8Array>) => {
			seen.head = head;
			const chunks: Uint8Array[] = [];
			try {
				for await (const chunk of content) {
					chunks.push(new Uint8Array(chunk));
					seen.size += chunk.length;
					await pause?.();
				}
				seen.stored = new Uint8Array(await new Blob(chunks as Uint8Array<ArrayBuffer>[]).arrayBuffer());
			} catch (error) {
				// Deleting what was written so far takes a while.
				await later(20);
				seen.failure = error;
				throw error;
			}
		},
	};
}

/** The call rejects, and by then the sink has seen an error and stored nothing. */
async function assertNothingStored(
	subject: HttpSubject,
	url: string,
	sink: ReturnType<typeof memorySink>,
	message: RegExp,
	rest: Partial<HttpRequest> = {},
) {
	await assert.rejects(send(subject, url, { sink, ...rest }), (error: Error) => {
		assert.match(error.message, message);
		return true;
	});
	assert.deepEqual([sink.seen.stored, sink.seen.failure !== null], [null, true]);
}

async function waitUntil(condition: () => Promise<boolean>) {
	for (let tries = 0; tries < 100; tries++) {
		if (await condition()) return;
		await later(20);
	}
	assert.fail("did not happen within two seconds");
}

export const httpStreamContract: readonly ContractCase<HttpSubject>[] = [
	{
		name: "a sink gets chunks as they arrive, before the response ends, and may stop",
		async run(subject) {
			let size = 0;
			const take = async (content: AsyncIterable<Uint8Array>) => {
				for await (const chunk of content) {
					size += chunk.length;
					if (size >= 3) return;
				}
			};
			const sink = { maxBytes: 1000, open: () => take };
			const answer = await send(subject, `${subject.web}/drip`, { sink });
			assert.deepEqual([answer.status, answer.body.length], [200, 0]);
			assert.ok(size >= 3 && size < 100, String(size));
		},
	},
	{
		name: "a streamed body arrives unchanged and with its length",
		async run(subject) {
			const chunk = crypto.getRandomValues(new Uint8Array(50_000));
			const { body, seen } = streamedBody(2_000_000, () => repeatChunk(chunk, 40));
			const headers = { "content-type": "image/png" };
			const answer = await send(subject, `${subject.web}/digest`, { method: "PUT", headers, body });
			const echo = JSON.parse(new TextDecoder().decode(answer.body));
			const whole = new Uint8Array(2_000_000);
			for (let at = 0; at < whole.length; at += chunk.length) whole.set(chunk, at);
			assert.equal(echo.digest, toHex(await crypto.subtle.digest("SHA-256", whole)));
			assert.equal(echo.headers["content-length"], "2000000");
			assert.equal(echo.headers["content-type"], "image/png");
			assert.equal(echo.headers["transfer-encoding"], undefined);
			assert.deepEqual(seen, { opened: 1, closed: 1 });
		},
	},
	{
		name: "an empty streamed body is sent with length 0",
		async run(subject) {
			const { body } = streamedBody(0, () => []);
			const answer = await send(subject, `${subject.web}/digest`, { method: "POST", body });
			assert.equal(JSON.parse(new TextDecoder().decode(answer.body)).headers["content-length"], "0");
		},
	},
	{
		name: "a streamed body can be sent again",
		async run(subject) {
			const { body, seen } = streamedBody(3, () => [Uint8Array.of(1), Uint8Array.of(2, 3)]);
			for (let call = 0; call < 3; call++)
				await send(subject, `${subject.web}/digest`, { method: "PUT", body });
			assert.deepEqual(seen, { opened: 3, closed: 3 });
		},
	},
	{
		name: "a body with more or fewer bytes than announced fails the call",
		async run(subject) {
			for (const size of [9, 11]) {
				const { body, seen } = streamedBody(size, () => [new Uint8Array(5), new Uint8Array(5)]);
				await assert.rejects(send(subject, `${subject.web}/digest`, { method: "PUT", body }), {
					message: `the body of the request does not have the ${size} bytes that were announced`,
				});
				assert.deepEqual(seen, { opened: 1, closed: 1 });
			}
		},
	},
	{
		name: "the call rejects with the body's own error",
		async run(subject) {
			const reason = new Error("file not found");
			const { body } = streamedBody(100_000, function* () {
				yield new Uint8Array(5);
				throw reason;
			});
			await assert.rejects(
				send(subject, `${subject.web}/digest`, { method: "PUT", body }),
				(error) => error === reason,
			);
		},
	},
	{
		name: "a response that comes before the whole body was sent ends the body",
		async run(subject) {
			const { body, seen } = streamedBody(100 * MEBIBYTE, () => repeatChunk(new Uint8Array(65_536), 1600));
			const answer = await send(subject, `${subject.web}/refuse`, { method: "PUT", body });
			assert.equal(answer.status, 413);
			await waitUntil(async () => seen.closed === 1);
		},
	},
	{
		name: "a connection that ends during the body is an error and ends the body",
		async run(subject) {
			const { body, seen } = streamedBody(100 * MEBIBYTE, () => repeatChunk(new Uint8Array(65_536), 1600));
			await assert.rejects(
				send(subject, `${subject.web}/hang-up`, { method: "PUT", body }),
				/closed the connection|the call to \S+ failed/,
			);
			await waitUntil(async () => seen.closed === 1);
		},
	},
	{
		name: "timeout and abort end a body that is being sent",
		async run(subject) {
			const slow = () =>
				streamedBody(1000, async function* () {
					for (let index = 0; index < 1000; index++) {
						await later(5);
						yield Uint8Array.of(index);
					}
				});
			const late = slow();
			await assert.rejects(
				send(subject, `${subject.web}/digest`, { method: "PUT", body: late.body, timeoutMs: 100 }),
				/did not send a complete response within 100 ms/,
			);
			const aborted = slow();
			const control = new AbortController();
			const reason = new Error("the run ended");
			setTimeout(() => control.abort(reason), 60);
			await assert.rejects(
				send(subject, `${subject.web}/digest`, { method: "PUT", body: aborted.body }, control.signal),
				(error) => error === reason,
			);
			await waitUntil(async () => late.seen.closed === 1 && aborted.seen.closed === 1);
		},
	},
	{
		name: "a sink gets the head and the whole body, and the answer holds no body",
		async run(subject) {
			for (const path of ["bytes", "chunked"]) {
				const sink = memorySink();
				const answer = await send(subject, `${subject.web}/${path}?n=3000000`, { sink });
				assert.deepEqual([answer.status, answer.body.length], [200, 0]);
				assert.equal(sink.seen.head?.status, 200);
				assert.equal(sink.seen.stored?.length, 3_000_000);
				assert.ok(sink.seen.stored.every((byte) => byte === 120));
			}
		},
	},
	{
		name: "a sink that declines a response leaves its body in the answer, within the limit for memory",
		async run(subject) {
			const sink = { maxBytes: MEBIBYTE, open: () => null };
			assert.equal((await send(subject, `${subject.web}/bytes?n=1000`, { sink })).body.length, 1000);
			await assert.rejects(
				send(subject, `${subject.web}/bytes?n=1001`, { sink }),
				/answered with more than 1000 bytes/,
			);
		},
	},
	{
		name: "an empty response gives a sink nothing",
		async run(subject) {
			for (const path of ["bytes?n=0", "status?n=204"]) {
				const sink = memorySink();
				await send(subject, `${subject.web}/${path}`, { sink });
				assert.equal(sink.seen.stored?.length, 0, path);
			}
		},
	},
	{
		name: "an encoded response is decoded on its way, and its headers are adjusted",
		async run(subject) {
			for (const by of ["gzip", "br"]) {
				const sink = memorySink();
				const answer = await send(subject, `${subject.web}/encoded?by=${by}&n=2000000`, { sink });
				assert.equal(sink.seen.stored?.length, 2_000_000);
				assert.ok(sink.seen.stored.every((byte) => byte === 0));
				for (const { headers } of [answer, sink.seen.head as HttpHead])
					assert.deepEqual([headers["content-encoding"], headers["content-length"]], [undefined, undefined]);
			}
		},
	},
	{
		name: "the limit applies to decoded bytes; nothing remains of more",
		async run(subject) {
			for (const by of ["identity", "gzip", "br"]) {
				const url = `${subject.web}/encoded?by=${by}&n=200000`;
				const fits = memorySink(200_000);
				await send(subject, url, { sink: fits });
				assert.equal(fits.seen.stored?.length, 200_000);
				const tooSmall = memorySink(199_999);
				await assert.rejects(send(subject, url, { sink: tooSmall }), /answered with more than 199999 bytes/);
				assert.equal(tooSmall.seen.stored, null);
			}
		},
	},
	{
		name: "an endless response and a decompression bomb are stopped at the limit",
		async run(subject) {
			await assertNothingStored(
				subject,
				`${subject.web}/endless`,
				memorySink(5 * MEBIBYTE),
				/answered with more than 5242880 bytes/,
			);
			await waitUntil(async () => (await readText(subject, "/hits?of=/closed")) !== "0");
			await assertNothingStored(
				subject,
				`${subject.web}/encoded?by=gzip&n=${20 * MEBIBYTE}`,
				memorySink(5 * MEBIBYTE),
				/answered with more than 5242880 bytes/,
			);
		},
	},
	{
		name: "a response that ends early or is not in its encoding fails the call; nothing remains",
		async run(subject) {
			for (const path of ["/cut", "/cut-chunk", "/cut-late", "/cut-gzip"]) {
				await assertNothingStored(
					subject,
					subject.raw + path,
					memorySink(),
					/closed the connection|the call to \S+ failed|cannot be decoded/,
				);
			}
			await assertNothingStored(
				subject,
				`${subject.web}/not-gzip`,
				memorySink(),
				/cannot be decoded|the call to \S+ failed/,
			);
		},
	},
	{
		name: "bytes beyond the announced length are not part of the body",
		async run(subject) {
			const sink = memorySink();
			await send(subject, `${subject.raw}/more-than-said`, { sink }).catch(() => {});
			assert.ok(sink.seen.stored === null || new TextDecoder().decode(sink.seen.stored) === "four");
		},
	},
	{
		name: "timeout and abort end a response on its way to a sink; nothing remains",
		async run(subject) {
			await assertNothingStored(
				subject,
				`${subject.web}/drip`,
				memorySink(),
				/did not send a complete response within 150 ms/,
				{ timeoutMs: 150 },
			);
			const reason = new Error("the run ended");
			for (const path of ["/drip", "/endless"]) {
				const control = new AbortController();
				setTimeout(() => control.abort(reason), 80);
				const sink = memorySink(Number.MAX_SAFE_INTEGER);
				await assert.rejects(
					send(subject, subject.web + path, { sink }, control.signal),
					(error) => error === reason,
				);
				assert.deepEqual([sink.seen.stored, sink.seen.failure !== null], [null, true]);
			}
		},
	},
	{
		name: "a server that sends faster than a sink reads cannot delay the timeout and the abort",
		async run(subject) {
			/** Keeps the processor busy for each chunk, so that the next one has arrived by then. */
			const busySink = () =>
				memorySink(256 * MEBIBYTE, async () => {
					for (let index = 0, hash = 0; index < 1_000_000; index++) hash = (hash * 31 + index) | 0;
				});
			await assertNothingStored(
				subject,
				`${subject.web}/endless`,
				busySink(),
				/did not send a complete response within 150 ms/,
				{ timeoutMs: 150 },
			);
			const control = new AbortController();
			const reason = new Error("the run ended");
			setTimeout(() => control.abort(reason), 80);
			await assert.rejects(
				send(subject, `${subject.web}/endless`, { sink: busySink() }, control.signal),
				(error) => error === reason,
			);
		},
	},
	{
		name: "the call rejects with the sink's own error and ends the response",
		async run(subject) {
			const before = Number(await readText(subject, "/hits?of=/closed"));
			const reason = new Error("no room left");
			const sink = memorySink(Number.MAX_SAFE_INTEGER, () => Promise.reject(reason));
			await assert.rejects(send(subject, `${subject.web}/endless`, { sink }), (error) => error === reason);
			await waitUntil(async () => Number(await readText(subject, "/hits?of=/closed")) > before);
		},
	},
	{
		name: "a sink that has read the whole body decides the outcome, even after the timeout",
		async run(subject) {
			let isStored = false;
			const take = async (content: AsyncIterable<Uint8Array>) => {
				for await (const _ of content);
				await later(200);
				isStored = true;
			};
			const sink = { maxBytes: MEBIBYTE, open: () => take };
			await send(subject, `${subject.web}/bytes?n=5`, { sink, timeoutMs: 150 });
			assert.ok(isStored);
		},
	},
	{
		name: "a slow sink slows the server down",
		async run(subject) {
			const before = Number(await readText(subject, "/hits?of=/sent"));
			let sent = 0;
			const stop = new Error("seen enough");
			const sink = memorySink(Number.MAX_SAFE_INTEGER, async () => {
				await later(400);
				sent = Number(await readText(subject, "/hits?of=/sent")) - before;
				throw stop;
			});
			await assert.rejects(send(subject, `${subject.web}/endless`, { sink }), (error) => error === stop);
			// What the sockets of both sides hold.
			assert.ok(sent < 24 * MEBIBYTE, String(sent));
		},
	},
];
