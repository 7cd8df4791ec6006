import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createRawServer, type Socket } from "node:net";
import { pipeline } from "node:stream";
import {
	brotliCompressSync,
	constants,
	deflateRawSync,
	deflateSync,
	gzipSync,
	zstdCompressSync,
} from "node:zlib";

export interface HttpServers {
	/** Answers as its paths say. */
	readonly web: string;
	/** Breaks the protocol as its paths say. */
	readonly raw: string;
	close(): Promise<void>;
}

/** What is called by the contract of outbound HTTP; it can be in another process. */
export async function startHttpServers(): Promise<HttpServers> {
	const hits = new Map<string, number>();
	const web = createServer((request, response) => {
		// A client may end its request early.
		answer(request, response, hits).catch(() => response.destroy());
	});
	const raw = createRawServer((socket) => {
		socket.on("error", () => {});
		socket.on("data", (data) => RAW[/^\w+ (\S+)/.exec(data.toString("latin1"))?.[1] ?? ""]?.(socket));
	});
	const open = new Set<Socket>();
	raw.on("connection", (socket) => open.add(socket));
	web.listen(0, "127.0.0.1");
	raw.listen(0, "127.0.0.1");
	await Promise.all([once(web, "listening"), once(raw, "listening")]);
	const getBase = (server: { address(): unknown }) =>
		`http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return {
		web: getBase(web),
		raw: getBase(raw),
		async close() {
			web.closeAllConnections();
			for (const socket of open) socket.destroy();
			await Promise.all([web, raw].map((server) => new Promise((done) => server.close(done))));
		},
	};
}

/** The default quality would take a second for some megabytes. */
const compressBrotli = (data: string | Uint8Array): Uint8Array =>
	brotliCompressSync(data, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });

const ENCODERS: Readonly<Record<string, (data: string | Uint8Array) => Uint8Array>> = {
	gzip: gzipSync,
	"x-gzip": gzipSync,
	br: compressBrotli,
	deflate: deflateSync,
	"deflate-raw": deflateRawSync,
	zstd: zstdCompressSync,
	"gzip, br": (data) => compressBrotli(gzipSync(data)),
};

async function answer(request: IncomingMessage, response: ServerResponse, hits: Map<string, number>) {
	const { pathname, searchParams } = new URL(request.url ?? "/", "http://server");
	const count = Number(searchParams.get("n") ?? 0);
	hits.set(pathname, (hits.get(pathname) ?? 0) + 1);
	switch (pathname) {
		case "/echo": {
			const chunks: Buffer[] = [];
			for await (const chunk of request) chunks.push(chunk);
			const { method, url, headers, socket } = request;
			const body = Buffer.concat(chunks).toString("latin1");
			return response
				.writeHead(200, { "content-type": "application/json" })
				.end(JSON.stringify({ method, url, headers, body, port: socket.remotePort }));
		}
		case "/digest": {
			const digest = createHash("sha256");
			for await (const chunk of request) digest.update(chunk);
			const { headers } = request;
			return response.end(JSON.stringify({ digest: digest.digest("hex"), headers }));
		}
		case "/refuse":
			return response.writeHead(413).end("too much");
		case "/hang-up":
			return request.once("data", () => request.socket.resetAndDestroy());
		case "/endless":
			response.on("close", () => hits.set("/closed", (hits.get("/closed") ?? 0) + 1));
			return pipeline(countEndless(hits), response, () => {});
		case "/hits":
			return response.end(String(hits.get(searchParams.get("of") ?? "") ?? 0));
		case "/status":
			return response.writeHead(count).end();
		case "/redirect":
			return response.writeHead(302, { location: "/landed" }).end();
		case "/bytes":
			return response.end(Buffer.alloc(count, "x"));
		case "/chunked":
			for (let sent = 0; sent < count; sent += 1000) response.write(Buffer.alloc(1000, "x"));
			return response.end();
		case "/encoded": {
			const by = searchParams.get("by") ?? "";
			const data = count === 0 ? "hello, hello, hello" : Buffer.alloc(count);
			response.setHeader("content-encoding", by === "deflate-raw" ? "deflate" : by);
			if (by === "gzip-nothing") return response.setHeader("content-encoding", "gzip").end();
			return response.end(ENCODERS[by]?.(data) ?? data);
		}
		case "/not-gzip":
			return response.setHeader("content-encoding", "gzip").end("this is no gzip");
		case "/drip": {
			const timer = setInterval(() => response.write("x"), 20);
			return response.on("close", () => clearInterval(timer));
		}
		case "/headers":
			for (let index = 0; index < count; index++) response.setHeader(`x-${index}`, "y".repeat(20));
			return response.end();
		case "/names":
			response.setHeader("__proto__", "polluted").setHeader("constructor", "mine");
			return response.appendHeader("set-cookie", "a=1").appendHeader("set-cookie", "b=2").end("named");
	}
	// All others never answer.
	return response;
}

function* countEndless(hits: Map<string, number>) {
	for (const chunk = Buffer.alloc(65_536, "x"); ; ) {
		hits.set("/sent", (hits.get("/sent") ?? 0) + chunk.length);
		yield chunk;
	}
}

const RAW: Readonly<Record<string, (socket: Socket) => void>> = {
	"/reset": (socket) => socket.resetAndDestroy(),
	"/close": (socket) => socket.end(),
	"/cut": (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nonly a part"),
	"/cut-chunk": (socket) =>
		socket.end("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n64\r\nonly a part"),
	"/cut-late": (socket) => {
		socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n${"x".repeat(200_000)}`);
		setTimeout(() => socket.destroy(), 50);
	},
	"/cut-gzip": (socket) => {
		const part = gzipSync(randomBytes(200_000)).subarray(0, 100_000);
		socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${part.length}\r\n\r\n`);
		socket.write(part);
	},
	"/more-than-said": (socket) => {
		socket.end("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nfour and more");
	},
	"/ssh": (socket) => socket.end("SSH-2.0-OpenSSH_9.9\r\n"),
	"/early": (socket) =>
		socket.write(
			`${"HTTP/1.1 103 Early Hints\r\nlink: </a.css>\r\n\r\n".repeat(2)}HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nlate`,
		),
	"/early-flood": (socket) => socket.write("HTTP/1.1 103 Early Hints\r\n\r\n".repeat(100)),
	"/long-header": (socket) =>
		socket.write(`HTTP/1.1 200 OK\r\nx-long: ${"y".repeat(200_000)}\r\ncontent-length: 0\r\n\r\n`),
	"/both-lengths": (socket) =>
		socket.write(
			"HTTP/1.1 200 OK\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
		),
};
