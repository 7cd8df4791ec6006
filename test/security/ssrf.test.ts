import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, isIP, type Server } from "node:net";
import { after, before, describe, test } from "node:test";
import { parseAllowedHosts } from "@tripline/platform/addresses";
import type { OutboundHttp } from "@tripline/platform/http";
import { type NodeHttpOptions, nodeHttp } from "@tripline/platform/http.node";
import { workersHttp } from "@tripline/platform/http.workers";
import fc from "fast-check";
import { HOSTILE_ANSWERS, HOSTILE_URLS, SPELLINGS, THIS_MACHINE } from "./ssrf-targets.ts";

const PUBLIC = "93.184.215.14";
const SECRET = "the-canary-credential";

/** A server that must not be reached. */
class Canary {
	connections = 0;
	bytes = 0;
	readonly #server: Server = createServer((socket) => {
		this.connections++;
		socket.on("error", () => {});
		socket.on("data", (data) => {
			this.bytes += data.length;
		});
	});
	get port() {
		return (this.#server.address() as AddressInfo).port;
	}
	async open() {
		this.#server.listen(0, "127.0.0.1");
		await once(this.#server, "listening");
	}
	close() {
		this.#server.close();
	}
}

const toAddresses = (...addresses: string[]) =>
	addresses.map((address) => ({ address, family: isIP(address) || 4 }));

function send(http: OutboundHttp, url: string) {
	const headers = { authorization: `Bearer ${SECRET}` };
	const request = {
		method: "POST",
		url: new URL(url),
		headers,
		body: SECRET,
		timeoutMs: 2_000,
		maxBytes: 1_000,
	};
	return http.send(request, new AbortController().signal);
}

function assertRefused(work: Promise<unknown>, what: string, message = /./) {
	return assert.rejects(work, (error: Error) => {
		assert.equal(error.name, "OutboundRefused", `${what}: ${error}`);
		assert.match(error.message, message, what);
		assert.ok(!error.message.includes(SECRET));
		return true;
	});
}

describe("calls to non-public addresses", () => {
	const canary = new Canary();
	const dialled: string[] = [];
	before(() => canary.open());
	after(() => canary.close());

	/** Records the connection targets without connecting. */
	const open = (options: Partial<NodeHttpOptions> = {}) =>
		nodeHttp({
			allow: parseAllowedHosts(""),
			resolve: async () => toAddresses("127.0.0.1"),
			dial: ({ addresses, port }) => {
				dialled.push(...addresses.map(({ address }) => `${address} ${port}`));
				throw new Error("dialled");
			},
			...options,
		});

	test("there are enough hostile targets, and most of them are URLs", () => {
		assert.ok(HOSTILE_URLS.filter((url) => URL.canParse(url)).length >= 400);
		assert.ok(HOSTILE_ANSWERS.length >= 50);
	});

	test("no hostile URL is called, on Node", async () => {
		const http = open();
		for (const url of HOSTILE_URLS.filter((each) => URL.canParse(each)))
			await assertRefused(send(http, url), url);
		assert.deepEqual(dialled, []);
	});

	test("no hostile URL is called, on Workers", async () => {
		const fetched: string[] = [];
		const http = workersHttp({
			allow: parseAllowedHosts(""),
			fetch: async (url) => {
				fetched.push(url);
				return new Response();
			},
		});
		for (const url of HOSTILE_URLS.filter((each) => URL.canParse(each)))
			await assertRefused(send(http, url), url);
		assert.deepEqual(fetched, []);
	});

	test("a public name that resolves to a non-public address is not called", async () => {
		for (const answer of HOSTILE_ANSWERS) {
			const http = open({ resolve: async () => toAddresses(...answer) });
			for (const url of ["http://innocent.example/", "https://innocent.example:8443/"]) {
				await assertRefused(
					send(http, url),
					answer.join(),
					/^innocent\.example resolves to .*ALLOW_PRIVATE_HOSTS$/,
				);
			}
		}
		assert.deepEqual(dialled, []);
	});

	test("the refusal of a name says what it resolves to and which setting allows it", async () => {
		const http = open({ resolve: async () => toAddresses("10.0.0.1") });
		await assert.rejects(send(http, "http://internal.example/"), {
			message:
				"internal.example resolves to 10.0.0.1, which is not a public address: to allow it, add internal.example to ALLOW_PRIVATE_HOSTS",
		});
	});

	test("a name is resolved once per connection, so that it cannot change after the check", async () => {
		const answers = [toAddresses(PUBLIC), toAddresses("127.0.0.1"), toAddresses("127.0.0.1")];
		let lookups = 0;
		const http = open({ resolve: async () => answers[lookups++] ?? [] });
		await assert.rejects(send(http, "http://rebinding.example/"), /the call to rebinding\.example failed/);
		assert.equal(lookups, 1);
		assert.deepEqual(dialled.splice(0), [`${PUBLIC} 80`]);
		await assertRefused(send(http, "http://rebinding.example/"), "rebinding");
		assert.equal(lookups, 2);
		assert.deepEqual(dialled, []);
	});

	test("a connection to an unexpected address gets no data, not even a TLS handshake", async () => {
		const http = open({
			resolve: async () => toAddresses(PUBLIC),
			dial: () => connect(canary.port, "127.0.0.1"),
		});
		for (const url of ["http://moved.example/", "https://moved.example/"]) {
			await assertRefused(send(http, url), url, /^moved\.example resolves to 127\.0\.0\.1/);
		}
		const { connections, bytes } = canary;
		assert.deepEqual({ connections, bytes }, { connections: 2, bytes: 0 });
		canary.connections = 0;
		await http.close();
	});

	test("the real resolver and the real connection are guarded too", async () => {
		const http = nodeHttp({ allow: parseAllowedHosts("") });
		for (const host of THIS_MACHINE) {
			const url = `http://${host}:${canary.port}/`;
			if (URL.canParse(url)) await assertRefused(send(http, url), url);
		}
		assert.equal(canary.connections, 0);
		await http.close();
	});

	test("the knowledge store is refused in all spellings, even if its address is allowed", async () => {
		const allow = parseAllowedHosts("127.0.0.0/8, 0.0.0.0/0, ::/0, localhost, a.localhost, store.example");
		for (const refuse of ["127.0.0.1", "localhost", "[::1]", "0.0.0.0", "::", "store.example"]) {
			const address = refuse === "::" ? "[::]:8485" : `${refuse}:8485`;
			const http = open({ allow, refuse: [address] });
			const spellings = refuse === "store.example" ? ["store.example", "127.0.0.1"] : THIS_MACHINE;
			for (const host of spellings.filter((each) => URL.canParse(`http://${each}/`))) {
				const message = host === "localhost." ? /./ : /is the knowledge store's own address/;
				await assertRefused(send(http, `http://${host}:8485/`), `${address} ${host}`, message);
			}
			await assertRefused(send(http, "http://alias.example:8485/"), address, /knowledge store's own address/);
			assert.deepEqual(dialled, []);
			await assert.rejects(send(http, "http://127.0.0.1:8486/"), /failed/);
			assert.deepEqual(dialled.splice(0), ["127.0.0.1 8486"]);
		}
	});

	test("the knowledge store is refused in all spellings on Workers, where names are not resolved", async () => {
		const allow = parseAllowedHosts("0.0.0.0/0, ::/0, localhost, a.localhost");
		const fetched = async () => assert.fail("fetched");
		const http = workersHttp({ allow, refuse: ["127.0.0.1:8485"], fetch: fetched });
		for (const host of THIS_MACHINE.filter((each) => URL.canParse(`http://${each}/`))) {
			const message = host === "localhost." ? /./ : /is the knowledge store's own address/;
			await assertRefused(send(http, `http://${host}:8485/`), host, message);
		}
	});

	test("every spelling of an address is treated like the plain one", async () => {
		const http = open();
		const octet = fc.nat({ max: 255 });
		const first = fc.oneof(octet, fc.constantFrom(0, 10, 100, 127, 169, 172, 192, 198, 203, 224, 240));
		const second = fc.oneof(octet, fc.constantFrom(0, 16, 18, 31, 51, 64, 88, 127, 168, 254));
		await fc.assert(
			fc.asyncProperty(
				fc.tuple(first, second, octet, octet),
				fc.constantFrom(...Object.keys(SPELLINGS)),
				async (octets, spelling) => {
					dialled.length = 0;
					const url = `http://${SPELLINGS[spelling]?.(octets)}/`;
					if (!URL.canParse(url)) return;
					await assert.rejects(send(http, url));
					assert.equal(dialled.length, isGlobal(octets) ? 1 : 0, url);
				},
			),
			{ numRuns: 2_000 },
		);
		dialled.length = 0;
	});
});

/** An independent implementation of the IANA registry of special addresses. */
function isGlobal([a = 0, b = 0, c = 0, d = 0]: readonly number[]): boolean {
	if (a === 0 || a === 10 || a === 127 || a >= 224) return false;
	if ((a === 172 && b >> 4 === 1) || (a === 192 && b === 168) || (a === 169 && b === 254)) return false;
	if ((a === 100 && b >> 6 === 1) || (a === 198 && b >> 1 === 9)) return false;
	const inNetwork = (network: string) => `${a}.${b}.${c}` === network;
	const networks = ["192.0.0", "192.0.2", "192.88.99", "198.51.100", "203.0.113", "192.31.196", "192.52.193"];
	return !networks.some(inNetwork) && !inNetwork("192.175.48") && `${a}.${b}.${c}.${d}` !== "168.63.129.16";
}
