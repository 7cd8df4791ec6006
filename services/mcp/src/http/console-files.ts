/** Encodings in which a file may lie ready, best first. */
export const ENCODINGS = ["br", "gzip"] as const;
export type Encoding = (typeof ENCODINGS)[number];

export interface ConsoleFile {
	readonly body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
	/** Another one for other content; characters that an ETag may have. */
	readonly tag: string;
	/** Null: as it is. */
	readonly encoding: Encoding | null;
}

/** The web console's files, wherever they lie: the page `index.html` and what it loads, all in one folder. */
export interface ConsoleFiles {
	/** Null: there is none of that name. Throws `ConsoleAbsent` while there are no files at all. */
	file(name: string, accepted: readonly Encoding[]): Promise<ConsoleFile | null>;
}

/** Why there is no console, for whoever looks for it. */
export class ConsoleAbsent extends Error {
	override readonly name = "ConsoleAbsent";
	readonly hint: string;
	/** The page reloads itself after that; null: asking again is no use. */
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

/** Static assets of a worker, which lie under the same path as they are served. The platform compresses them. */
export const assetFiles = (assets: AssetsBinding): ConsoleFiles => ({
	async file(name) {
		const answer = await assets.fetch(new Request(`http://assets/console/${name}`));
		if (answer.ok && answer.body !== null)
			return { body: answer.body, tag: tagOf(answer.headers.get("etag") ?? ""), encoding: null };
		await answer.body?.cancel();
		if (answer.status === 404) return null;
		throw new Error(`the static assets answered ${answer.status}`);
	},
});

const tagOf = (etag: string): string => etag.replace(/^W\//, "").replaceAll('"', "");
