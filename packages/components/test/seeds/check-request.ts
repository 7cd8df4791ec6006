import assert from "node:assert/strict";
import type { Exchange, ExpectedBody } from "./exchange.ts";
import { checkSigV4 } from "./sigv4.ts";

interface Received {
	readonly method: string;
	readonly url: string;
	/** Without connection headers. */
	readonly headers: Readonly<Record<string, string>>;
	readonly bytes: Uint8Array;
}

/** Compares a request with the one in the service's documentation. */
export function checkRequest(seen: Received, { component, request, authorization, fields }: Exchange): void {
	assert.equal(
		`${seen.method} ${normalizeUrl(seen.url)}`,
		`${request.method} ${normalizeUrl(request.url)}`,
		component,
	);
	if (authorization === "sigv4") checkSigV4({ ...seen, body: seen.bytes }, fields);
	const headers = authorization === "sigv4" ? omitSignature(seen.headers) : { ...seen.headers };
	const type = headers["content-type"] ?? "";
	if (type !== "") headers["content-type"] = type.replace(/; boundary=.*/, "");
	assert.deepEqual(headers, request.headers, component);
	checkBody(Buffer.from(seen.bytes), type, request.body, component);
}

function checkBody(bytes: Buffer, type: string, body: ExpectedBody | null, component: string): void {
	if (body === null) assert.equal(bytes.length, 0, component);
	else if ("json" in body) assert.deepEqual(JSON.parse(bytes.toString("utf8")), body.json, component);
	else if ("text" in body) assert.equal(bytes.toString("utf8"), body.text, component);
	else if ("bytes" in body) assert.ok(bytes.equals(body.bytes), component);
	else if ("message" in body) checkMessage(bytes.toString("latin1"), body.message, component);
	else checkParts(bytes, type, body.parts);
}

type Message = Extract<ExpectedBody, { message: unknown }>["message"];

function checkMessage(sent: string, { lines, isBase64 }: Message, component: string): void {
	const message = isBase64 === true ? Buffer.from(sent, "base64").toString("latin1") : sent;
	const boundaries = [...new Set(message.match(/tripline-[0-9a-f]{32}/g) ?? [])];
	const written = boundaries.reduce((text, one, index) => text.replaceAll(one, `B${index + 1}`), message);
	assert.deepEqual(written.split("\r\n"), lines, component);
}

/** Compares every byte: services differ in what they tolerate. */
function checkParts(
	bytes: Buffer,
	type: string,
	parts: Extract<ExpectedBody, { parts: unknown }>["parts"],
): void {
	const boundary = /; boundary=(\S+)$/.exec(type)?.[1] ?? "";
	const expected = parts.flatMap(({ name, filename, type: partType, content }) => [
		`--${boundary}\r\nContent-Disposition: form-data; name="${name}"`,
		filename === undefined ? "" : `; filename="${filename}"`,
		partType === undefined ? "" : `\r\nContent-Type: ${partType}`,
		"\r\n\r\n",
		content,
		"\r\n",
	]);
	const whole = Buffer.concat([...expected, `--${boundary}--\r\n`].map((part) => Buffer.from(part)));
	assert.equal(bytes.toString("latin1"), whole.toString("latin1"));
}

/** A host with and without a trailing slash is the same URL. */
const normalizeUrl = (url: string): string => new URL(url).href;

const omitSignature = (headers: Received["headers"]) =>
	Object.fromEntries(
		Object.entries(headers).filter(([name]) => name !== "authorization" && !name.startsWith("x-amz-")),
	);
