/** Encodings in which a precompressed file may exist, best first. */
export const ENCODINGS = ["br", "gzip"] as const;
export type Encoding = (typeof ENCODINGS)[number];

export interface ConsoleFile {
	readonly body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
	/** Changes with the content; only characters allowed in an ETag. */
	readonly tag: string;
	/** Null: not compressed. */
	readonly encoding: Encoding | null;
}

/** The web console's files, on any platform: `index.html` and what it loads, all in one folder. */
export interface ConsoleFiles {
	/** Null: there is no such file. Throws `ConsoleAbsent` while there are no files at all. */
	file(name: string, accepted: readonly Encoding[]): Promise<ConsoleFile | null>;
}

/** The console is not available; the message is shown to the user. */
export class ConsoleAbsent extends Error {
	override readonly name = "ConsoleAbsent";
	readonly hint: string;
	/** The error page reloads itself after this time; null: retrying does not help. */
	readonly retryAfterSeconds: number | null;

	constructor(message: string, hint: string, retryAfterSeconds: number | null = null) {
		super(message);
		this.hint = hint;
		this.retryAfterSeconds = retryAfterSeconds;
	}
}

interface AssetsBinding {
	fetch(request: Request): Promise<Response>;
}

/** Static assets of a worker, stored under the path at which they are served. The platform compresses them. */
export const assetFiles = (assets: AssetsBinding): ConsoleFiles => ({
	async file(name) {
		const answer = await assets.fetch(new Request(`http://assets/console/${name}`));
		if (answer.ok && answer.body !== null)
			return { body: answer.body, tag: parseTag(answer.headers.get("etag") ?? ""), encoding: null };
		await answer.body?.cancel();
		if (answer.status === 404) return null;
		throw new Error(`the static assets answered ${answer.status}`);
	},
});

const parseTag = (etag: string): string => etag.replace(/^W\//, "").replaceAll('"', "");
