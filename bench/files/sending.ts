import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";

export const MEBIBYTE = 1024 * 1024;
/** Not zeros, which a file system may not write, and with the bytes that a parser looks for. */
const PIECE = Buffer.alloc(64 * 1024).map((_, index) => Math.imul(index, 2_654_435_761) >>> 13);

const agent = new Agent({ keepAlive: true });

export interface Sent {
	readonly headers: Readonly<Record<string, string>>;
	readonly before?: string;
	readonly after?: string;
}

export const RAW: Sent = { headers: { "content-type": "application/octet-stream" } };

const BOUNDARY = "----WebKitFormBoundaryM7w1f2k9Q3xTzB5r";

export const MULTIPART: Sent = {
	headers: { "content-type": `multipart/form-data; boundary=${BOUNDARY}` },
	before: `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\nContent-Type: application/octet-stream\r\n\r\n`,
	after: `\r\n--${BOUNDARY}--\r\n`,
};

/** Sends that many bytes and returns the answer as JSON. */
export async function upload(
	url: string,
	bytes: number,
	{ headers, before = "", after = "" }: Sent,
	more: Readonly<Record<string, string>> = {},
): Promise<unknown> {
	const length = before.length + bytes + after.length;
	const sending = request(url, {
		method: "POST",
		agent,
		headers: { ...headers, ...more, "content-length": String(length) },
	});
	const answered = once(sending, "response") as Promise<[IncomingMessage]>;
	sending.write(before);
	for (let sent = 0; sent < bytes; sent += PIECE.length) {
		if (!sending.write(PIECE)) await Promise.race([once(sending, "drain"), answered]);
	}
	sending.end(after);
	const [response] = await answered;
	let text = "";
	for await (const piece of response.setEncoding("utf8")) text += piece;
	if (response.statusCode !== 200) throw new Error(`${url} answered ${response.statusCode}: ${text}`);
	return JSON.parse(text);
}

/** Reads a file to its end and returns how many bytes it has. */
export async function download(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
	const receiving = request(url, { agent, headers }).end();
	const [response] = (await once(receiving, "response")) as [IncomingMessage];
	if (response.statusCode !== 200) throw new Error(`${url} answered ${response.statusCode}`);
	let bytes = 0;
	for await (const piece of response) bytes += (piece as Buffer).length;
	return bytes;
}
