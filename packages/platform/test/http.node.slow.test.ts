import assert from "node:assert/strict";
import { getEventListeners, once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { after, before, describe, test } from "node:test";
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from "node:tls";
import { parseAllowedHosts } from "../src/addresses.ts";
import { type NodeHttpOptions, nodeHttp } from "../src/http.node.ts";
import type { HttpAnswer, HttpRequest, OutboundHttp } from "../src/http.ts";
import { type HttpServers, startHttpServers } from "./contracts/http-server.ts";
import { httpStreamContract } from "./contracts/http-streams.ts";
import { TEST_CERTIFICATE } from "./tls-certificate.ts";

const decodeText = (answer: HttpAnswer) => new TextDecoder().decode(answer.body);
const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function send(http: OutboundHttp, url: string, rest: Partial<HttpRequest> = {}, signal?: AbortSignal) {
	const request = { method: "GET", headers: {}, body: null, timeoutMs: 5_000, maxBytes: 2 ** 20 };
	return http.send({ ...request, ...rest, url: new URL(url) }, signal ?? new AbortController().signal);
}

describe("outbound HTTP on Node alone", () => {
	let servers: HttpServers;
	let port: number;
	const opened: OutboundHttp[] = [];
	const open = (options: Partial<NodeHttpOptions> = {}) => {
		const http = nodeHttp({ allow: parseAllowedHosts("127.0.0.1"), ...options });
		opened.push(http);
		return http;
	};
	before(async () => {
		servers = await startHttpServers();
		port = Number(new URL(servers.web).port);
	});
	after(async () => {
		for (const http of opened) await http.close();
		await servers.close();
	});

	for (const { name, run } of httpStreamContract) test(name, () => run({ ...servers, http: open() }));

	const here = { address: "127.0.0.1", family: 4 };

	test("connections are reused: two suffice, because one is briefly busy after a response", async () => {
		const http = open();
		const ports = new Set();
		for (let call = 0; call < 20; call++) {
			ports.add(JSON.parse(decodeText(await send(http, `${servers.web}/echo`))).port);
		}
		assert.ok(ports.size <= 2, String(ports.size));
	});

	test("all accepted encodings are decoded", async () => {
		const http = open();
		const { headers } = JSON.parse(decodeText(await send(http, `${servers.web}/echo`)));
		assert.equal(headers["accept-encoding"], "gzip, deflate, br, zstd");
		for (const by of ["gzip", "x-gzip", "deflate", "deflate-raw", "br", "zstd", "gzip, br"]) {
			const answer = await send(http, `${servers.web}/encoded?by=${by}`);
			assert.equal(decodeText(answer), "hello, hello, hello", by);
			const bomb = send(http, `${servers.web}/encoded?by=${by}&n=1200000`);
			await assert.rejects(bomb, /answered with more than 1048576 bytes$/);
		}
	});

	test("all accepted encodings are decoded on their way to a sink", async () => {
		const http = open();
		for (const by of ["gzip", "x-gzip", "deflate", "deflate-raw", "br", "zstd", "gzip, br"]) {
			for (const [path, size] of [
				["/encoded?by=gzip-nothing", 0],
				[`/encoded?by=${by}`, 19],
				[`/encoded?by=${by}&n=1200000`, 1_200_000],
			] as const) {
				let taken = 0;
				const take = async (content: AsyncIterable<Uint8Array>) => {
					for await (const chunk of content) taken += chunk.length;
				};
				await send(http, servers.web + path, { sink: { maxBytes: 1_200_000, open: () => take } });
				assert.equal(taken, size, by);
			}
		}
	});

	test("a body arrives unchanged in chunks of any size, however slowly it is read", async () => {
		const { createHash, randomBytes } = await import("node:crypto");
		const { createServer } = await import("node:http");
		const server = createServer(async (request, response) => {
			const digest = createHash("sha256");
			for await (const chunk of request) {
				digest.update(chunk);
				if (Math.random() < 0.1) await later(2);
			}
			response.end(digest.digest("hex"));
		}).listen(0, "127.0.0.1");
		await once(server, "listening");
		const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
		const http = open();
		const sizes = [1, 5_000, 16_384, 65_535, 65_536, 65_537, 131_072, 1_000_000];
		const sequences = [
			...sizes.map((size) => Array.from({ length: 20 }, () => size)),
			[...sizes, ...sizes.reverse()],
		];
		await Promise.all(
			sequences.map(async (sequence) => {
				const chunks = sequence.map((size) => randomBytes(size));
				const size = sequence.reduce((sum, each) => sum + each, 0);
				const body = {
					size,
					async *open() {
						for (const chunk of chunks) yield new Uint8Array(chunk);
					},
				};
				const answer = await send(http, url, { method: "PUT", body, timeoutMs: 20_000 });
				assert.equal(decodeText(answer), createHash("sha256").update(Buffer.concat(chunks)).digest("hex"));
			}),
		);
		server.closeAllConnections();
		server.close();
	});

	test("a slot is free again after a streamed call, however it ended", async () => {
		const http = open({ perHost: 1 });
		const { signal } = new AbortController();
		const createSink = (maxBytes: number, failure?: Error) => ({
			maxBytes,
			open: () => async (content: AsyncIterable<Uint8Array>) => {
				for await (const _ of content) if (failure !== undefined) throw failure;
			},
		});
		const stopping = { maxBytes: Number.MAX_SAFE_INTEGER, open: () => async () => {} };
		const failing = {
			size: 5,
			async *open() {
				yield new Uint8Array(2);
				throw new Error("lost");
			},
		};
		for (const [path, rest] of [
			["/bytes?n=100000", { sink: createSink(200_000) }],
			["/endless", { sink: createSink(200_000) }],
			["/endless", { sink: createSink(Number.MAX_SAFE_INTEGER), timeoutMs: 50 }],
			["/endless", { sink: createSink(Number.MAX_SAFE_INTEGER, new Error("full")) }],
			["/endless", { sink: stopping }],
			["/digest", { method: "PUT", body: failing }],
			["/hang-up", { method: "PUT", body: { ...failing, size: 3 } }],
		] as const) {
			await send(http, servers.web + path, rest, signal).catch(() => {});
			assert.equal((await send(http, `${servers.web}/status?n=200`, {}, signal)).status, 200, path);
		}
		assert.equal(getEventListeners(signal, "abort").length, 0);
	});

	test("the caller's own choice of encodings is kept", async () => {
		const answer = await send(open(), `${servers.web}/echo`, { headers: { "accept-encoding": "identity" } });
		assert.equal(JSON.parse(decodeText(answer)).headers["accept-encoding"], "identity");
	});

	test("a body that is not in the encoding it claims is an error", async () => {
		await assert.rejects(
			send(open(), `${servers.web}/not-gzip`),
			/^Error: the response of \S+ cannot be decoded$/,
		);
	});

	test("a body at the limit passes even if its encoding is longer", async () => {
		const noise = crypto.getRandomValues(new Uint8Array(50_000));
		const { gzipSync } = await import("node:zlib");
		const { createServer } = await import("node:http");
		const server = createServer((_, response) =>
			response.setHeader("content-encoding", "gzip").end(gzipSync(noise)),
		).listen(0, "127.0.0.1");
		await once(server, "listening");
		const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
		assert.deepEqual((await send(open(), url, { maxBytes: 50_000 })).body, noise);
		server.closeAllConnections();
		server.close();
	});

	test("informational responses are skipped, up to a limit", async () => {
		const http = open();
		const answer = await send(http, `${servers.raw}/early`);
		assert.deepEqual([answer.status, decodeText(answer)], [200, "late"]);
		await assert.rejects(send(http, `${servers.raw}/early-flood`), /too many or too long headers/);
	});

	test("a response with two lengths is rejected, because it could smuggle a second response", async () => {
		await assert.rejects(send(open(), `${servers.raw}/both-lengths`), /closed the connection/);
	});

	test("concurrent calls to a host are limited, and the others run afterwards", async () => {
		let current = 0;
		let most = 0;
		const { createServer } = await import("node:http");
		const server = createServer(async (_, response) => {
			most = Math.max(most, ++current);
			await later(5);
			current--;
			response.end("done");
		}).listen(0, "127.0.0.1");
		await once(server, "listening");
		const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
		const http = open({ perHost: 3 });
		const answers = await Promise.all(Array.from({ length: 30 }, () => send(http, url)));
		assert.ok(answers.every((answer) => decodeText(answer) === "done"));
		assert.equal(most, 3);
		server.closeAllConnections();
		server.close();
	});

	test("a call that waits for its turn honours its signal and its time limit", async () => {
		const http = open({ perHost: 1 });
		const first = new AbortController();
		const running = send(http, `${servers.web}/never`, {}, first.signal);
		await assert.rejects(send(http, `${servers.web}/echo`, { timeoutMs: 50 }), /within 50 ms/);
		const second = new AbortController();
		setTimeout(() => second.abort(new Error("not needed")), 20);
		await assert.rejects(send(http, `${servers.web}/echo`, {}, second.signal), /not needed/);
		const third = send(http, `${servers.web}/echo`);
		first.abort(new Error("enough"));
		await assert.rejects(running, /enough/);
		assert.equal((await third).status, 200);
	});

	test("too many waiting calls are rejected immediately", async () => {
		const http = open({ perHost: 1 });
		const control = new AbortController();
		const calls = Array.from({ length: 18 }, () => send(http, `${servers.web}/never`, {}, control.signal));
		await assert.rejects(
			calls[17] as Promise<unknown>,
			/^Error: too many calls to 127\.0\.0\.1:\d+ are waiting$/,
		);
		control.abort();
		const results = await Promise.allSettled(calls);
		assert.ok(results.every(({ status }) => status === "rejected"));
		assert.equal((await send(http, `${servers.web}/echo`)).status, 200);
	});

	test("no listener stays on the signal", async () => {
		const http = open({ perHost: 2 });
		const { signal } = new AbortController();
		await Promise.allSettled([
			send(http, `${servers.web}/echo`, {}, signal),
			send(http, `${servers.web}/never`, { timeoutMs: 30 }, signal),
			send(http, `${servers.raw}/reset`, {}, signal),
			send(http, `${servers.web}/echo`, {}, signal),
			send(http, "http://10.0.0.1/", {}, signal),
			send(http, `${servers.web}/encoded?by=gzip&n=3000000`, {}, signal),
		]);
		assert.equal(getEventListeners(signal, "abort").length, 0);
	});

	test("a call can be aborted during DNS and while connecting", async () => {
		const allow = parseAllowedHosts("slow.example, 127.0.0.1");
		const slowName = open({ allow, resolve: () => new Promise(() => {}) });
		await assert.rejects(send(slowName, "http://slow.example/", { timeoutMs: 40 }), /within 40 ms/);
		const sockets: Socket[] = [];
		const slowDial = open({
			allow,
			resolve: async () => [here],
			dial: () => {
				const socket = connect({ port, host: "slow.example", lookup: () => {} });
				sockets.push(socket);
				return socket;
			},
		});
		const control = new AbortController();
		setTimeout(() => control.abort(new Error("stopped")), 40);
		await assert.rejects(send(slowDial, "http://slow.example/", {}, control.signal), /stopped/);
		assert.equal(sockets[0]?.destroyed, false);
		await slowDial.close();
		await later(5);
		assert.equal(sockets[0]?.destroyed, true);
	});

	test("a call aborted before it is connected is never sent", async () => {
		let letGo = () => {};
		const held = new Promise<void>((resolve) => {
			letGo = resolve;
		});
		const http = open({
			allow: parseAllowedHosts("slow.example"),
			resolve: async () => {
				await held;
				return [here];
			},
		});
		await assert.rejects(
			send(http, `http://slow.example:${port}/given-up`, { timeoutMs: 30 }),
			/within 30 ms/,
		);
		letGo();
		await later(30);
		assert.equal(decodeText(await send(open(), `${servers.web}/hits?of=/given-up`)), "0");
	});

	test("the next address is tried when the first cannot be reached", async () => {
		const http = open({
			allow: parseAllowedHosts("twice.example"),
			resolve: async () => [{ address: "127.0.0.2", family: 4 }, here],
		});
		assert.equal((await send(http, `http://twice.example:${port}/echo`)).status, 200);
	});

	test("an unknown name and a temporary DNS failure have different errors", async () => {
		const failing = (code: string) =>
			open({ resolve: () => Promise.reject(Object.assign(new Error("x"), { code })) });
		await assert.rejects(send(failing("ENOTFOUND"), "http://a.example/?k=secret"), {
			message: "a.example was not found in DNS",
		});
		await assert.rejects(send(failing("EAI_AGAIN"), "http://a.example/"), {
			message: "a.example cannot be resolved at the moment",
		});
		await assert.rejects(
			send(open({ resolve: async () => [] }), "http://a.example/"),
			/was not found in DNS/,
		);
	});

	test("closing ends running calls", async () => {
		const http = open();
		const calls = [send(http, `${servers.web}/never`), send(http, `${servers.web}/drip`)];
		const ended = Promise.allSettled(calls);
		await later(30);
		await http.close();
		assert.deepEqual(
			(await ended).map(({ status }) => status),
			["rejected", "rejected"],
		);
		await assert.rejects(send(http, `${servers.web}/echo`));
	});

	test("this machine's own addresses at the store's port are the store's", async () => {
		const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
		const http = open({ allow: parseAllowedHosts("0.0.0.0/0, ::/0"), refuse: [`127.0.0.1:${port}`] });
		for (const { address, family } of addresses) {
			const host = family === "IPv6" ? `[${address}]` : address;
			await assert.rejects(
				send(http, `http://${host}:${port}/echo`),
				/is the knowledge store's own address, which workflows may not call$/,
			);
		}
	});

	test("a private address that the store's name resolves to is the store's", async () => {
		const http = open({ refuse: [`store.example:${port}`], resolve: async () => [here] });
		for (const host of ["127.0.0.1", "store.example", "other.example"]) {
			await assert.rejects(send(http, `http://${host}:${port}/echo`), /knowledge store's own address/);
		}
		assert.equal((await send(http, `${servers.raw}/early`)).status, 200);
	});

	test("TLS: the certificate must be trusted and match the host, and SNI is sent", async (context) => {
		const names: string[] = [];
		const server = createTlsServer(TEST_CERTIFICATE, (socket) => {
			names.push(socket.servername || "none");
			socket.on("error", () => {});
			socket.on("data", () => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nsecure"));
		}).listen(0, "127.0.0.1");
		server.on("tlsClientError", () => {});
		await once(server, "listening");
		const at = (server.address() as AddressInfo).port;
		const options = {
			allow: parseAllowedHosts("service.example, other.example, 127.0.0.1"),
			resolve: async () => [here],
		};
		process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
		context.after(() => {
			delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
			server.close();
		});
		const invalid = (host: string) => new RegExp(`^Error: the certificate of ${host}:\\d+ is not valid`);
		const stranger = open(options);
		await assert.rejects(send(stranger, `https://service.example:${at}/`), invalid("service.example"));
		assert.deepEqual(names, []);

		const before = getCACertificates("default");
		setDefaultCACertificates([...before, TEST_CERTIFICATE.cert]);
		context.after(() => setDefaultCACertificates(before));
		const http = open(options);
		assert.equal(decodeText(await send(http, `https://service.example:${at}/`)), "secure");
		await assert.rejects(send(http, `https://other.example:${at}/`), invalid("other.example"));
		await assert.rejects(send(http, `https://127.0.0.1:${at}/`), invalid("127.0.0.1"));
		assert.deepEqual(new Set(names), new Set(["service.example"]));
		await http.close();
		await stranger.close();
	});
});
