import assert from "node:assert/strict";
import type { HttpAnswer, HttpRequest, OutboundHttp } from "../../src/http.ts";
import type { ContractCase } from "./contract.ts";
import type { HttpServers } from "./http-server.ts";

/** `http` may reach the servers; they are those of `startHttpServers`. */
export type HttpSubject = Pick<HttpServers, "web" | "raw"> & { readonly http: OutboundHttp };

const MEBIBYTE = 2 ** 20;
const never = () => new AbortController().signal;
const decodeText = (answer: HttpAnswer) => new TextDecoder().decode(answer.body);

function send({ http }: HttpSubject, url: string, rest: Partial<HttpRequest> = {}, signal = never()) {
	const request = { method: "GET", headers: {}, body: null, timeoutMs: 20_000, maxBytes: MEBIBYTE };
	return http.send({ ...request, ...rest, url: new URL(url) }, signal);
}

async function readEcho(subject: HttpSubject, path: string, rest: Partial<HttpRequest>) {
	return JSON.parse(decodeText(await send(subject, subject.web + path, rest)));
}

function assertFails(work: Promise<unknown>, message: RegExp) {
	return assert.rejects(work, (error: Error) => {
		assert.match(error.message, message);
		assert.doesNotMatch(`${error.stack} ${JSON.stringify(error)}`, /secret/);
		assert.equal(error.cause, undefined);
		return true;
	});
}

export const httpContract: readonly ContractCase<HttpSubject>[] = [
	{
		name: "method, path, query, headers and body arrive as they were given",
		async run(subject) {
			for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
				const seen = await readEcho(subject, "/echo?a=%20b&a=c", {
					method,
					headers: { "x-thing": "one", "content-type": "text/plain" },
					body: "the body",
				});
				assert.deepEqual([seen.method, seen.url, seen.body], [method, "/echo?a=%20b&a=c", "the body"]);
				assert.equal(seen.headers["x-thing"], "one");
				assert.equal(seen.headers["content-type"], "text/plain");
				assert.equal(seen.headers["content-length"], "8");
			}
		},
	},
	{
		name: "a body of bytes arrives unchanged, an empty one too",
		async run(subject) {
			const bytes = Uint8Array.from({ length: 300 }, (_, index) => index);
			const seen = await readEcho(subject, "/echo", { method: "POST", body: bytes.subarray(10) });
			assert.deepEqual(
				[...seen.body].map((each: string) => each.charCodeAt(0)),
				[...bytes.subarray(10)],
			);
			assert.equal((await readEcho(subject, "/echo", { method: "POST", body: new Uint8Array() })).body, "");
			assert.equal((await readEcho(subject, "/echo", { method: "POST", body: null })).body, "");
		},
	},
	{
		name: "any status is a response",
		async run(subject) {
			for (const status of [200, 204, 304, 400, 404, 429, 500, 503]) {
				const answer = await send(subject, `${subject.web}/status?n=${status}`);
				assert.deepEqual([answer.status, answer.body.length], [status, 0]);
			}
		},
	},
	{
		name: "a HEAD response has headers and no body",
		async run(subject) {
			const answer = await send(subject, `${subject.web}/bytes?n=2000000`, { method: "HEAD" });
			assert.deepEqual([answer.status, answer.body.length], [200, 0]);
		},
	},
	{
		name: "a redirect is returned and not followed",
		async run(subject) {
			const answer = await send(subject, `${subject.web}/redirect`);
			assert.deepEqual([answer.status, answer.headers.location], [302, "/landed"]);
			assert.equal(decodeText(await send(subject, `${subject.web}/hits?of=/landed`)), "0");
			assert.equal(decodeText(await send(subject, `${subject.web}/hits?of=/redirect`)), "1");
		},
	},
	{
		name: "headers that come several times are joined, and no name reaches the prototype",
		async run(subject) {
			const { headers } = await send(subject, `${subject.web}/names`);
			assert.equal(headers["set-cookie"], "a=1, b=2");
			assert.equal(headers.constructor as unknown, "mine");
			assert.equal(Object.getPrototypeOf(headers), Object.prototype);
			assert.equal(Object.hasOwn(headers, "__proto__"), false);
		},
	},
	{
		name: "a response of exactly the limit passes, one byte more does not",
		async run(subject) {
			for (const path of ["bytes", "chunked"]) {
				const url = `${subject.web}/${path}?n=100000`;
				assert.equal((await send(subject, url, { maxBytes: 100_000 })).body.length, 100_000);
				await assertFails(send(subject, url, { maxBytes: 99_999 }), /answered with more than 99999 bytes/);
			}
		},
	},
	{
		name: "an encoded response is decoded and its headers are adjusted",
		async run(subject) {
			for (const by of ["gzip", "br", "identity"]) {
				const answer = await send(subject, `${subject.web}/encoded?by=${by}`);
				assert.equal(decodeText(answer), "hello, hello, hello", by);
				if (by !== "identity") assert.equal(answer.headers["content-encoding"], undefined);
				assert.ok(["19", undefined].includes(answer.headers["content-length"]));
			}
		},
	},
	{
		name: "the limit applies to decoded bytes, so a decompression bomb is stopped",
		async run(subject) {
			for (const by of ["gzip", "br"]) {
				const url = `${subject.web}/encoded?by=${by}&n=${10 * MEBIBYTE}`;
				await assertFails(send(subject, url), /answered with more than 1048576 bytes/);
			}
		},
	},
	{
		name: "an unknown encoding is not treated as plain bytes",
		async run(subject) {
			for (const by of ["compress", "aes128gcm", "gzip,gzip,gzip,gzip"]) {
				await assertFails(
					send(subject, `${subject.web}/encoded?by=${by}`),
					/answered in the content encoding ".*", which is not supported/,
				);
			}
		},
	},
	{
		name: "a server that never answers times out",
		async run(subject) {
			const started = Date.now();
			const work = send(subject, `${subject.web}/never?token=secret`, { timeoutMs: 150 });
			await assertFails(work, /did not send a complete response within 150 ms/);
			assert.ok(Date.now() - started < 3_000);
		},
	},
	{
		name: "a server that drips its response times out",
		async run(subject) {
			const work = send(subject, `${subject.web}/drip`, { timeoutMs: 150 });
			await assertFails(work, /did not send a complete response within 150 ms/);
		},
	},
	{
		name: "an aborted call rejects with the signal's reason, at each stage",
		async run(subject) {
			const reason = new Error("the run ended");
			const isReason = (error: unknown) => error === reason;
			await assert.rejects(send(subject, `${subject.web}/echo`, {}, AbortSignal.abort(reason)), isReason);
			for (const path of ["/never", "/drip"]) {
				const control = new AbortController();
				setTimeout(() => control.abort(reason), 80);
				await assert.rejects(send(subject, subject.web + path, {}, control.signal), isReason);
			}
		},
	},
	{
		name: "a connection that closes before the response is complete is an error",
		async run(subject) {
			for (const path of ["/reset", "/close", "/cut", "/cut-chunk"]) {
				await assertFails(
					send(subject, `${subject.raw}${path}`),
					/^(?:127\.0\.0\.1:\d+ closed the connection|the call to)/,
				);
			}
		},
	},
	{
		name: "a response that is not HTTP is an error",
		async run(subject) {
			await assertFails(send(subject, `${subject.raw}/ssh`), /sent a response that is not HTTP$|the call to/);
		},
	},
	{
		name: "headers have a limit in number and in size",
		async run(subject) {
			const { headers } = await send(subject, `${subject.web}/headers?n=100`);
			assert.equal(headers["x-99"], "y".repeat(20));
			for (const url of [`${subject.web}/headers?n=300`, `${subject.web}/headers?n=2000`]) {
				await assertFails(send(subject, url), /too many or too long headers|the call to .* failed/);
			}
			await assertFails(
				send(subject, `${subject.raw}/long-header`),
				/too many or too long headers|the call to/,
			);
		},
	},
	{
		name: "transport headers cannot be set",
		async run(subject) {
			const names = [
				"host",
				"Host",
				"content-length",
				"transfer-encoding",
				"connection",
				"upgrade",
				"expect",
			];
			for (const name of names) {
				await assertFails(
					send(subject, `${subject.web}/echo`, { headers: { [name]: "secret" } }),
					/^the header ".*" cannot be set/,
				);
			}
		},
	},
	{
		name: "an invalid header is rejected without showing its value",
		async run(subject) {
			for (const value of [
				"secret\r\nx-injected: 1",
				"secret\n",
				"secret\0",
				"secret \u{1f600}",
				"secret\u2028",
			]) {
				const work = send(subject, `${subject.web}/echo`, { headers: { "x-key": value } });
				await assertFails(work, /^the header "x-key" contains characters that are not allowed in a header/);
			}
			for (const name of ["", "a b", "a:b", "a\r\nb", "é"]) {
				const work = send(subject, `${subject.web}/echo`, { headers: { [name]: "secret" } });
				await assertFails(work, /is not a valid header name$/);
			}
		},
	},
	{
		name: "rejects forbidden methods, and a body where none is allowed",
		async run(subject) {
			for (const method of ["CONNECT", "TRACE", "GET / HTTP/1.1\r\n\r\n", "", "get", "A".repeat(99)]) {
				await assertFails(
					send(subject, `${subject.web}/echo`, { method }),
					/^the method ".*" cannot be used$/,
				);
			}
			await assertFails(
				send(subject, `${subject.web}/echo`, { body: "x" }),
				/^a GET request cannot have a body$/,
			);
		},
	},
	{
		name: "rejects a non-public host and names the setting",
		async run(subject) {
			await assert.rejects(send(subject, "http://10.0.0.1/?token=secret"), {
				name: "OutboundRefused",
				message: "10.0.0.1 is not a public address: to allow it, add it to ALLOW_PRIVATE_HOSTS",
			});
			await assert.rejects(send(subject, "http://db.internal/"), {
				name: "OutboundRefused",
				message: "db.internal is not a public name: to allow it, add it to ALLOW_PRIVATE_HOSTS",
			});
			await assertFails(send(subject, "http://u:secret@127.0.0.1/"), /contains a user name or a password/);
			await assertFails(send(subject, "file:///etc/passwd"), /only http and https/);
		},
	},
	{
		name: "a refused connection names the host and nothing else of the URL",
		async run(subject) {
			await assertFails(send(subject, "http://127.0.0.1:1/secret?token=secret"), /127\.0\.0\.1:1/);
		},
	},
];
