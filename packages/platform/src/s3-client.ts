import { hashSha256, signAwsRequest } from "@tripline/contract/aws-sigv4";
import { encodeQueryText } from "@tripline/contract/query-text";
import { systemClock } from "./clock.ts";
import { parseS3Xml, readChild, type XmlElement } from "./s3-xml.ts";
import { PlatformUnavailable } from "./unavailable.ts";

export interface S3Options {
	/** The bucket in path style, with an optional prefix: `https://host/bucket/prefix`. */
	readonly url: string;
	readonly region: string;
	readonly accessKeyId: string;
	readonly secretAccessKey: string;
	/** For each attempt, until it is answered. The default depends on what is sent. */
	readonly timeoutMs?: number;
}

export interface S3Request {
	readonly method: string;
	/** In the bucket, with a leading slash; empty for the bucket itself. */
	readonly path: string;
	readonly query?: Readonly<Record<string, string>>;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: Uint8Array<ArrayBuffer>;
}

/** The bucket answered, but not with success. */
export class S3Refusal extends PlatformUnavailable {
	readonly status: number;
	/** S3's name for the error, such as `NoSuchKey`; null for answers without a body. */
	readonly code: string | null;

	constructor(status: number, code: string | null) {
		super(
			`the bucket that keeps files answered ${status}${code === null ? "" : ` ${code}`}${advise(status)}`,
		);
		this.status = status;
		this.code = code;
	}
}

function advise(status: number): string {
	if (status === 401 || status === 403)
		return ": check the keys in FILES_S3_* and what they are allowed to do";
	const isElsewhere = status === 404 || (status >= 300 && status < 400);
	return isElsewhere ? ": check FILES_S3_URL and FILES_S3_REGION" : "";
}

const TIMEOUT_MS = 20_000;
/** A part of 5 MiB arrives within it at 90 KB per second. */
const BODY_TIMEOUT_MS = 60_000;
const MAX_ATTEMPTS = 4;
/** Tripled with each attempt. */
const FIRST_PAUSE_MS = 100;
/** An attempt that would start later is not made, because somebody waits. */
const RETRY_WITHIN_MS = 20_000;
const MAX_ANSWER_BYTES = 1_048_576;
/** Errors that S3 reports with a status that does not say that they pass. */
const PASSING_CODES = new Set(["InternalError", "RequestTimeout", "ServiceUnavailable", "SlowDown"]);

export type S3Client = ReturnType<typeof s3Client>;

/**
 * Sends signed requests, and sends them again if the error may pass. That does no harm: all are idempotent but one, and
 * an upload that is begun twice leaves one without parts, which takes no space.
 */
export function s3Client({ url, region, accessKeyId, secretAccessKey, timeoutMs }: S3Options) {
	const key = { keyId: accessKeyId, secret: secretAccessKey, region, service: "s3" };
	const base = new URL(url);

	return {
		/** `read` gets a successful answer. Its errors count as errors of the bucket, and end in a further attempt. */
		async send<Answer>(
			request: S3Request,
			read: (response: Response) => Answer | Promise<Answer>,
		): Promise<Answer> {
			const startedAt = performance.now();
			for (let attempt = 1; ; attempt++) {
				try {
					return await sendOnce(request, read);
				} catch (error) {
					const isLast = attempt === MAX_ATTEMPTS || performance.now() - startedAt > RETRY_WITHIN_MS;
					if (isLast || !mayPass(error)) throw error;
					await pause(FIRST_PAUSE_MS * 3 ** (attempt - 1));
				}
			}
		},
	};

	async function sendOnce<Answer>(
		{ method, path, query = {}, headers = {}, body }: S3Request,
		read: (response: Response) => Answer | Promise<Answer>,
	): Promise<Answer> {
		const target = new URL(base.origin + path);
		target.search = Object.entries(query)
			.map(([name, value]) => `${name}=${encodeQueryText(value)}`)
			.join("&");
		const bodyHash = await hashSha256(body ?? "");
		// The server compares the time of a signature with its own clock, so a clock of a test would not do.
		const signed = await signAwsRequest(key, { method, url: target, headers, bodyHash }, systemClock.now());
		const limit = new AbortController();
		const timer = setTimeout(
			() => limit.abort(),
			timeoutMs ?? (body === undefined ? TIMEOUT_MS : BODY_TIMEOUT_MS),
		);
		try {
			const response = await fetch(signed.url, {
				method,
				// A range is one of stored bytes, never of bytes that were compressed on the way.
				headers: { ...headers, ...signed.headers, "accept-encoding": "identity" },
				body: body ?? null,
				// The signature is valid for one host only.
				redirect: "manual",
				signal: limit.signal,
			});
			if (!response.ok) throw new S3Refusal(response.status, await readCode(response));
			return await read(response);
		} catch (error) {
			if (error instanceof PlatformUnavailable) throw error;
			throw toUnreachable(error, limit.signal.aborted);
		} finally {
			clearTimeout(timer);
		}
	}
}

/** The answer's only element, which must have this name. An error may come with the status 200, after a long wait. */
export async function readResult(response: Response, name: string): Promise<XmlElement> {
	const root = parseS3Xml(await readText(response));
	if (root?.name === "Error") throw new S3Refusal(response.status, toCode(root));
	return root?.name === name ? root : missing(name);
}

export const readRequired = (element: XmlElement, name: string): string =>
	readChild(element, name) || missing(name);

export function missing(name: string): never {
	throw new PlatformUnavailable(`the bucket that keeps files answered without ${name}`);
}

/** Errors of the stream become errors of the bucket. The answer can be read into memory of the reader. */
export function streamBody({ body }: Response): ReadableStream<Uint8Array> {
	const reader = body?.getReader();
	return new ReadableStream({
		type: "bytes",
		async pull(controller) {
			try {
				const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
				if (!done) return controller.enqueue(value);
				controller.close();
				controller.byobRequest?.respond(0);
			} catch (error) {
				throw toUnreachable(error, false);
			}
		},
		cancel: (reason) => reader?.cancel(reason),
	});
}

const mayPass = (error: unknown): boolean =>
	error instanceof S3Refusal
		? (error.status >= 500 && error.status !== 501) ||
			error.status === 429 ||
			PASSING_CODES.has(error.code ?? "")
		: error instanceof PlatformUnavailable;

function toUnreachable(error: unknown, isLate: boolean): PlatformUnavailable {
	const { code } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
	const reason = isLate ? "no answer in time" : typeof code === "string" ? code : "connection lost";
	return new PlatformUnavailable(`the bucket that keeps files cannot be reached: ${reason}`, {
		cause: error,
	});
}

async function readCode(response: Response): Promise<string | null> {
	const root = parseS3Xml(await readText(response));
	return root?.name === "Error" ? toCode(root) : null;
}

/** Only a name: an error's message and details may repeat what was sent. */
const toCode = (error: XmlElement): string | null =>
	/^[A-Za-z0-9.]{1,64}$/.exec(readChild(error, "Code") ?? "")?.[0] ?? null;

async function readText(response: Response): Promise<string> {
	const decoder = new TextDecoder();
	let text = "";
	let size = 0;
	for await (const piece of response.body ?? []) {
		size += piece.length;
		if (size > MAX_ANSWER_BYTES) throw new PlatformUnavailable("the bucket's answer is too large");
		text += decoder.decode(piece, { stream: true });
	}
	return text + decoder.decode();
}

/** Half of it at random, so that many callers do not return at once. */
const pause = (ms: number): Promise<void> =>
	new Promise((resolve) => setTimeout(resolve, ms * (0.5 + Math.random() / 2)));
