import type { Bucket, MultipartUpload, UploadedPart } from "./blobs.bucket.ts";
import {
	missing,
	readRequired,
	readResult,
	type S3Client,
	type S3Options,
	S3Refusal,
	s3Client,
	streamBody,
} from "./s3-client.ts";
import { escapeXml, readChild } from "./s3-xml.ts";
import { PlatformUnavailable } from "./unavailable.ts";

interface S3Bucket extends Bucket {
	/** All objects whose keys begin with the prefix. */
	list(prefix: string): Promise<ListedObject[]>;
}

interface ListedObject {
	readonly key: string;
	readonly size: number;
}

/** A bucket of AWS or of another server with the same API, such as MinIO, Ceph, Garage or R2. Calls nothing by itself. */
export function s3Bucket(options: S3Options): S3Bucket {
	const client = s3Client(options);
	const [bucket = "", ...prefix] = new URL(options.url).pathname.split("/").filter((part) => part !== "");
	const toName = (key: string) => [...prefix, key].join("/");
	const toPath = (key: string) => `/${bucket}/${toName(key)}`;

	return {
		put: (key, body) => client.send({ method: "PUT", path: toPath(key), body }, discard),
		async get(key, { range }) {
			const send = (headers: Readonly<Record<string, string>>) =>
				client.send({ method: "GET", path: toPath(key), headers }, async (response) => {
					if (range === undefined || response.status === 206) return { body: streamBody(response) };
					await response.body?.cancel();
					throw new PlatformUnavailable("the bucket that keeps files does not support ranges");
				});
			if (range === undefined) return ifFound(send({}));
			try {
				return await ifFound(send({ range: toHeader(range) }));
			} catch (error) {
				if (!isRefusal(error, 416)) throw error;
				throw new RangeError("no byte is in the range", { cause: error });
			}
		},
		head,
		/**
		 * S3 keeps the parts of an upload that nobody ends, and charges for them. There are some only where there is no
		 * object, because a key is written once.
		 */
		async delete(key) {
			if ((await head(key)) === null)
				for (const id of await listUploads(key)) await abortUpload(client, toPath(key), id);
			await client.send({ method: "DELETE", path: toPath(key) }, discard);
		},
		async createMultipartUpload(key) {
			const request = { method: "POST", path: toPath(key), query: { uploads: "" } };
			const uploadId = await client.send(request, async (response) =>
				readRequired(await readResult(response, "InitiateMultipartUploadResult"), "UploadId"),
			);
			return multipartUpload({ client, path: toPath(key), uploadId, head: () => head(key) });
		},
		async list(start) {
			const found: ListedObject[] = [];
			for (let from: string | null = ""; from !== null; ) {
				const page = await listPage(toName(start), from);
				found.push(...page.objects);
				from = page.next;
			}
			return found;
		},
	};

	/** At most a thousand objects, and from where to continue. */
	async function listPage(
		start: string,
		from: string,
	): Promise<{ objects: ListedObject[]; next: string | null }> {
		const query = {
			"list-type": "2",
			prefix: start,
			...(from !== "" && { "continuation-token": from }),
		};
		return client.send({ method: "GET", path: `/${bucket}`, query }, async (response) => {
			const result = await readResult(response, "ListBucketResult");
			const objects = result.children
				.filter(({ name }) => name === "Contents")
				.map((each) => ({
					key: readRequired(each, "Key").slice(toName("").length),
					size: Number(readRequired(each, "Size")),
				}));
			const isCut = readChild(result, "IsTruncated") === "true";
			return { objects, next: isCut ? readRequired(result, "NextContinuationToken") : null };
		});
	}

	function head(key: string): Promise<{ readonly size: number } | null> {
		return ifFound(
			client.send({ method: "HEAD", path: toPath(key) }, ({ headers }) => ({
				size: Number(headers.get("content-length") ?? Number.NaN),
			})),
		);
	}

	/** The key itself comes first among those that begin with it. */
	async function listUploads(key: string): Promise<readonly string[]> {
		const query = { uploads: "", prefix: toName(key) };
		try {
			return await client.send({ method: "GET", path: `/${bucket}`, query }, async (response) =>
				(await readResult(response, "ListMultipartUploadsResult")).children
					.filter((each) => each.name === "Upload" && readChild(each, "Key") === query.prefix)
					.map((upload) => readRequired(upload, "UploadId")),
			);
		} catch (error) {
			// Not every server has a list of uploads; a rule of the bucket can delete them.
			if (isRefusal(error, 501)) return [];
			throw error;
		}
	}
}

function multipartUpload(deps: {
	client: S3Client;
	path: string;
	uploadId: string;
	head(): Promise<{ readonly size: number } | null>;
}): MultipartUpload {
	const { client, path, uploadId } = deps;
	let size = 0;
	return {
		async uploadPart(partNumber, body) {
			const query = { partNumber: String(partNumber), uploadId };
			const etag = await client.send({ method: "PUT", path, query, body }, async (response) => {
				await discard(response);
				return response.headers.get("etag") ?? missing("ETag");
			});
			size += body.length;
			return { partNumber, etag };
		},
		async complete(parts) {
			const body = new TextEncoder().encode(renderParts(parts));
			const headers = { "content-type": "application/xml" };
			try {
				await client.send({ method: "POST", path, query: { uploadId }, headers, body }, (response) =>
					readResult(response, "CompleteMultipartUploadResult"),
				);
			} catch (error) {
				// An attempt may have succeeded although its answer was lost.
				if (!isRefusal(error, 404) || (await deps.head())?.size !== size) throw error;
			}
		},
		abort: () => abortUpload(client, path, uploadId),
	};
}

async function abortUpload(client: S3Client, path: string, uploadId: string): Promise<void> {
	await ifFound(client.send({ method: "DELETE", path, query: { uploadId } }, discard));
}

function renderParts(parts: readonly UploadedPart[]): string {
	const items = parts.map(
		({ partNumber, etag }) =>
			`<Part><PartNumber>${partNumber}</PartNumber><ETag>${escapeXml(etag)}</ETag></Part>`,
	);
	return `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${items.join("")}</CompleteMultipartUpload>`;
}

const toHeader = ({ offset, length }: { offset: number; length?: number }): string =>
	`bytes=${offset}-${length === undefined ? "" : offset + length - 1}`;

const isRefusal = (error: unknown, status: number): boolean =>
	error instanceof S3Refusal && error.status === status && error.code !== "NoSuchBucket";

/** Null if there is no such object or upload. A bucket that is missing is an error, where the answer tells. */
async function ifFound<Answer>(answer: Promise<Answer>): Promise<Answer | null> {
	try {
		return await answer;
	} catch (error) {
		if (isRefusal(error, 404)) return null;
		throw error;
	}
}

/** Reads the answer to its end, so that its connection can be used again. */
async function discard(response: Response): Promise<void> {
	await response.arrayBuffer();
}
