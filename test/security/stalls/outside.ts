import type { ServerResponse } from "node:http";
import { deflateSync, gzipSync } from "node:zlib";
import { loopback } from "../loopback.ts";
import { createFilled, object, text } from "./shapes.ts";

export interface Outside {
	/** `127.0.0.1:<port>`. */
	readonly host: string;
	close(): Promise<void>;
}

interface Page {
	readonly type: string;
	readonly body: string | Buffer;
	readonly headers?: Readonly<Record<string, string>>;
}

/** Just below the maximum response size that the service reads. */
const BYTES = 2 * 1024 * 1024 - 1024;
const MEGABYTE = 1024 * 1024;

const json = (body: string | Buffer, headers: Page["headers"] = {}): Page => ({
	type: "application/json",
	body,
	headers,
});
const plain = (body: string | Buffer, headers: Page["headers"] = {}): Page => ({
	type: "text/plain",
	body,
	headers,
});
const repeatList = (piece: string, characters = BYTES): string =>
	`[${createFilled(characters - 2, () => piece, ",")}]`;
const zeros = (megabytes: number): Buffer => Buffer.alloc(megabytes * MEGABYTE, 0x30);
const data = (event: object): string => `data: ${JSON.stringify(event)}\n\n`;
const linking = (link: string): Page => json("[1]", { link });

/** Complete responses by path, created on demand. `sent` is the caller's bearer token. */
const PAGES: Readonly<Record<string, (sent: string, host: string) => Page>> = {
	"json-empty-lists": () => json(repeatList("[]")),
	"json-empty-objects": () => json(repeatList("{}")),
	"json-numbers": () => json(repeatList("1")),
	"json-keys": () => json(JSON.stringify(object(150_000, (index) => [`k${index}`, 1]))),
	"json-bottomless": () => json("[".repeat(MEGABYTE - 9) + "]".repeat(MEGABYTE - 9)),
	"json-deep": () => json(repeatList("[".repeat(60) + "]".repeat(60))),
	"json-escapes": () => json(`"${"\\u00e9".repeat(BYTES / 6 - 9)}"`),
	"json-secrets": (sent) => json(repeatList(JSON.stringify(sent))),
	"json-secret-keys": (sent) => json(JSON.stringify(object(30_000, (index) => [sent + index, 1]))),
	"text-secrets": (sent) => plain(createFilled(BYTES, () => sent)),
	"text-secret-beginnings": (sent) => plain(createFilled(BYTES, () => sent.slice(0, -1))),
	"text-secrets-in-base64": (sent) => plain(createFilled(BYTES, () => btoa(sent), " ")),
	"text-secrets-percent-encoded": (sent) =>
		plain(createFilled(BYTES, () => text(sent.length, (at) => `%${sent.charCodeAt(at).toString(16)}`), " ")),
	"text-one-letter": () => plain("s".repeat(BYTES)),
	"text-percent-signs": () => plain("%73".repeat(BYTES / 3 - 1)),
	"text-utf-16": () => ({
		type: "text/plain; charset=utf-16le",
		body: Buffer.from("ab".repeat(BYTES / 4), "utf16le"),
	}),
	"text-not-utf-8": () => plain(Buffer.alloc(BYTES, 0xff)),
	bytes: () => ({ type: "application/octet-stream", body: Buffer.alloc(BYTES, 0x80) }),
	"header-long": () => plain("ok", { "x-long": "v".repeat(14_000) }),
	"headers-many": () =>
		plain(
			"ok",
			object(900, (index) => [`x-h-${index}`, "v"]),
		),
	"header-secrets": (sent) => plain("ok", { "x-echo": text(200, () => sent, " ") }),
	"link-open": () => linking(`${"<".repeat(7_000)}>; rel="next"`),
	"link-commas": () => linking(", ".repeat(6_000)),
	"link-parameters": () => linking(`</a>${"; a=b".repeat(2_500)}`),
	"link-quotes": () => linking(`</a>; rel="${'\\"'.repeat(6_000)}`),
	"link-blanks": () => linking(`</a>;${" ".repeat(12_000)}x`),
	"links-many": () => linking(text(300, (index) => `</page/${index}>; rel="other"`, ", ")),
	"pages-for-ever": (_, host) =>
		json(repeatList("1", 100_000), { link: `<http://${host}/pages-for-ever>; rel="next"` }),
	"gzip-bomb": () => plain(gzipSync(zeros(100)), { "content-encoding": "gzip" }),
	"gzip-that-fits": () => json(gzipSync(repeatList("0")), { "content-encoding": "gzip" }),
	"gzip-twice": () => plain(gzipSync(gzipSync(zeros(50))), { "content-encoding": "gzip, gzip" }),
	"deflate-bomb": () => plain(deflateSync(zeros(100)), { "content-encoding": "deflate" }),
	"encodings-many": () => plain("ok", { "content-encoding": text(500, () => "gzip", ", ") }),
	"v1/chat/completions": () =>
		json(JSON.stringify({ choices: [{ message: { content: repeatList("[]", 900_000) } }] })),
	"v1/messages": () => ({
		type: "text/event-stream",
		body: `${data({ type: "content_block_start", index: 0, content_block: { type: "tool_use" } })}${createFilled(
			4 * MEGABYTE,
			() => data({ type: "content_block_delta", index: 0, delta: { partial_json: "[" } }),
		)}`,
	}),
	"v1/embeddings": () => json(`{"data":[${createFilled(BYTES - 20, () => '{"embedding":[1]}', ",")}]}`),
};

/** Incomplete or slow responses. */
const STREAMS: Readonly<Record<string, (response: ServerResponse) => void>> = {
	drops(response) {
		response.writeHead(200, { "content-type": "application/json" });
		// One chunk per character.
		for (const character of repeatList("1", 60_000)) response.write(character);
		response.end();
	},
	endless(response) {
		response.writeHead(200, { "content-type": "text/plain" });
		const chunk = Buffer.alloc(65_536, 0x30);
		const more = (): void => {
			while (!response.destroyed && response.write(chunk));
			response.once("drain", more);
		};
		more();
	},
};

export const OUTSIDE_PATHS: readonly string[] = [...Object.keys(PAGES), ...Object.keys(STREAMS)];

/** Starts a hostile host. */
export function openOutside(): Promise<Outside> {
	return loopback(({ path, headers }, response) => {
		const name = path.slice(1).split("?", 1)[0] ?? "";
		const stream = STREAMS[name];
		if (stream !== undefined) return stream(response);
		const make = PAGES[name];
		if (make === undefined) return response.writeHead(404).end();
		const sent = String(headers.authorization ?? "nothing").replace(/^Bearer /, "");
		const page = make(sent, String(headers.host));
		response.writeHead(200, { ...page.headers, "content-type": page.type });
		response.end(page.body);
	});
}
