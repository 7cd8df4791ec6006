import { createHash, createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export const S3_KEY = {
	region: "eu-test-1",
	accessKeyId: "AKIDTEST0123456789",
	secretAccessKey: "canary/secret+key0123456789",
};

const BUCKET = "bucket";
const MIN_PART_BYTES = 5 * 1024 * 1024;
const MAX_SKEW_MS = 15 * 60_000;

/** What happens to a request instead of an answer to it. */
type Fault =
	| { readonly kind: "status"; readonly status: number; readonly code: string }
	| { readonly kind: "hang up" }
	| { readonly kind: "silence" }
	/** The request is carried out, and the connection ends before the answer. */
	| { readonly kind: "lose the answer" }
	/** The connection ends after the answer's first bytes. */
	| { readonly kind: "cut the answer" };

interface Upload {
	readonly name: string;
	readonly parts: Map<number, { readonly etag: string; readonly content: Buffer }>;
}

export interface S3Server {
	/** With the bucket. */
	readonly url: string;
	readonly objects: Map<string, Buffer>;
	readonly uploads: Map<string, Upload>;
	/** Method and target of each request, also of those that failed. */
	readonly received: string[];
	/** Applied to the next requests that match, one after the other. */
	fail(matches: RegExp, ...faults: readonly Fault[]): void;
	close(): void;
}

/** A strict S3 server on loopback with one bucket: it verifies every signature and the hash of every body. */
export async function startS3Server(): Promise<S3Server> {
	const objects = new Map<string, Buffer>();
	const uploads = new Map<string, Upload>();
	const received: string[] = [];
	const planned: { readonly matches: RegExp; readonly fault: Fault }[] = [];
	const server = createServer((request, response) => {
		answer(request, response).catch(() => response.destroy());
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	server.unref();
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${BUCKET}`,
		objects,
		uploads,
		received,
		fail(matches, ...faults) {
			planned.push(...faults.map((fault) => ({ matches, fault })));
		},
		close() {
			server.closeAllConnections();
			server.close();
		},
	};

	async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const line = `${request.method} ${request.url}`;
		received.push(line);
		const nth = planned.findIndex(({ matches }) => matches.test(line));
		const fault = nth === -1 ? null : (planned.splice(nth, 1)[0]?.fault ?? null);
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		if (fault?.kind === "silence") return;
		if (fault?.kind === "hang up") return void response.destroy();
		const result = fault?.kind === "status" ? fault : carryOut(request, Buffer.concat(chunks));
		if (fault?.kind === "lose the answer") return void response.destroy();
		const { status, headers, content } = toAnswer(result);
		response.writeHead(status, { "content-length": String(content.length), ...headers });
		if (fault?.kind === "cut the answer") {
			response.write(content.subarray(0, content.length >> 1), () => response.destroy());
			return;
		}
		response.end(request.method === "HEAD" ? undefined : content);
	}

	function carryOut(request: IncomingMessage, body: Buffer): Result {
		const problem = verify(request, body);
		if (problem !== null) return { status: 403, code: problem };
		const { pathname, searchParams } = new URL(request.url ?? "", "http://server");
		const [, bucket, ...rest] = pathname.split("/").map(decodeURIComponent);
		const name = rest.join("/");
		if (bucket !== BUCKET) return { status: 404, code: "NoSuchBucket" };
		if (searchParams.get("list-type") === "2") return listObjects(searchParams);
		const uploadId = searchParams.get("uploadId");
		const kind = uploadId !== null ? "upload" : searchParams.has("uploads") ? "uploads" : "object";
		switch (`${request.method} ${kind}`) {
			case "GET uploads":
				return listUploads(searchParams.get("prefix") ?? "");
			case "POST uploads":
				return beginUpload(name);
			case "PUT upload":
				return uploadPart(name, uploadId ?? "", Number(searchParams.get("partNumber")), body);
			case "POST upload":
				return completeUpload(name, uploadId ?? "", body.toString());
			case "DELETE upload":
				if (!isUploadOf(name, uploadId)) return { status: 404, code: "NoSuchUpload" };
				uploads.delete(uploadId ?? "");
				return { status: 204 };
			case "PUT object":
				objects.set(name, body);
				return { status: 200, headers: { etag: toEtag(body) } };
			case "GET object":
			case "HEAD object":
				return readObject(name, request.headers.range);
			case "DELETE object":
				objects.delete(name);
				return { status: 204 };
			default:
				return { status: 405, code: "MethodNotAllowed" };
		}
	}

	function readObject(name: string, range: string | undefined): Result {
		const content = objects.get(name);
		if (content === undefined) return { status: 404, code: "NoSuchKey" };
		if (range === undefined) return { status: 200, content };
		const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(range) ?? [];
		if (from === undefined) return { status: 400, code: "InvalidArgument" };
		const [start, last] = [Number(from), to === "" ? Number.POSITIVE_INFINITY : Number(to)];
		if (start >= content.length || last < start) return { status: 416, code: "InvalidRange" };
		const part = content.subarray(start, last + 1);
		const headers = { "content-range": `bytes ${start}-${start + part.length - 1}/${content.length}` };
		return { status: 206, content: part, headers };
	}

	function beginUpload(name: string): Result {
		const uploadId = `u+${uploads.size}/${received.length}=`;
		uploads.set(uploadId, { name, parts: new Map() });
		return toXml(
			"InitiateMultipartUploadResult",
			`<Bucket>${BUCKET}</Bucket><Key>${name}</Key><UploadId>${uploadId}</UploadId>`,
		);
	}

	function uploadPart(name: string, uploadId: string, number: number, content: Buffer): Result {
		if (!isUploadOf(name, uploadId)) return { status: 404, code: "NoSuchUpload" };
		if (!Number.isInteger(number) || number < 1 || number > 10_000)
			return { status: 400, code: "InvalidArgument" };
		const etag = toEtag(content);
		uploads.get(uploadId)?.parts.set(number, { etag, content });
		return { status: 200, headers: { etag } };
	}

	function completeUpload(name: string, uploadId: string, body: string): Result {
		const upload = uploads.get(uploadId);
		if (upload === undefined || upload.name !== name) return { status: 404, code: "NoSuchUpload" };
		const named = [...body.matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part = ""]) => ({
			number: Number(/<PartNumber>(\d+)<\/PartNumber>/.exec(part)?.[1]),
			etag: /<ETag>([^<]+)<\/ETag>/.exec(part)?.[1]?.replace(/&(?:#34|quot);/g, '"'),
		}));
		if (named.length === 0) return { status: 400, code: "MalformedXML" };
		if (named.some(({ number }, at) => number <= (named[at - 1]?.number ?? 0)))
			return { status: 400, code: "InvalidPartOrder" };
		const contents: Buffer[] = [];
		for (const [at, { number, etag }] of named.entries()) {
			const part = upload.parts.get(number);
			if (part === undefined || part.etag !== etag) return { status: 400, code: "InvalidPart" };
			if (at < named.length - 1 && part.content.length < MIN_PART_BYTES)
				return { status: 400, code: "EntityTooSmall" };
			contents.push(part.content);
		}
		uploads.delete(uploadId);
		objects.set(name, Buffer.concat(contents));
		// S3 sends spaces while it puts the parts together.
		return toXml(
			"CompleteMultipartUploadResult",
			`<Key>${name}</Key><ETag>&quot;abc-2&quot;</ETag>`,
			"   \n",
		);
	}

	/** In pages of two. */
	function listObjects(query: URLSearchParams): Result {
		const after = query.get("continuation-token") ?? "";
		const names = [...objects.keys()]
			.filter((name) => name.startsWith(query.get("prefix") ?? "") && name > after)
			.sort();
		const page = names.slice(0, 2);
		const items = page.map(
			(name) => `<Contents><Key>${name}</Key><Size>${objects.get(name)?.length}</Size></Contents>`,
		);
		const next = `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>`;
		return toXml(
			"ListBucketResult",
			names.length > page.length
				? `<IsTruncated>true</IsTruncated>${next}${items.join("")}`
				: `<IsTruncated>false</IsTruncated>${items.join("")}`,
		);
	}

	function listUploads(prefix: string): Result {
		const items = [...uploads]
			.filter(([, { name }]) => name.startsWith(prefix))
			.map(([id, { name }]) => `<Upload><Key>${name}</Key><UploadId>${id}</UploadId></Upload>`);
		return toXml("ListMultipartUploadsResult", `<Bucket>${BUCKET}</Bucket>${items.join("")}`);
	}

	function isUploadOf(name: string, uploadId: string | null): boolean {
		return uploads.get(uploadId ?? "")?.name === name;
	}
}

type Result =
	| { readonly status: number; readonly code: string }
	| {
			readonly status: number;
			readonly content?: Buffer;
			readonly headers?: Readonly<Record<string, string>>;
	  };

function toAnswer(result: Result): { status: number; content: Buffer; headers: Record<string, string> } {
	if (!("code" in result)) return { content: Buffer.alloc(0), ...result, headers: { ...result.headers } };
	// Real servers repeat what was sent.
	const details = `<Message>It is wrong &amp; refused</Message><AWSAccessKeyId>${S3_KEY.accessKeyId}</AWSAccessKeyId>`;
	const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${result.code}</Code>${details}</Error>`;
	return { status: result.status, content: Buffer.from(xml), headers: { "content-type": "application/xml" } };
}

const toXml = (name: string, inner: string, before = ""): Result => ({
	status: 200,
	content: Buffer.from(
		`<?xml version="1.0" encoding="UTF-8"?>\n${before}<${name} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${inner}</${name}>`,
	),
	headers: { "content-type": "application/xml" },
});

const toEtag = (content: Buffer): string => `"${createHash("md5").update(content).digest("hex")}"`;
const sha256 = (content: Buffer | string): string => createHash("sha256").update(content).digest("hex");
const hmac = (key: Buffer | string, text: string): Buffer => createHmac("sha256", key).update(text).digest();

/** S3's name for what is wrong with the request's signature; null if it is right. */
function verify({ method, url = "", headers }: IncomingMessage, body: Buffer): string | null {
	const [, keyId, date = "", region = "", names = "", signature] =
		/^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/.exec(
			headers.authorization ?? "",
		) ?? [];
	if (signature === undefined) return "AccessDenied";
	if (keyId !== S3_KEY.accessKeyId) return "InvalidAccessKeyId";
	if (region !== S3_KEY.region) return "AuthorizationHeaderMalformed";
	const signed = names.split(";");
	const mustSign = Object.keys(headers).filter((name) => name === "host" || name.startsWith("x-amz-"));
	if (mustSign.some((name) => !signed.includes(name)) || names !== signed.toSorted().join(";"))
		return "AccessDenied";
	const time = String(headers["x-amz-date"]);
	const [, y, mo, d, h, mi, s] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(time) ?? [];
	const sentAt = Date.parse(`${y}-${mo}-${d}T${h}:${mi}:${s}Z`);
	if (!(Math.abs(Date.now() - sentAt) < MAX_SKEW_MS) || !time.startsWith(date)) return "RequestTimeTooSkewed";
	if (headers["x-amz-content-sha256"] !== sha256(body)) return "XAmzContentSHA256Mismatch";
	const [path = "", query = ""] = url.split("?");
	const canonical = [
		method,
		path,
		query.split("&").sort().join("&"),
		...signed.map((name) => `${name}:${String(headers[name]).trim()}`),
		"",
		names,
		sha256(body),
	].join("\n");
	const scope = `${date}/${region}/s3/aws4_request`;
	const key = [date, region, "s3", "aws4_request"].reduce<Buffer | string>(
		hmac,
		`AWS4${S3_KEY.secretAccessKey}`,
	);
	const expected = hmac(key, `AWS4-HMAC-SHA256\n${time}\n${scope}\n${sha256(canonical)}`).toString("hex");
	return signature === expected ? null : "SignatureDoesNotMatch";
}
